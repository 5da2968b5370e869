package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.machine.folders.Folders;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.Scenario;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Proves that what a run says agrees with instruments that know nothing of it, over the same seconds of
 * one run: CPU time with the control group's account and perf's, writes with the loop device's own, the
 * number of messages with tcpdump's; and the rate of a hub with that of Postfix's smtp-source. Prints
 * the table of docs/measurement.md. Takes root and these programs; is skipped with the reason where
 * there are none.
 */
class OtherInstrumentsTest {
    private static final Path CPU_ACCOUNT = Path.of("/sys/fs/cgroup/cpuacct/hubmark-check");
    private static final List<String> PROGRAMS =
            List.of("/usr/bin/perf", "/usr/bin/tcpdump", "/usr/sbin/smtp-source");
    private static final int PAIRS = 3;
    private static final int CONNECTIONS = 8;

    /** A packet that begins with "250 2.0.": the answer to a message. */
    private static final String ACCEPTED =
            "tcp[((tcp[12] & 0xf0) >> 2):4] = 0x32353020 and tcp[((tcp[12] & 0xf0) >> 2) + 4:4] ="
                    + " 0x322e302e";

    @TempDir
    private Path folder;

    @AfterEach
    void removeWhatWasMade() throws Exception {
        if (Files.isDirectory(CPU_ACCOUNT)) {
            RunFolder.await()
                    .until(() -> Files.readString(CPU_ACCOUNT.resolve("cgroup.procs"))
                            .isEmpty());
            Files.delete(CPU_ACCOUNT);
        }
    }

    @Test
    @Tag("long")
    @Timeout(300)
    void aRunAgreesWithThem() throws Exception {
        for (String program : PROGRAMS) {
            assumeTrue(Files.isExecutable(Path.of(program)), "no " + program);
        }
        assumeTrue(Files.isWritable(CPU_ACCOUNT.getParent()), "no " + CPU_ACCOUNT.getParent());
        Files.createDirectories(CPU_ACCOUNT);
        RunFolder runs = new RunFolder(folder);
        try (LoopVolume volume = LoopVolume.make(runs, "noatime");
                Tool tcpdump = Tool.start(
                        folder.resolve("packets.txt"),
                        "tcpdump -l -n -tt -B 65536 -i lo",
                        ACCEPTED);
                CommandProcess run = runs.start(
                        "run",
                        "--rate=max",
                        "--sizes=57KB",
                        "--duration=15s",
                        "--warmup=5s",
                        "--warmup-max=30s",
                        "--connections=" + CONNECTIONS,
                        "--driver-warmup=4s",
                        "--no-ceilings",
                        "--log-volume=log")) {
            long hub = hubOf(run);
            Files.writeString(CPU_ACCOUNT.resolve("cgroup.procs"), Long.toString(hub));
            // By then it has its threads: perf misses some that begin while it attaches.
            run.awaitError(line -> line.contains(" 1/1 "));
            List<Look> looks = new ArrayList<>();
            Instant perfStarted = Instant.now();
            try (Tool perf = Tool.start(
                    folder.resolve("perf.txt"), "perf stat -e task-clock -I 100 -x , -p " + hub)) {
                while (ProcessHandle.of(hub).isPresent()) {
                    looks.add(Look.at(volume));
                    TimeUnit.MILLISECONDS.sleep(10);
                }
            }
            runs.measured(run);
            compare(runs.scenario(), looks, perfStarted);
        }
        compareWithSmtpSource(runs);
    }

    private static long hubOf(CommandProcess run) {
        ProcessHandle driver = ProcessHandle.of(run.processId()).orElseThrow();
        RunFolder.await().until(() -> driver.children().anyMatch(OtherInstrumentsTest::serves));
        return driver.children()
                .filter(OtherInstrumentsTest::serves)
                .findFirst()
                .orElseThrow()
                .pid();
    }

    /** The JDK doesn't tell a command line as long as one with our class path. */
    private static boolean serves(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"))
                    .contains("\0serve\0");
        } catch (IOException e) {
            return false;
        }
    }

    /** What the control group and the device say at a moment. */
    private record Look(Instant at, long cpuNanos, double stolenSeconds, LoopVolume.Stat device) {
        static Look at(LoopVolume volume) throws IOException {
            String nanos = Files.readString(CPU_ACCOUNT.resolve("cpuacct.usage"));
            return new Look(Instant.now(), Long.parseLong(nanos.trim()), stolen(), volume.stat());
        }
    }

    /** What the hypervisor took of all cores since the machine's start; proc(5), in hundredths of a second. */
    private static double stolen() throws IOException {
        String cores = Files.readAllLines(Path.of("/proc/stat")).getFirst();
        return Long.parseLong(cores.split(" +", -1)[8]) / 100.0;
    }

    private void compare(Scenario scenario, List<Look> looks, Instant perfStarted)
            throws Exception {
        Scenario.Repeat repeat = scenario.repeats().getFirst();
        Instant from = Instant.parse(repeat.startedAt());
        double seconds = Objects.requireNonNull(repeat.get(Figure.MEASURED_S));
        Instant to = from.plusNanos(Math.round(seconds * 1e9));
        double messages = seconds * figure(repeat, Figure.THROUGHPUT_MSGS_PER_S);
        double cpuSeconds = messages * figure(repeat, Figure.SERVER_CPU_US_PER_MSG) / 1e6;
        // The device counts the flush of a sync as a write.
        Double flushes = repeat.get(Figure.LOG_FLUSHES_PER_MSG);
        double flushed =
                flushes == null ? 0 : Math.min(flushes, figure(repeat, Figure.SYNCS_PER_MSG));
        double writes = seconds * figure(repeat, Figure.LOG_WRITES_PER_S) + messages * flushed;
        double megabytes = messages
                * scenario.messageSizeKb()
                / 1e3
                * figure(repeat, Figure.LOG_BYTES_PER_ACCEPTED_BYTE);
        assertThat(scenario.counterSource().log()).isEqualTo("device");
        Look first = near(looks, from);
        Look last = near(looks, to);
        double group = (last.cpuNanos - first.cpuNanos) / 1e9;
        double stolen = last.stolenSeconds - first.stolenSeconds;
        double deviceWrites = last.device.writes() - first.device.writes();
        double deviceMegabytes = (last.device.writtenBytes() - first.device.writtenBytes()) / 1e6;
        double perf = perfSeconds(perfStarted, from, to);
        double answers = answers(from, to);
        System.out.printf(
                Locale.ROOT,
                "%.2f s, 57 KB, %d connections, stolen %.2f s%n",
                seconds,
                CONNECTIONS,
                stolen);
        requireClose("CPU time of the hub, s", cpuSeconds, "control group", group, 0.03, 0.05);
        // The clock of perf's task goes on while the hypervisor has its core.
        row("CPU time of the hub, s", cpuSeconds, "perf stat -e task-clock", perf);
        assertThat(cpuSeconds)
                .isBetween(perf - stolen - 0.03 * perf - 0.1, perf + 0.03 * perf + 0.1);
        String stat = "/sys/block/loopN/stat";
        requireClose("writes of the log's device", writes, stat, deviceWrites, 0.01, 20);
        requireClose("MB written to it", megabytes, stat, deviceMegabytes, 0.01, 2);
        requireClose("messages accepted", messages, "tcpdump", answers, 0.01, 20);
    }

    private static void requireClose(
            String what, double ours, String instrument, double theirs, double share, double more) {
        row(what, ours, instrument, theirs);
        assertThat(ours).as(what).isCloseTo(theirs, within(share * theirs + more));
    }

    private static double figure(Scenario.Repeat repeat, Column figure) {
        return Objects.requireNonNull(repeat.get(figure));
    }

    private static void row(String what, double ours, String instrument, double theirs) {
        System.out.printf(
                Locale.ROOT,
                "| %s | %.2f | %s | %.2f | %+.2f %% |%n",
                what,
                ours,
                instrument,
                theirs,
                100 * (ours / theirs - 1));
    }

    private static Look near(List<Look> looks, Instant at) {
        return looks.stream()
                .min((one, other) -> Duration.between(at, one.at)
                        .abs()
                        .compareTo(Duration.between(at, other.at).abs()))
                .orElseThrow();
    }

    /** Each line: seconds since its start, milliseconds of CPU time since the line before. */
    private double perfSeconds(Instant started, Instant from, Instant to) throws IOException {
        double millis = 0;
        for (String line : Files.readAllLines(folder.resolve("perf.txt"))) {
            String[] fields = line.trim().split(",", -1);
            if (fields.length > 3 && fields[3].startsWith("task-clock")) {
                Instant end =
                        started.plusNanos(Math.round(Double.parseDouble(fields[0].trim()) * 1e9));
                if (end.isAfter(from) && !end.isAfter(to)) {
                    millis += Double.parseDouble(fields[1]);
                }
            }
        }
        return millis / 1e3;
    }

    /** Other servers of this machine may answer on loopback too; the hub answers most. */
    private double answers(Instant from, Instant to) throws IOException {
        Map<String, Integer> bySource = new HashMap<>();
        for (String line : Files.readAllLines(folder.resolve("packets.txt"))) {
            String[] words = line.split(" ", -1);
            if (words.length > 2 && words[0].matches("\\d+\\.\\d+")) {
                Instant at = Instant.ofEpochSecond(0)
                        .plusNanos(Math.round(Double.parseDouble(words[0]) * 1e9));
                if (at.isAfter(from) && !at.isAfter(to)) {
                    bySource.merge(words[2], 1, Integer::sum);
                }
            }
        }
        return bySource.values().stream().mapToInt(Integer::intValue).max().orElse(0);
    }

    /** In turn, so that a drift of the machine touches both. */
    private void compareWithSmtpSource(RunFolder runs) throws Exception {
        try (CommandProcess server = CommandProcess.serve(folder, "--deliver=discard")) {
            String target = "127.0.0.1:" + server.listening().getPort();
            ours(runs, target);
            double ratios = 0;
            for (int pair = 1; pair <= PAIRS; pair++) {
                double theirs = smtpSource(target, 10_000);
                double ours = ours(runs, target);
                ratios += ours / theirs;
                row("messages a second", ours, "smtp-source", theirs);
            }
            server.stop();
            // Noise of the machine hits both; the table says how near they are.
            assertThat(ratios / PAIRS).isBetween(0.7, 1.5);
        }
    }

    private static double ours(RunFolder runs, String target) throws Exception {
        Folders.delete(runs.file(""));
        runs.measure(
                "load",
                "--target=" + target,
                "--rate=max",
                "--sizes=57KB",
                "--duration=5s",
                "--warmup=1s",
                "--warmup-max=1s",
                "--connections=" + CONNECTIONS,
                "--no-pipelining");
        return Objects.requireNonNull(runs.scenario().get(Figure.THROUGHPUT_MSGS_PER_S));
    }

    private double smtpSource(String target, int messages) throws Exception {
        long begun = System.nanoTime();
        String command = "smtp-source -d -s " + CONNECTIONS + " -l 57000 -m " + messages
                + " -f a@load.hubmark.example -t b@load.hubmark.example " + target;
        Process source = new ProcessBuilder(command.split(" ", -1)).inheritIO().start();
        assertThat(source.waitFor()).isZero();
        return messages * 1e9 / (System.nanoTime() - begun);
    }

    /** A program whose words go to a file, until it is closed. */
    private record Tool(Process process) implements AutoCloseable {
        static Tool start(Path output, String words, String... more) throws IOException {
            return new Tool(new ProcessBuilder(Stream.of(words.split(" ", -1), more)
                            .flatMap(Stream::of)
                            .toList())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start());
        }

        @Override
        public void close() throws InterruptedException {
            // What it still holds is written at SIGTERM.
            process.destroy();
            process.waitFor();
        }
    }
}
