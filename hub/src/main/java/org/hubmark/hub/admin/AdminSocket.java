package org.hubmark.hub.admin;

import org.hubmark.core.PrivateFiles;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Unix domain socket on the queue volume by which the operator of a running hub changes its queue, by
 * HTTP. Only the owner of the socket may connect to it.
 */
public final class AdminSocket implements AutoCloseable {
    /** The name of the file on the queue volume. */
    static final String FILE = "hubmark-admin";

    /** Where the socket is bound; it gets its own name when nobody else may connect to it. */
    private static final String UNSEEN = FILE + ".new";

    private static final Logger LOG = LoggerFactory.getLogger(AdminSocket.class);

    private final AdminServer server;
    private final Path file;

    private AdminSocket(AdminServer server, Path file) {
        this.server = server;
        this.file = file;
    }

    /**
     * Listens on a queue volume, which the caller has locked: so a socket that is there already was
     * left by a hub that was killed, and is replaced.
     */
    public static AdminSocket open(Path queueVolume, AdminServer.Pages pages) throws IOException {
        Path file = queueVolume.resolve(FILE);
        Path folder = PrivateFiles.createFolders(queueVolume.resolve(UNSEEN));
        Path unseen = folder.resolve("socket");
        @Nullable AdminServer server = null;
        boolean opened = false;
        try {
            Files.deleteIfExists(unseen);
            server = SocketPath.use(
                    unseen,
                    path -> AdminServer.start(
                            UnixDomainSocketAddress.of(path),
                            "the operator",
                            fields -> null,
                            pages));
            Files.setPosixFilePermissions(unseen, PosixFilePermissions.fromString("rw-------"));
            Files.move(unseen, file, StandardCopyOption.ATOMIC_MOVE);
            opened = true;
            return new AdminSocket(server, file);
        } finally {
            if (!opened) {
                if (server != null) {
                    server.close();
                }
                Files.deleteIfExists(unseen);
            }
            remove(folder);
        }
    }

    /** What can't be removed is in nobody's way: the next hub replaces it. */
    private static void remove(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            LOG.debug("{} can't be removed", file, e);
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
    public void close() {
        server.close();
        remove(file);
    }
}
