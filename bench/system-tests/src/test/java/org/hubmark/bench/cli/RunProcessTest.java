package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.hubmark.bench.hub.LogGroups;
import org.hubmark.bench.load.Audit;
import org.hubmark.bench.load.SinkServer;
import org.hubmark.bench.machine.Disclosure;
import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.machine.ResourceLimits;
import org.hubmark.bench.machine.volumes.SystemTool;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.MailDocument;
import org.hubmark.bench.mail.document.Results;
import org.hubmark.bench.mail.document.Scenario;
import org.hubmark.bench.mail.report.MailReport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Proves the whole way with a hub in a process of its own, which is started, loaded, measured, killed and
 * ended: what only a process has is counted, and none is left.
 */
@Timeout(180)
class RunProcessTest {
    /** Stands for the lack of --no-ceilings. */
    private static final String CEILINGS = "ceilings";

    @TempDir
    Path folder;

    @Test
    void measuresAHubOfItsOwn() throws IOException {
        int code = run("--sizes=4KB,57KB", "--repeat=2", "--transfer=bdat");
        Results results = MailReport.read(folder.resolve("out/results.json"));
        assertThat(results.scenarios()).hasSize(2);
        boolean valid = true;
        for (Scenario scenario : results.scenarios()) {
            assertThat(scenario.get(Figure.ACCEPTED))
                    .isPositive()
                    .isEqualTo(scenario.get(Figure.SENT));
            assertThat(scenario.get(Figure.DELIVERED)).isEqualTo(scenario.get(Figure.ACCEPTED));
            assertThat(scenario.get(Figure.LEFT)).isZero();
            assertThat(scenario.get(Figure.LOST)).isZero();
            Audit audit = Objects.requireNonNull(scenario.audit());
            assertThat(audit).isEqualTo(new Audit("sampled", audit.checkedMsgs(), 0, 0L, 0, 0, 0L));
            assertThat(audit.checkedMsgs())
                    .isLessThan(
                            Math.round(Objects.requireNonNull(scenario.get(Figure.ACCEPTED))) / 16);
            assertThat(scenario.repeats()).hasSize(2);
            assertThat(scenario.get(Figure.THROUGHPUT_MSGS_PER_S)).isPositive();
            assertThat(scenario.get(Figure.SERVER_CPU_US_PER_MSG)).isPositive();
            assertThat(scenario.get(Figure.LOG_WRITES_PER_MSG)).isPositive();
            assertThat(scenario.get(Figure.ACCEPT_LATENCY.getFirst())).isNotNull();
            assertThat(scenario.get(Figure.RESIDENCE.getFirst())).isNotNull();
            valid &= scenario.validity().valid();
        }
        assertThat(code).isEqualTo(valid ? 0 : 3);
        assertThat(folder.resolve("out/report.html")).isNotEmptyFile();
        assertThat(folder.resolve("out/report.md")).isNotEmptyFile();
        assertThat(folder.resolve("out/times.hlog")).isNotEmptyFile();
        assertThat(Files.readAllLines(folder.resolve("out/series.csv"))).hasSizeGreaterThan(4);
        assertThat(ProcessHandle.current().children().filter(RunProcessTest::isHub))
                .isEmpty();
        SchemaCheck.results(folder.resolve("out"), "run", Set.of());
    }

    @Test
    void measuresWhatTheLogDeviceHoldsByItself() throws IOException {
        run(CEILINGS, "--sizes=4KB");
        Scenario scenario =
                MailReport.read(folder.resolve("out/results.json")).scenarios().getFirst();
        double log = scenario.row().number(MailDocument.LOG_DEVICE);
        assertThat(log).isPositive();
        List<LogGroups> groups = Objects.requireNonNull(scenario.groups());
        assertThat(groups.stream().mapToLong(LogGroups::syncs).sum()).isPositive();
        double rate = Objects.requireNonNull(scenario.get(Figure.THROUGHPUT_MSGS_PER_S));
        assertThat(scenario.logDevicePercent()).isEqualTo(100 * rate / log, within(1e-6));
        // With everything that the writer and the hub left there.
        assertThat(folder.resolve("log")).doesNotExist();
    }

    @Test
    void optionsForTheJvmReachTheHub() throws Exception {
        CommandProcess command = CommandProcess.startUnder(
                List.of("env", "HUBMARK_JAVA_OPTS=-Xmx300m -Dhubmark.mark=yes"),
                folder,
                "run",
                "--sizes=1KB",
                "--repeat=1",
                "--duration=1s",
                "--warmup=0s",
                "--driver-warmup=0s",
                "--no-ceilings",
                "--latency-at=off",
                "--output=out");
        try (command) {
            assertThat(command.end().exitCode()).isIn(0, 3);
        }
        Disclosure told = Objects.requireNonNull(MailReport.read(folder.resolve("out/results.json"))
                .provenance()
                .environment()
                .disclosure());
        // Behind the heap that a hub has else, so that it is in force.
        assertThat(told.serverJvmOptions())
                .containsSubsequence("-Xmx256m", "-Xmx300m", "-Dhubmark.mark=yes");
        assertThat(told.serverOnThisMachine()).isTrue();
        assertThat(folder.resolve("out/machine.txt")).content().contains("==> /proc/cpuinfo <==");
    }

    /** The self-check makes the shares anew, by the cores that the environment has. */
    @Test
    void aDriverThatIsHeldToOneCoreTellsSharesOfTheWholeMachine() throws Exception {
        int cores = Runtime.getRuntime().availableProcessors();
        assumeTrue(cores > 1 && SystemTool.exists("taskset"), "one core, or no taskset");
        Set<Integer> allowed = ResourceLimits.of(ProcessHandle.current().pid()).cores();
        try (SinkServer sink = SinkServer.start(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        SinkServer.Behaviour.willing());
                CommandProcess command = CommandProcess.startUnder(
                        List.of(
                                "taskset",
                                "--cpu-list",
                                allowed.iterator().next().toString()),
                        folder,
                        "load",
                        "--target=127.0.0.1:" + sink.address().getPort(),
                        "--sizes=1KB",
                        "--duration=1s",
                        "--warmup=0s",
                        "--repeat=1",
                        "--driver-warmup=0s",
                        "--output=out")) {
            assertThat(command.end().exitCode()).isIn(0, 3);
        }
        Environment machine =
                MailReport.read(folder.resolve("out/results.json")).provenance().environment();
        assertThat(machine.processor().usableCores()).isEqualTo(1);
        assertThat(machine.processor().logicalCores()).isGreaterThanOrEqualTo(cores);
        assertThat(Files.readString(folder.resolve("out/report.md"))).contains(" 0 differ");
    }

    @Test
    void saysThatTheHubWasKilled() throws Exception {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        PrintStream err = System.err;
        System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
        try {
            CompletableFuture<Integer> code = CompletableFuture.supplyAsync(
                    () -> run("--sizes=4KB", "--duration=60s", "--rate=200"));
            Path samples = folder.resolve("out/series.csv");
            await().atMost(Duration.ofSeconds(90))
                    .until(() ->
                            Files.exists(samples) && Files.readAllLines(samples).size() > 1);
            List<ProcessHandle> hubs = ProcessHandle.current()
                    .children()
                    .filter(RunProcessTest::isHub)
                    .toList();
            assertThat(hubs).hasSize(1);
            hubs.getFirst().destroyForcibly();
            assertThat(code.get(30, TimeUnit.SECONDS)).isEqualTo(1);
        } finally {
            System.setErr(err);
        }
        assertThat(said.toString(StandardCharsets.UTF_8))
                .isEqualTo("hubmark: the hub was ended by signal 9: it printed nothing\n");
        Scenario scenario =
                MailReport.read(folder.resolve("out/results.json")).scenarios().getFirst();
        assertThat(scenario.get(Figure.ACCEPTED)).isPositive();
        assertThat(scenario.validity().reasons())
                .contains("repeat 1: the hub was ended by signal 9: it printed nothing");
        assertThat(folder.resolve("out/report.html")).isNotEmptyFile();
        assertThat(ProcessHandle.current().children().filter(RunProcessTest::isHub))
                .isEmpty();
    }

    private int run(String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "run",
                "--quiet",
                "--duration=1s",
                "--warmup=200ms",
                "--warmup-max=200ms",
                "--repeat=1",
                "--driver-warmup=0s",
                "--no-ceilings",
                "--connections=8",
                "--output=" + folder.resolve("out")));
        if (List.of(more).contains(CEILINGS)) {
            arguments.remove("--no-ceilings");
        }
        if (List.of(more).stream().noneMatch(option -> option.startsWith("--target"))) {
            for (String role : List.of("log", "queue", "tracking")) {
                arguments.add("--" + role + "-volume=" + folder.resolve(role));
            }
        }
        for (String option : more) {
            if (option.equals(CEILINGS)) {
                continue;
            }
            String name = option.replaceFirst("=.*", "");
            arguments.removeIf(other -> other.startsWith(name + "="));
            arguments.add(option);
        }
        return Main.execute(arguments.toArray(String[]::new));
    }

    /** By its program: the JDK does not tell a command line as long as one with our class path. */
    private static boolean isHub(ProcessHandle process) {
        return process.info().command().orElse("").endsWith("/java");
    }
}
