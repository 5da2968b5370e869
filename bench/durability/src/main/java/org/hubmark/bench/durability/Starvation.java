package org.hubmark.bench.durability;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * How long the operating system let threads wait for a processor: what a hub's committer could not do
 * in that time is the machine's. Where the kernel doesn't say, nothing is forgiven.
 */
final class Starvation {
    private static final Path PROCESSES = Path.of("/proc");
    private static final String COMMITTER = "committer";

    private Starvation() {}

    /** {@return the longest wait of all committers in a process, over their whole life} */
    static long nanos(long processId) {
        try (Stream<Path> threads =
                Files.list(PROCESSES.resolve(Long.toString(processId)).resolve("task"))) {
            return threads.mapToLong(Starvation::nanos).max().orElse(0);
        } catch (IOException e) {
            // It has ended, or there is no such kernel here.
            return 0;
        }
    }

    private static long nanos(Path thread) {
        try {
            if (!Files.readString(thread.resolve("comm")).strip().equals(COMMITTER)) {
                return 0;
            }
            // Time on a processor, time waiting for one, turns.
            String[] numbers =
                    Files.readString(thread.resolve("schedstat")).strip().split(" ", -1);
            return Long.parseLong(numbers[1]);
        } catch (IOException e) {
            // The thread has ended.
            return 0;
        }
    }
}
