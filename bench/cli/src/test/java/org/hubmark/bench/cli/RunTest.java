package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;

import org.hubmark.bench.cli.CommandProcess.Ended;
import org.hubmark.bench.hub.Program;
import org.hubmark.bench.load.Audit;
import org.hubmark.bench.load.SinkServer;
import org.hubmark.bench.machine.MeasuringRun;
import org.hubmark.bench.machine.folders.Folders;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.Results;
import org.hubmark.bench.mail.document.Scenario;
import org.hubmark.bench.mail.report.MailReport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Proves that the results of a run account for every message, tell what makes them not valid and are
 * compared for scripts: by hubs in this JVM and servers that are none of ours.
 */
@Timeout(180)
class RunTest {
    @TempDir(factory = MemoryFolder.class)
    Path folder;

    private static final String SET = "--set=smtp.connections-max=9";

    private final HubsInJvm hubs = new HubsInJvm();

    /** One hub in a process of its own; what else is to be said of one is in the system tests. */
    @Test
    void measuresAHubInAProcessOfItsOwn() throws IOException {
        int code = run(Main.PROGRAM, "--sizes=4KB", "--latency-at=off", "--duration=2s");
        Scenario scenario = results().scenarios().getFirst();
        assertThat(code).isEqualTo(scenario.validity().valid() ? 0 : 3);
        assertThat(scenario.get(Figure.ACCEPTED)).isPositive().isEqualTo(scenario.get(Figure.SENT));
        assertThat(scenario.get(Figure.DELIVERED)).isEqualTo(scenario.get(Figure.ACCEPTED));
        assertThat(scenario.get(Figure.SERVER_CPU_US_PER_MSG)).isPositive();
        assertThat(folder.resolve("out/report.html")).isNotEmptyFile();
        assertThat(ProcessHandle.current().children().filter(RunTest::isHub)).isEmpty();
        SchemaCheck.results(folder.resolve("out"), "run", Set.of());
    }

    @Test
    void accountsForEachMessageOfAllSizesAndRepeats() throws IOException {
        int code = run("--sizes=4KB,57KB", "--repeat=2", "--transfer=bdat", "--latency-at=off");
        Results results = results();
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
            assertThat(audit.checkedMsgs()).isLessThan(accepted(scenario) / 16);
            assertThat(scenario.repeats()).hasSize(2);
            assertThat(scenario.get(Figure.THROUGHPUT_MSGS_PER_S)).isPositive();
            assertThat(scenario.get(Figure.SYNCS_PER_MSG)).isPositive();
            assertThat(scenario.get(Figure.ACCEPT_LATENCY.getFirst())).isNotNull();
            assertThat(scenario.get(Figure.RESIDENCE.getFirst())).isNotNull();
            valid &= scenario.validity().valid();
        }
        assertThat(code).isEqualTo(valid ? 0 : 3);
        assertThat(folder.resolve("out/report.html")).isNotEmptyFile();
        assertThat(folder.resolve("out/report.md")).isNotEmptyFile();
        assertThat(folder.resolve("out/times.hlog")).isNotEmptyFile();
        assertThat(Files.readAllLines(folder.resolve("out/series.csv"))).hasSizeGreaterThan(4);
        // Each repeat has a hub of its own, for all sizes.
        assertThat(hubs.started()).isEqualTo(2);
        assertThat(hubs.running()).isZero();
        SchemaCheck.results(folder.resolve("out"), "run", HubsInJvm.UNKNOWN);
    }

    @Test
    void keepsWhatIsHeld() throws IOException {
        run("--sizes=4KB", "--deliver=hold", "--audit=all", "--rate=200", SET);
        Scenario scenario = results().scenarios().getFirst();
        assertThat(scenario.get(Figure.DELIVERED)).isZero();
        assertThat(scenario.audit()).isNull();
        assertThat(scenario.get(Figure.LEFT)).isPositive().isEqualTo((double) accepted(scenario));
        assertThat(scenario.get(Figure.LOST)).isZero();
        Results results = results();
        assertThat(results.provenance().settings())
                .containsEntry("deliver", "hold")
                .containsEntry("rate", 200)
                .containsEntry("smtp.connections-max", 9)
                .containsEntry("smtp.message-size-max", "150MB")
                .containsKeys("delivery.active-max", "store.log.direct");
        assertThat(results.provenance().command()).startsWith("./hubmark run --quiet ");
        assertThat(scenario.get(Figure.QUEUE_LENGTH_MAX)).isPositive();
    }

    @Test
    void saysThatAnUnwillingTargetMakesAResultInvalid() throws IOException {
        try (SinkServer sink = sink(new SinkServer.Behaviour(Duration.ofMillis(1), 10, 0, false))) {
            assertThat(run("--sizes=4KB", "--driver-warmup=600ms", target(sink)))
                    .isEqualTo(3);
        }
        Results results = results();
        Scenario scenario = results.scenarios().getFirst();
        assertThat(scenario.validity().valid()).isFalse();
        assertThat(scenario.validity().reasons().getFirst())
                .matches(
                        "repeat 1: \\d+ messages were refused with 4xx or 5xx, first with: 451 .+");
        assertThat(scenario.get(Figure.CPU_PERCENT)).isNull();
        assertThat(scenario.conditions().safety().unsafe()).isNull();
        assertThat(scenario.get(Figure.DELIVERED)).isNull();
        assertThat(results.provenance().environment().volumes()).isEmpty();
        assertThat(results.provenance().settings())
                .containsEntry("connections", 8)
                .containsEntry("durability", null)
                .doesNotContainKey("smtp.connections-max");
        assertThat(scenario.get(Figure.DRIVER_CPU_PERCENT)).isPositive();
        SchemaCheck.results(folder.resolve("out"), "target", Set.of());
    }

    @Test
    void saysThatAnotherRunMeasuredAtTheSameTime() throws IOException {
        try (SinkServer sink = sink(SinkServer.Behaviour.willing());
                MeasuringRun other = MeasuringRun.begin(MeasuringRun.FOLDER, "./hubmark other")) {
            String target = target(sink);
            String reason = "another run measured at the same time: process "
                    + ProcessHandle.current().pid() + ": ./hubmark other";
            assertThat(run("--sizes=1KB", target)).isEqualTo(3);
            assertThat(results().scenarios().getFirst().validity().reasons())
                    .contains("repeat 1: " + reason);
            // Where that is known to be so, it is said and nothing more.
            Folders.delete(folder.resolve("out"));
            run("--sizes=1KB", target, "--shared-machine");
            Scenario shared = results().scenarios().getFirst();
            assertThat(shared.validity().reasons()).noneMatch(words -> words.contains(reason));
            assertThat(shared.repeats().getFirst().disturbances()).contains(reason);
            assertThat(other.others()).noneMatch(words -> words.contains(target));
        }
    }

    /** What a build pipeline calls, once to have a baseline and then after each change. */
    @Test
    void comparesWithABaselineForScripts() throws Exception {
        Path junit = folder.resolve("verdicts.xml");
        String baseline = folder.resolve("baseline").toString();
        String now = folder.resolve("now").toString();
        String load = "load --sizes=4KB --count=200 --repeat=2 --connections=2 --driver-warmup=0s"
                + " --shared-machine";
        List<String> options;
        try (SinkServer sink = sink(SinkServer.Behaviour.willing())) {
            options = List.of(target(sink), "--junit=" + junit);
            Ended first = CommandInJvm.run(load, options, "--json", "--output=" + baseline);
            assertThat(new ObjectMapper()
                            .readTree(first.printed())
                            .at("/scenarios/0/id")
                            .asText())
                    .isEqualTo("4kb");
            assertThat(CommandInJvm.run(load, options, "--output=" + now).exitCode())
                    .isZero();
            assertThat(junit).content().contains("tests=\"1\"");
        }
        Ended compared = CommandInJvm.run(
                "compare", baseline, now, "--fail-if-slower=99%", "--junit=" + junit);
        assertThat(compared.printed()).contains("B: " + now);
        assertThat(junit).content().contains("4kb, Throughput (msg/s)").doesNotContain("<failure");
        // Nothing is slower by 100 %; whether the repeats can tell is up to the machine.
        assertThat(compared.exitCode())
                .isEqualTo(Files.readString(junit).matches("(?s).*<(skipped|error).*") ? 3 : 0);
        // A build server would take the verdicts of an earlier run for those of this one.
        Ended gone = CommandInJvm.run(load, options, "--output=" + folder.resolve("then"));
        assertThat(gone.exitCode()).isEqualTo(1);
        assertThat(junit).content().contains("tests=\"0\"");
    }

    /**
     * After 100 messages, half a second, the server stands still until long after the measured time of 2 s is
     * over: three of four messages were not answered then, and the percentiles have to say so.
     */
    @Test
    void seesAStallThatLastsToTheEnd() throws Exception {
        AtomicInteger ended = new AtomicInteger();
        AtomicLong until = new AtomicLong();
        LongSupplier stall = () -> {
            long now = System.nanoTime();
            int before = ended.getAndIncrement();
            until.compareAndSet(0, before == 100 ? now + Duration.ofSeconds(4).toNanos() : 0);
            return before < 100 ? 0 : Math.max(0, until.get() - now);
        };
        Ended stalled;
        try (SinkServer sink = sink(new SinkServer.Behaviour(stall, 0, 0, false))) {
            stalled = CommandInJvm.run(
                    "load --sizes=4KB --rate=200 --duration=2s --driver-warmup=0s --warmup=0s"
                            + " --repeat=1 --connections=4",
                    List.of(target(sink)),
                    "--output=" + folder.resolve("out"));
        }
        Scenario scenario = results().scenarios().getFirst();
        assertThat(stalled.exitCode()).isEqualTo(scenario.validity().valid() ? 0 : 3);
        assertThat(scenario.get(Figure.ACCEPT_LATENCY.getLast())).isGreaterThan(1_200);
        assertThat(scenario.get(Figure.ACCEPT_LATENCY.get(1))).isGreaterThan(200);
        assertThat(scenario.get(Figure.ACCEPT_P95)).isGreaterThan(1_000);
        assertThat(scenario.get(Figure.LATENESS.getLast())).isNotNull();
        assertThat(Files.readString(folder.resolve("out/report.md")))
                .contains(" 0 differ")
                .doesNotContain("Self-check failed");
    }

    private static SinkServer sink(SinkServer.Behaviour behaviour) throws IOException {
        return SinkServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), behaviour);
    }

    private static String target(SinkServer sink) {
        return "--target=127.0.0.1:" + sink.address().getPort();
    }

    private Results results() throws IOException {
        return MailReport.read(folder.resolve("out/results.json"));
    }

    private int run(String... more) {
        return run(hubs.program(), more);
    }

    /** In tenths of a second, which say nothing of a rate; a later option wins. */
    private int run(Program program, String... more) {
        List<String> arguments = new ArrayList<>(
                List.of(("run --quiet --duration=400ms --warmup=200ms --warmup-max=200ms"
                                + " --driver-warmup=0s --repeat=1 --no-ceilings --connections=8")
                        .split(" ", -1)));
        arguments.add("--output=" + folder.resolve("out"));
        if (List.of(more).stream().noneMatch(option -> option.startsWith("--target"))) {
            for (String role : List.of("log", "queue", "tracking")) {
                arguments.add("--" + role + "-volume=" + folder.resolve(role));
            }
        }
        for (String option : more) {
            String name = option.replaceFirst("=.*", "");
            arguments.removeIf(other -> other.startsWith(name + "="));
            arguments.add(option);
        }
        return Main.execute(program, arguments.toArray(String[]::new));
    }

    /** By its program: the JDK does not tell a command line as long as one with our class path. */
    private static boolean isHub(ProcessHandle process) {
        return process.info().command().orElse("").endsWith("/java");
    }

    private static long accepted(Scenario scenario) {
        return Math.round(Objects.requireNonNull(scenario.get(Figure.ACCEPTED)));
    }
}
