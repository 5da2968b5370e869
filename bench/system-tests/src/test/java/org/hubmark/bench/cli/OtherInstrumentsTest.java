package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.hubmark.bench.cli.CommandProcess.Ended;
import org.hubmark.bench.machine.volumes.SystemTool;
import org.hubmark.bench.machine.volumes.TestVolumes;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.Scenario;
import org.hubmark.bench.mail.report.MailReport;
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
import java.util.stream.Collectors;

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
    private static final int SECTOR_BYTES = 512;
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
        if (Files.exists(folder.resolve("hubmark-volumes/volumes.json"))) {
            good("volumes", "destroy", "--force");
        }
        if (Files.isDirectory(CPU_ACCOUNT)) {
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> Files.readString(CPU_ACCOUNT.resolve("cgroup.procs"))
                            .isEmpty());
            Files.delete(CPU_ACCOUNT);
        }
    }

    @Test
    @Tag("long")
    @Timeout(300)
    void aRunAgreesWithThem() throws Exception {
        String obstacle = TestVolumes.obstacle();
        assumeTrue(obstacle == null, obstacle);
        for (String program : PROGRAMS) {
            assumeTrue(Files.isExecutable(Path.of(program)), "no " + program);
        }
        assumeTrue(Files.isWritable(CPU_ACCOUNT.getParent()), "no " + CPU_ACCOUNT.getParent());
        Files.createDirectories(CPU_ACCOUNT);
        String device = volume();
        try (Tool tcpdump = Tool.start(
                        folder.resolve("packets.txt"),
                        List.of(
                                "tcpdump", "-l", "-n", "-tt", "-B", "65536", "-i", "lo",
                                ACCEPTED));
                CommandProcess run = CommandProcess.start(
                        folder,
                        "run",
                        "--sizes=57KB",
                        "--duration=15s",
                        "--warmup=5s",
                        "--repeat=1",
                        "--connections=" + CONNECTIONS,
                        "--driver-warmup=4s",
                        "--no-ceilings",
                        "--shared-machine",
                        "--log-volume=log",
                        "--output=out")) {
            long hub = hubOf(run);
            Files.writeString(CPU_ACCOUNT.resolve("cgroup.procs"), Long.toString(hub));
            // By then it has its threads: perf misses some that begin while it attaches.
            run.awaitError(line -> line.contains(" 1/1 "));
            List<Look> looks = new ArrayList<>();
            Instant perfStarted = Instant.now();
            try (Tool perf = Tool.start(
                    folder.resolve("perf.txt"),
                    List.of(
                            "perf",
                            "stat",
                            "-e",
                            "task-clock",
                            "-p",
                            Long.toString(hub),
                            "-I",
                            "100",
                            "-x",
                            ","))) {
                while (ProcessHandle.of(hub).isPresent()) {
                    looks.add(Look.at(device));
                    TimeUnit.MILLISECONDS.sleep(10);
                }
            }
            Ended ended = run.end(Duration.ofMinutes(2));
            assertThat(ended.exitCode()).as("%s", ended).isIn(0, 3);
            compare(looks, perfStarted);
        }
        compareWithSmtpSource();
    }

    private String volume() throws Exception {
        List<String> made = good("volumes", "create", "log", "--size=1GiB", "--json");
        SystemTool.run(
                List.of("mount", "-o", "remount,noatime", folder.resolve("log").toString()));
        JsonNode volume = new ObjectMapper().readTree(String.join("\n", made)).get(0);
        return volume.get("loop_device").asText().substring("/dev/".length());
    }

    private static long hubOf(CommandProcess run) {
        ProcessHandle driver = ProcessHandle.of(run.processId()).orElseThrow();
        await().atMost(Duration.ofSeconds(60))
                .until(() -> driver.children().anyMatch(OtherInstrumentsTest::serves));
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
    private record Look(
            Instant at, long cpuNanos, double stolenSeconds, long writes, long writtenBytes) {
        static Look at(String device) throws IOException {
            String[] stat = Files.readString(Path.of("/sys/block", device, "stat"))
                    .trim()
                    .split(" +", -1);
            return new Look(
                    Instant.now(),
                    Long.parseLong(Files.readString(CPU_ACCOUNT.resolve("cpuacct.usage"))
                            .trim()),
                    stolen(),
                    Long.parseLong(stat[4]),
                    Long.parseLong(stat[6]) * SECTOR_BYTES);
        }
    }

    /** What the hypervisor took of all cores since the machine's start; proc(5), in hundredths of a second. */
    private static double stolen() throws IOException {
        String cores = Files.readAllLines(Path.of("/proc/stat")).getFirst();
        return Long.parseLong(cores.split(" +", -1)[8]) / 100.0;
    }

    private void compare(List<Look> looks, Instant perfStarted) throws Exception {
        Scenario scenario =
                MailReport.read(folder.resolve("out/results.json")).scenarios().getFirst();
        Scenario.Repeat repeat = scenario.repeats().getFirst();
        Instant from = Instant.parse(repeat.startedAt());
        double seconds = Objects.requireNonNull(repeat.get(Figure.MEASURED_S));
        Instant to = from.plusNanos(Math.round(seconds * 1e9));
        double messages =
                seconds * Objects.requireNonNull(repeat.get(Figure.THROUGHPUT_MSGS_PER_S));
        double cpuSeconds =
                messages * Objects.requireNonNull(repeat.get(Figure.SERVER_CPU_US_PER_MSG)) / 1e6;
        // The device counts the flush of a sync as a write.
        Double flushes = repeat.get(Figure.LOG_FLUSHES_PER_MSG);
        double writes = seconds * Objects.requireNonNull(repeat.get(Figure.LOG_WRITES_PER_S))
                + messages
                        * (flushes == null
                                ? 0
                                : Math.min(
                                        flushes,
                                        Objects.requireNonNull(repeat.get(Figure.SYNCS_PER_MSG))));
        double megabytes = messages
                * scenario.messageSizeKb()
                / 1e3
                * Objects.requireNonNull(repeat.get(Figure.LOG_BYTES_PER_ACCEPTED_BYTE));
        assertThat(scenario.counterSource().log()).isEqualTo("device");
        Look first = near(looks, from);
        Look last = near(looks, to);
        double group = (last.cpuNanos - first.cpuNanos) / 1e9;
        double stolen = last.stolenSeconds - first.stolenSeconds;
        double deviceWrites = last.writes - first.writes;
        double deviceMegabytes = (last.writtenBytes - first.writtenBytes) / 1e6;
        double perf = perfSeconds(perfStarted, from, to);
        double answers = answers(from, to);
        System.out.printf(
                Locale.ROOT,
                "%.2f s, 57 KB, %d connections, stolen %.2f s%n%s%s%s%s%s",
                seconds,
                CONNECTIONS,
                stolen,
                row("CPU time of the hub, s", cpuSeconds, "control group", group),
                row("CPU time of the hub, s", cpuSeconds, "perf stat -e task-clock", perf),
                row("writes of the log's device", writes, "/sys/block/loopN/stat", deviceWrites),
                row("MB written to it", megabytes, "/sys/block/loopN/stat", deviceMegabytes),
                row("messages accepted", messages, "tcpdump", answers));
        assertThat(cpuSeconds).isCloseTo(group, within(0.03 * group + 0.05));
        // The clock of perf's task goes on while the hypervisor has its core.
        assertThat(cpuSeconds)
                .isBetween(perf - stolen - 0.03 * perf - 0.1, perf + 0.03 * perf + 0.1);
        assertThat(writes).isCloseTo(deviceWrites, within(0.01 * deviceWrites + 20));
        assertThat(megabytes).isCloseTo(deviceMegabytes, within(0.01 * deviceMegabytes + 2));
        assertThat(messages).isCloseTo(answers, within(0.01 * answers + 20));
    }

    private static String row(String what, double ours, String instrument, double theirs) {
        return String.format(
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
    private void compareWithSmtpSource() throws Exception {
        try (CommandProcess server = CommandProcess.start(
                folder,
                "serve",
                "--listen=127.0.0.1:0",
                "--deliver=discard",
                "--log-volume=served/log",
                "--queue-volume=served/queue",
                "--tracking-volume=served/tracking")) {
            String target = "127.0.0.1:" + server.listening().getPort();
            ours(target, "load-0");
            List<Double> ratios = new ArrayList<>();
            for (int pair = 1; pair <= PAIRS; pair++) {
                double theirs = smtpSource(target, 10_000);
                double ours = ours(target, "load-" + pair);
                ratios.add(ours / theirs);
                System.out.print(row("messages a second", ours, "smtp-source", theirs));
            }
            server.terminate();
            // Noise of the machine hits both; the table says how near they are.
            assertThat(ratios.stream().collect(Collectors.averagingDouble(ratio -> ratio)))
                    .isBetween(0.7, 1.5);
        }
    }

    private double ours(String target, String output) throws Exception {
        Path out = folder.resolve(output);
        Ended ended = CommandProcess.run(
                folder,
                "load",
                "--target=" + target,
                "--sizes=57KB",
                "--duration=5s",
                "--warmup=1s",
                "--warmup-max=1s",
                "--repeat=1",
                "--connections=" + CONNECTIONS,
                "--no-pipelining",
                "--shared-machine",
                "--quiet",
                "--output=" + out);
        assertThat(ended.exitCode()).as("%s", ended).isIn(0, 3);
        return Objects.requireNonNull(MailReport.read(out.resolve("results.json"))
                .scenarios()
                .getFirst()
                .get(Figure.THROUGHPUT_MSGS_PER_S));
    }

    private double smtpSource(String target, int messages) throws Exception {
        long begun = System.nanoTime();
        Process source = new ProcessBuilder(
                        "smtp-source",
                        "-d",
                        "-s",
                        Integer.toString(CONNECTIONS),
                        "-l",
                        "57000",
                        "-m",
                        Integer.toString(messages),
                        "-f",
                        "a@load.hubmark.example",
                        "-t",
                        "b@load.hubmark.example",
                        target)
                .inheritIO()
                .start();
        assertThat(source.waitFor()).isZero();
        return messages * 1e9 / (System.nanoTime() - begun);
    }

    private List<String> good(String... arguments) throws Exception {
        Ended ended = CommandProcess.run(folder, arguments);
        assertThat(ended.exitCode()).as("%s", ended).isZero();
        return ended.out();
    }

    /** A program whose words go to a file, until it is closed. */
    private record Tool(Process process) implements AutoCloseable {
        static Tool start(Path output, List<String> command) throws IOException {
            return new Tool(new ProcessBuilder(command)
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
