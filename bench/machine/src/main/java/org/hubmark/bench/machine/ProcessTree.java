package org.hubmark.bench.machine;

import org.hubmark.bench.machine.volumes.SystemTool;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A process with all that it starts, in a session of its own. All of it is killed when this is closed, and
 * when this process ends. One thread.
 */
public final class ProcessTree implements AutoCloseable {
    private static final Path SETSID = Path.of("/usr/bin/setsid");

    private final Process root;
    private final ExitHook hook;

    /** All that were ever seen of it: one whose parent has ended is found no other way. */
    private final Set<ProcessHandle> seen = new LinkedHashSet<>();

    private ProcessTree(Process root, Runnable beforeKill) {
        this.root = root;
        this.hook = new ExitHook("kill-" + root.pid(), () -> {
            beforeKill.run();
            kill();
        });
    }

    /**
     * Starts it.
     *
     * @param beforeKill called before it is killed because this process is ending
     */
    public static ProcessTree start(ProcessBuilder builder, Runnable beforeKill)
            throws IOException {
        if (Files.isExecutable(SETSID)) {
            // Else Ctrl-C on a terminal would reach it too, before the last look at it.
            List<String> command = new ArrayList<>(List.of(SETSID.toString()));
            command.addAll(builder.command());
            builder.command(command);
        }
        return new ProcessTree(builder.start(), beforeKill);
    }

    /** {@return the process that was started} */
    public Process root() {
        return root;
    }

    /** {@return all its processes, the one that was started first, whether they run or not} */
    public synchronized List<ProcessHandle> all() {
        seen.add(root.toHandle());
        root.descendants().forEach(seen::add);
        return List.copyOf(seen);
    }

    /** Sends a signal to all its processes. One that has ended meanwhile is no failure. */
    public void signal(String name) throws IOException {
        List<String> running = all().stream()
                .filter(ProcessHandle::isAlive)
                .map(process -> Long.toString(process.pid()))
                .toList();
        if (!running.isEmpty()) {
            List<String> command = new ArrayList<>(List.of("kill", "-" + name));
            command.addAll(running);
            SystemTool.attempt(command);
        }
    }

    /** SIGKILL to all its processes at once; returns when they are gone. */
    @Override
    public void close() {
        kill();
        hook.close();
    }

    private void kill() {
        if (all().size() > 1) {
            try {
                // Stopped, none of them starts another one while the list is worked off.
                signal("STOP");
            } catch (IOException e) {
                // Then the list may miss one that was just being started.
            }
        }
        List<ProcessHandle> all = all();
        all.forEach(ProcessHandle::destroyForcibly);
        all.forEach(process -> process.onExit().join());
    }
}
