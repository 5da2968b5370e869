package org.hubmark.bench.durability;

import org.hubmark.bench.hub.HubJvm;
import org.hubmark.bench.machine.volumes.SystemTool;
import org.hubmark.core.ForeignText;
import org.hubmark.core.OutputFile;
import org.hubmark.smtp.client.SmtpClient;
import org.jspecify.annotations.Nullable;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * A server that is going to be crashed, with all processes it has started. Ends with this process.
 * One thread.
 */
final class CrashedServer implements AutoCloseable {
    private static final Duration START_TIMEOUT = Duration.ofSeconds(60);
    private static final Duration GREETING_TIMEOUT = Duration.ofSeconds(10);
    private static final String LISTENING = "listening on 127.0.0.1:";
    private static final long POLL_MILLIS = 10;

    private final Process process;
    private final InetSocketAddress address;
    private final Thread killer;

    /** All processes that were ever seen of it: one whose parent has ended is found no other way. */
    private final Set<ProcessHandle> seen = new LinkedHashSet<>();

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

    private CrashedServer(Process process, InetSocketAddress address) {
        this.process = process;
        this.address = address;
        this.killer = new Thread(this::killAll, "kill-server");
    }

    /**
     * Starts a server and waits until it takes mail.
     *
     * @throws StartException if it ends instead, or takes too long
     */
    static CrashedServer start(Launch launch) throws IOException, InterruptedException {
        Process process = begin(launch);
        boolean started = false;
        try {
            CrashedServer server = new CrashedServer(process, awaitReady(process, launch));
            var unused = server.processes();
            if (launch.address() == null) {
                // Nobody reads what it says later, and a full pipe would stop it.
                Thread.ofVirtual().start(() -> discard(process));
            }
            Runtime.getRuntime().addShutdownHook(server.killer);
            started = true;
            return server;
        } finally {
            if (!started) {
                killTree(process);
            }
        }
    }

    private static InetSocketAddress awaitReady(Process process, Launch launch)
            throws IOException, InterruptedException {
        long deadlineNanos = System.nanoTime() + START_TIMEOUT.toNanos();
        while (true) {
            boolean alive = process.isAlive();
            InetSocketAddress address =
                    launch.address() == null ? said(process) : greeting(launch.address());
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

    /** {@return where it says that it listens; null as long as it has not} */
    private static @Nullable InetSocketAddress said(Process process) throws IOException {
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        while (out.ready()) {
            String line = out.readLine();
            if (line != null && line.startsWith(LISTENING)) {
                int port = Integer.parseInt(line.substring(LISTENING.length()).trim());
                return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            }
        }
        return null;
    }

    private static void discard(Process process) {
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            out.transferTo(Writer.nullWriter());
        } catch (IOException e) {
            // It was killed.
        }
    }

    /** {@return the address if a server there greets; null if not} */
    private static @Nullable InetSocketAddress greeting(InetSocketAddress address) {
        try (SmtpClient greeted = Load.connect(address, GREETING_TIMEOUT)) {
            return address;
        } catch (IOException e) {
            return null;
        }
    }

    /**
     * Starts a server and kills it while it starts.
     *
     * @param recovering whether it has begun to look at what it was left
     * @param then how long after that it is killed
     * @return why there was no such moment; null if it was killed
     */
    static @Nullable String startAndKill(Launch launch, BooleanSupplier recovering, Duration then)
            throws IOException, InterruptedException {
        Process process = begin(launch);
        try {
            long deadlineNanos = System.nanoTime() + START_TIMEOUT.toNanos();
            while (!recovering.getAsBoolean()) {
                if (!process.isAlive() || System.nanoTime() > deadlineNanos) {
                    return "the server did not begin to recover: "
                            + HubJvm.lastWords(launch.output());
                }
                TimeUnit.MILLISECONDS.sleep(1);
            }
            TimeUnit.NANOSECONDS.sleep(then.toNanos());
            return null;
        } finally {
            killTree(process);
        }
    }

    private static Process begin(Launch launch) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(launch.command());
        builder.environment().putAll(launch.environment());
        builder.redirectError(OutputFile.log(launch.output()));
        if (launch.address() != null) {
            builder.redirectOutput(OutputFile.log(launch.output()));
        }
        return builder.start();
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
        return tree(process).stream().map(ProcessHandle::pid).toList();
    }

    /** {@return whether all its processes stand still} */
    boolean isStopped() throws IOException {
        for (long id : processIds()) {
            try {
                // The state follows the name, which is in parentheses and may hold any character.
                String stat = ForeignText.read(Path.of("/proc/" + id + "/stat"));
                if (stat.charAt(stat.lastIndexOf(')') + 2) != 'T') {
                    return false;
                }
            } catch (NoSuchFileException e) {
                return false;
            }
        }
        return true;
    }

    /** {@return whether one of its processes still runs: a shell may end before what it has started} */
    boolean isAlive() {
        return process.isAlive() || processes().stream().anyMatch(ProcessHandle::isAlive);
    }

    /** Waits until all its processes have ended by themselves; false if one still runs then. */
    boolean awaitEnd(Duration timeout) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + timeout.toNanos();
        List<ProcessHandle> all = processes();
        boolean ended = process.waitFor(timeout.toNanos(), TimeUnit.NANOSECONDS);
        while (ended && all.stream().anyMatch(ProcessHandle::isAlive)) {
            ended = System.nanoTime() < deadlineNanos;
            TimeUnit.MILLISECONDS.sleep(1);
        }
        return ended;
    }

    /** Sends a signal to all its processes. */
    void signal(String name) throws IOException {
        signal(name, processes());
    }

    private synchronized List<ProcessHandle> processes() {
        seen.addAll(tree(process));
        return List.copyOf(seen);
    }

    /** SIGKILL to all its processes at once; returns when they are gone. */
    void kill() {
        killAll();
        try {
            Runtime.getRuntime().removeShutdownHook(killer);
        } catch (IllegalStateException e) {
            // We are ending, and the hook does the same.
            return;
        }
    }

    @Override
    public void close() {
        kill();
    }

    private void killAll() {
        killTree(process);
        List<ProcessHandle> left = processes();
        left.forEach(ProcessHandle::destroyForcibly);
        left.forEach(one -> one.onExit().join());
    }

    private static void killTree(Process process) {
        List<ProcessHandle> all = tree(process);
        if (all.size() > 1) {
            try {
                // Stopped, none of them starts another one while the list is worked off.
                signal("STOP", all);
                all = tree(process);
            } catch (IOException e) {
                // Then the list may miss one that was just being started.
                all = tree(process);
            }
        }
        all.forEach(ProcessHandle::destroyForcibly);
        all.forEach(one -> one.onExit().join());
    }

    private static List<ProcessHandle> tree(Process process) {
        List<ProcessHandle> all = new ArrayList<>(List.of(process.toHandle()));
        process.descendants().forEach(all::add);
        return all;
    }

    private static void signal(String name, List<ProcessHandle> processes) throws IOException {
        List<String> command = new ArrayList<>(List.of("kill", "-" + name));
        processes.stream()
                .filter(ProcessHandle::isAlive)
                .forEach(one -> command.add(Long.toString(one.pid())));
        if (command.size() > 2) {
            // One that has ended meanwhile is no failure.
            SystemTool.attempt(command);
        }
    }
}
