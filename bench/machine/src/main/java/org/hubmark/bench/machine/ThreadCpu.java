package org.hubmark.bench.machine;

import java.util.HashMap;
import java.util.Map;

/** CPU time of each thread of a process, from /proc/PID/task (proc_pid_task(5)). */
public final class ThreadCpu {
    private ThreadCpu() {}

    /** {@return nanoseconds by thread, its name and number; empty when there is no such process} */
    public static Map<String, Long> nanos(long processId) {
        Map<String, Long> threads = new HashMap<>();
        String tasks = "proc/" + processId + "/task";
        for (String task : HostFiles.HERE.numbers(tasks)) {
            String stat = HostFiles.HERE.text(tasks + "/" + task + "/stat");
            // Empty when it has ended since the folder was listed.
            if (!stat.isEmpty()) {
                String name = stat.substring(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
                threads.put(name + "/" + task, ProcessCpu.parse(stat));
            }
        }
        return threads;
    }
}
