package org.hubmark.bench.machine.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * One process of a cluster, known by the file with its number. A number that another process has by
 * now is told from ours by what stands in its command line.
 *
 * @param name as in the names of its files
 * @param folder the cluster's
 */
public record ClusterMember(String name, Path folder) {
    /** In each command line, with the cluster's folder. */
    static final String MARK = "-Dhubmark.cluster=";

    private static final Duration TERM_TIME = Duration.ofSeconds(15);
    /** Two seconds: on a busy machine 100 ms were too few. */
    private static final int LOOKS_MAX = 400;

    private static final int LOOK_MILLIS = 5;

    /** {@return the process, if it runs} */
    public Optional<ProcessHandle> process() throws IOException {
        Path file = pidFile();
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        long pid;
        try {
            pid = Long.parseLong(Files.readString(file).strip());
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).filter(this::isOurs);
    }

    /** Ends the process, if it runs: it is asked to, and killed when it does not. */
    public void stop() throws IOException {
        Optional<ProcessHandle> running = process();
        if (running.isPresent()) {
            ProcessHandle process = running.get();
            process.destroy();
            awaitEnd(process);
            process.destroyForcibly();
            awaitEnd(process);
            if (process.isAlive()) {
                throw new IOException(name + " (process " + process.pid() + ") does not end");
            }
        }
        Files.deleteIfExists(pidFile());
    }

    Path pidFile() {
        return folder.resolve(name + ".pid");
    }

    Path outFile() {
        return folder.resolve(name + ".out");
    }

    private boolean isOurs(ProcessHandle process) {
        Path file = Path.of("/proc/" + process.pid() + "/cmdline");
        try {
            String words = Files.readString(file);
            // While one program becomes the next (setsid, ip, java) there is none for a moment.
            for (int look = 1; words.isEmpty() && look < LOOKS_MAX; look++) {
                Thread.sleep(LOOK_MILLIS);
                words = Files.readString(file);
            }
            return words.contains(MARK + folder + "\0");
        } catch (IOException e) {
            // It has ended in between.
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static void awaitEnd(ProcessHandle process) {
        ProcessHandle unused = process.onExit()
                .completeOnTimeout(process, TERM_TIME.toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }
}
