package org.hubmark.bench.machine.cluster;

import org.hubmark.bench.machine.volumes.SystemTool;
import org.hubmark.core.UserError;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A control group of one controller, of version 1 or 2, whichever the machine has. Takes root. It goes
 * when it is closed, and its processes, if any are left, go back to the top.
 */
final class LimitedGroup implements AutoCloseable {
    private static final Path ROOT = Path.of("/sys/fs/cgroup");
    private static final String PROCESSES = "cgroup.procs";
    private static final int POLL_MILLIS = 10;
    private static final int POLLS_MAX = 200;

    private final Path top;
    private final Path group;

    /**
     * What a controller is called.
     *
     * @param first in version 1
     * @param second in version 2
     */
    record Controller(String first, String second) {
        static final Controller CPU = new Controller("cpu", "cpu");

        /** {@return why there can be no group of it, or nothing} */
        String obstacle() throws IOException {
            if (!SystemTool.root()) {
                return "control groups take root";
            }
            if (isSecond()) {
                return Files.readString(ROOT.resolve("cgroup.controllers")).contains(second)
                        ? ""
                        : "the control groups of this machine have no controller '" + second + "'";
            }
            return Files.isWritable(top().resolve(PROCESSES))
                    ? ""
                    : "this machine has no control groups at " + top();
        }

        private Path top() {
            return isSecond() ? ROOT : ROOT.resolve(first);
        }
    }

    private LimitedGroup(Path top, Path group) {
        this.top = top;
        this.group = group;
    }

    /**
     * Makes a group.
     *
     * @param name of its folder; one that is there and holds no processes is taken over
     */
    static LimitedGroup make(Controller controller, String name) throws IOException {
        String obstacle = controller.obstacle();
        if (!obstacle.isEmpty()) {
            throw UserError.failed(obstacle);
        }
        if (isSecond()) {
            Files.writeString(ROOT.resolve("cgroup.subtree_control"), "+" + controller.second());
        }
        Path top = controller.top();
        return new LimitedGroup(top, Files.createDirectories(top.resolve(name)));
    }

    /** {@return whether the files are those of version 2} */
    static boolean isSecond() {
        return Files.exists(ROOT.resolve("cgroup.controllers"));
    }

    /** Puts a process with all its threads into it. */
    void add(long processId) throws IOException {
        set(PROCESSES, Long.toString(processId));
    }

    void set(String file, String text) throws IOException {
        Files.writeString(group.resolve(file), text);
    }

    Path file(String name) {
        return group.resolve(name);
    }

    @Override
    public void close() throws IOException {
        for (String process : Files.readAllLines(group.resolve(PROCESSES))) {
            var unused = move(process, top.resolve(PROCESSES));
        }
        // One that was killed is in it until its last thread has gone.
        for (int poll = 0; poll < POLLS_MAX && !isEmpty(); poll++) {
            try {
                Thread.sleep(POLL_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                break;
            }
        }
        Files.delete(group);
    }

    /** One that has ended in between is let be; one that can't be moved keeps the group, and that is said. */
    private static boolean move(String process, Path to) {
        try {
            Files.writeString(to, process);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private boolean isEmpty() throws IOException {
        return Files.readString(group.resolve(PROCESSES)).isBlank();
    }
}
