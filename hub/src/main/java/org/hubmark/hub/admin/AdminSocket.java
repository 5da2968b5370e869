package org.hubmark.hub.admin;

import org.hubmark.core.PrivateFiles;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/**
 * Unix domain socket on the queue volume by which the operator of a running hub changes its queue.
 * Only the owner of the socket may connect to it. A connection carries one request and one answer,
 * each a line of JSON. A thread of its own, {@code admin-socket}, serves one connection after the
 * other; one that says nothing holds up the next for {@link #REQUEST_TIME_MAX} at most.
 */
public final class AdminSocket implements AutoCloseable {
    /** The name of the file on the queue volume. */
    static final String FILE = "hubmark-admin";

    static final int REQUEST_BYTES_MAX = 64 << 10;

    /** For all of a request to arrive, and again for all of an answer to be taken. */
    static final Duration REQUEST_TIME_MAX = Duration.ofSeconds(5);

    private static final int BACKLOG = 16;

    /** After an accept that failed for want of descriptors or memory. */
    private static final long PAUSE_MILLIS = 1_000;

    /** Where the socket is bound; it gets its own name when nobody else may connect to it. */
    private static final String UNSEEN = FILE + ".new";

    private static final Logger LOG = LoggerFactory.getLogger(AdminSocket.class);

    private final ServerSocketChannel listener;
    private final Path file;
    private final UnaryOperator<String> answers;
    private final Duration requestTimeMax;
    private final CountDownLatch closing = new CountDownLatch(1);

    private AdminSocket(
            ServerSocketChannel listener,
            Path file,
            UnaryOperator<String> answers,
            Duration requestTimeMax) {
        this.listener = listener;
        this.file = file;
        this.answers = answers;
        this.requestTimeMax = requestTimeMax;
    }

    /**
     * Listens on a queue volume, which the caller has locked: so a socket that is there already was
     * left by a hub that was killed, and is replaced.
     *
     * @param answers makes the answer to a request; both are without a line end. Called on the
     *     socket's thread
     */
    public static AdminSocket open(Path queueVolume, UnaryOperator<String> answers)
            throws IOException {
        return open(queueVolume, answers, REQUEST_TIME_MAX);
    }

    /** The same, with the time that a request and an answer have. */
    static AdminSocket open(
            Path queueVolume, UnaryOperator<String> answers, Duration requestTimeMax)
            throws IOException {
        Path file = queueVolume.resolve(FILE);
        Path folder = PrivateFiles.createFolders(queueVolume.resolve(UNSEEN));
        Path unseen = folder.resolve("socket");
        ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        boolean opened = false;
        try {
            Files.deleteIfExists(unseen);
            SocketPath.use(
                    unseen, path -> listener.bind(UnixDomainSocketAddress.of(path), BACKLOG));
            Files.setPosixFilePermissions(unseen, PosixFilePermissions.fromString("rw-------"));
            Files.move(unseen, file, StandardCopyOption.ATOMIC_MOVE);
            AdminSocket socket = new AdminSocket(listener, file, answers, requestTimeMax);
            Thread thread = new Thread(socket::serve, "admin-socket");
            thread.setDaemon(true);
            thread.start();
            opened = true;
            return socket;
        } finally {
            if (!opened) {
                listener.close();
                Files.deleteIfExists(unseen);
            }
            removeUnseen(folder);
        }
    }

    /** What is left of it is in nobody's way: the next socket is bound there too. */
    private static void removeUnseen(Path folder) {
        try {
            Files.deleteIfExists(folder);
        } catch (IOException e) {
            LOG.debug("the folder {} can't be removed", folder, e);
        }
    }

    /** {@return whether there is a socket on a volume: a hub's, or one that a killed hub has left} */
    static boolean isThere(Path queueVolume) {
        return Files.exists(queueVolume.resolve(FILE), LinkOption.NOFOLLOW_LINKS);
    }

    /** {@return where it is} */
    public Path file() {
        return file;
    }

    /** Takes no further request, and takes the socket away. While the volume is still locked. */
    @Override
    public void close() throws IOException {
        closing.countDown();
        listener.close();
        Files.deleteIfExists(file);
    }

    private void serve() {
        try {
            while (closing.getCount() > 0) {
                serveNext();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void serveNext() throws InterruptedException {
        SocketChannel peer;
        try {
            peer = listener.accept();
        } catch (ClosedChannelException e) {
            // The end.
            return;
        } catch (IOException e) {
            LOG.debug("no connection to the admin socket can be taken", e);
            var unused = closing.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
            return;
        }
        try (SocketLine line = new SocketLine(peer)) {
            String request = line.read(REQUEST_BYTES_MAX, requestTimeMax);
            if (request != null) {
                line.write(answers.apply(request), requestTimeMax);
            }
        } catch (IOException | RuntimeException e) {
            LOG.debug("a request to the admin socket failed", e);
        }
    }
}
