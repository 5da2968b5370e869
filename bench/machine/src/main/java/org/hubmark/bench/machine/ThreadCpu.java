package org.hubmark.bench.machine;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** CPU time of each thread of a process, from /proc/PID/task (proc_pid_task(5)). */
public final class ThreadCpu {
    private ThreadCpu() {}

    /** {@return nanoseconds by thread, its name and number; empty when there is no such process} */
    public static Map<String, Long> nanos(long processId) {
        Map<String, Long> threads = new HashMap<>();
        Path tasks = Path.of("/proc/" + processId + "/task");
        try (DirectoryStream<Path> all = Files.newDirectoryStream(tasks)) {
            for (Path task : all) {
                read(task, threads);
            }
        } catch (IOException e) {
            return Map.of();
        }
        return threads;
    }

    private static void read(Path task, Map<String, Long> threads) {
        try {
            String stat = Files.readString(task.resolve("stat"));
            String name = stat.substring(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
            threads.put(name + "/" + task.getFileName(), ProcessCpu.parse(stat));
        } catch (IOException e) {
            // The thread has ended since the folder was listed.
            return;
        }
    }
}
