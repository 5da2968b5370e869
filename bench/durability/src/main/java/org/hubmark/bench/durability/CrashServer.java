package org.hubmark.bench.durability;

import org.hubmark.bench.hub.HubJvm;
import org.hubmark.bench.machine.ProcessTree;
import org.hubmark.core.OutputFile;
import org.hubmark.smtp.client.SmtpClient;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server that is going to be crashed, with all processes it has started. Ends with this process.
 * One thread.
 */
final class CrashServer implements AutoCloseable {
    private static final Duration START_TIMEOUT = Duration.ofSeconds(60);
    private static final Duration GREETING_TIMEOUT = Duration.ofSeconds(10);
    private static final Pattern LISTENING = Pattern.compile("listening on 127\\.0\\.0\\.1:(\\d+)");
    private static final long POLL_MILLIS = 10;

    private final ProcessTree tree;
    private final Process process;
    private final InetSocketAddress address;

    /**
     * How to start it.
     *
     * @param command the program and its arguments; it stays in the foreground
     * @param environment what it finds there beside our own
     * @param address where it will listen; null if it says so in a line of its output
     * @param output gets what it says
     */
    record Launch(
            List<String> command,
            Map<String, String> environment,
            @Nullable InetSocketAddress address,
            Path output) {}

    private CrashServer(ProcessTree tree, InetSocketAddress address) {
        this.tree = tree;
        this.process = tree.root();
        this.address = address;
    }

    /**
     * Starts a server and waits until it takes mail.
     *
     * @throws StartException if it ends instead, or takes too long
     */
    static CrashServer start(Launch launch) throws IOException, InterruptedException {
        int before = listening(launch).size();
        ProcessTree tree = begin(launch);
        boolean started = false;
        try {
            CrashServer server = new CrashServer(tree, awaitReady(tree.root(), launch, before));
            var unused = tree.all();
            started = true;
            return server;
        } finally {
            if (!started) {
                tree.close();
            }
        }
    }

    private static InetSocketAddress awaitReady(Process process, Launch launch, int before)
            throws IOException, InterruptedException {
        long deadlineNanos = System.nanoTime() + START_TIMEOUT.toNanos();
        while (true) {
            boolean alive = process.isAlive();
            InetSocketAddress address =
                    launch.address() == null ? said(launch, before) : greeting(launch.address());
            if (address != null) {
                return address;
            }
            if (!alive) {
                throw new StartException(
                        "the server did not start: " + HubJvm.lastWords(launch.output()));
            }
            if (System.nanoTime() > deadlineNanos) {
                throw new StartException("the server was not ready within "
                        + START_TIMEOUT.toSeconds() + " s: " + HubJvm.lastWords(launch.output()));
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
    }

    /** {@return where it says that it listens; null as long as it has not, once more than before} */
    private static @Nullable InetSocketAddress said(Launch launch, int before) throws IOException {
        List<String> ports = listening(launch);
        return ports.size() == before
                ? null
                : new InetSocketAddress(
                        InetAddress.getLoopbackAddress(), Integer.parseInt(ports.getLast()));
    }

    /** {@return the ports of each start that has written to the output} */
    private static List<String> listening(Launch launch) throws IOException {
        return HubJvm.words(launch.output()).stream()
                .map(LISTENING::matcher)
                .filter(Matcher::matches)
                .map(line -> line.group(1))
                .toList();
    }

    /** {@return the address if a server there greets; null if not} */
    private static @Nullable InetSocketAddress greeting(InetSocketAddress address) {
        try (SmtpClient greeted = Load.connect(address, GREETING_TIMEOUT)) {
            return address;
        } catch (IOException e) {
            return null;
        }
    }

    private static ProcessTree begin(Launch launch) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(launch.command())
                .redirectErrorStream(true)
                .redirectOutput(OutputFile.log(launch.output()));
        builder.environment().putAll(launch.environment());
        return ProcessTree.start(builder, () -> {});
    }

    /** The server could not be started; the message has its last words. */
    static final class StartException extends IOException {
        private static final long serialVersionUID = 1L;

        StartException(String message) {
            super(message);
        }
    }

    InetSocketAddress address() {
        return address;
    }

    /** {@return the ids of its first process and of what that has started} */
    List<Long> processIds() {
        return tree.all().stream().map(ProcessHandle::pid).toList();
    }

    /** {@return whether one of its processes still runs: a shell may end before what it has started} */
    boolean isAlive() {
        return process.isAlive() || tree.all().stream().anyMatch(ProcessHandle::isAlive);
    }

    /** Waits until all its processes have ended by themselves; false if one still runs then. */
    boolean awaitEnd(Duration timeout) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + timeout.toNanos();
        List<ProcessHandle> all = tree.all();
        boolean ended = process.waitFor(timeout.toNanos(), TimeUnit.NANOSECONDS);
        while (ended && all.stream().anyMatch(ProcessHandle::isAlive)) {
            ended = System.nanoTime() < deadlineNanos;
            TimeUnit.MILLISECONDS.sleep(1);
        }
        return ended;
    }

    /** Sends a signal to all its processes. */
    void signal(String name) throws IOException {
        tree.signal(name);
    }

    /** SIGKILL to all its processes at once; returns when they are gone. */
    @Override
    public void close() {
        tree.close();
    }
}
