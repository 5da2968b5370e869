package org.hubmark.bench.mail.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.hubmark.bench.hub.Program;
import org.hubmark.bench.kit.compare.Pair;
import org.hubmark.bench.kit.compare.Rule;
import org.hubmark.bench.kit.document.Clock;
import org.hubmark.bench.kit.document.Context;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.kit.document.Progress;
import org.hubmark.bench.kit.document.StudyRun;
import org.hubmark.bench.load.Arrivals;
import org.hubmark.bench.load.LoadPlan;
import org.hubmark.bench.load.MessageGenerator;
import org.hubmark.bench.load.MessageSet;
import org.hubmark.bench.load.Pace;
import org.hubmark.bench.load.SinkServer;
import org.hubmark.bench.load.Transfer;
import org.hubmark.bench.load.Workload;
import org.hubmark.bench.machine.Machine;
import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.hubmark.bench.machine.watch.TargetFacts;
import org.hubmark.bench.mail.compare.MailComparison;
import org.hubmark.bench.mail.document.Conditions;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.Results;
import org.hubmark.bench.mail.document.Scenario;
import org.hubmark.bench.mail.document.SustainedRate;
import org.hubmark.bench.mail.meter.Flow;
import org.hubmark.bench.mail.meter.Measurement;
import org.hubmark.bench.mail.meter.RateSearch;
import org.hubmark.bench.mail.meter.SimulatedTime;
import org.hubmark.bench.mail.report.MailReport;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * Proves how a run goes through its scenarios and repeats, by work in simulated time and by mail to a
 * sink.
 */
@Timeout(60)
class RunSessionTest {
    private static final long SEED = 5;

    @TempDir
    Path folder;

    private final SimulatedTime time = new SimulatedTime(SEED);

    /**
     * What a server takes: 1,000 a second for some seconds, and so many for longer. What is beyond that is left over, in
     * a trial and in the measured time. Before each start something may happen; as of mail, the size is known by then.
     */
    private static final class Flows implements WorkloadSource {
        private static final double FOR_SOME_SECONDS = 1_000;

        private final SimulatedTime time;
        private final Pace pace;
        private final double forLonger;
        private final Runnable begun;
        private boolean isStarted;
        private int searches;

        Flows(SimulatedTime time, Pace pace, double forLonger, Runnable begun) {
            this.time = time;
            this.pace = pace;
            this.forLonger = forLonger;
            this.begun = begun;
        }

        @Override
        public Pace pace() {
            return pace;
        }

        @Override
        public Workload start(@Nullable InetSocketAddress hub, Pace at) {
            begun.run();
            isStarted = true;
            return flow(at, forLonger);
        }

        @Override
        public Workload trial(@Nullable InetSocketAddress hub, Pace at) {
            searches += at instanceof Pace.ClosedLoop ? 1 : 0;
            return flow(at, FOR_SOME_SECONDS);
        }

        private Workload flow(Pace at, double capacity) {
            return new Flow(time, at, 1, Duration.ofNanos(Math.round(1e9 / capacity)));
        }

        @Override
        public double operationKb() {
            assertThat(isStarted).isTrue();
            return 1;
        }
    }

    /** A session that goes on from the third repeat measures it in the order that it would have had. */
    @Test
    void eachRepeatIsARandomBlockThatTheSeedRepeats() throws Exception {
        List<String> ids = List.of("a", "b", "c", "d");
        List<String> measured = new ArrayList<>();
        List<ScenarioRequest> scenarios =
                ids.stream().map(id -> scenario(id, () -> measured.add(id))).toList();
        assertThat(matrix(scenarios, 2).scenarios()).hasSize(4);
        assertThat(matrix(scenarios, 3).scenarios()).hasSize(4);
        for (int repeat = 1; repeat <= 3; repeat++) {
            assertThat(measured.subList(4 * repeat - 4, 4 * repeat))
                    .hasSameElementsAs(ids)
                    .isEqualTo(new RunRequest.Repeats(1, SEED).order(ids, repeat));
        }
    }

    @Test
    void theDriverIsWarmBeforeTheTargetIsAsked() throws Exception {
        List<InetSocketAddress> asked = new ArrayList<>();
        try (SinkServer sink = SinkServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                SinkServer.Behaviour.willing())) {
            LoadPlan plan = LoadPlan.of(
                    sink.address(), 2, new Pace.ClosedLoop(), Transfer.DATA, "a@x", "b@x");
            MailSource mail = new MailSource(plan, Duration.ofMillis(600), (to, server, at) -> {
                asked.add(to.target());
                return MessageSet.generate(
                        1_000, new MessageGenerator(1, Instant.EPOCH, "a@x", "b@x"), to, server);
            });
            var unused = run(
                    List.of(scenario("warm-first", mail)), 2, Duration.ofMillis(200), Clock.SYSTEM);
            assertThat(asked).hasSize(2).doesNotHaveDuplicates();
            assertThat(asked.getLast()).isEqualTo(sink.address());
        }
    }

    @Test
    void aSearchedRateGoesDownUntilTheMeasuredTimeConfirmsIt() throws Exception {
        Pace searched = new Pace.MaxSustained(Duration.ofMillis(250), Arrivals.FIXED, 1);
        Flows tiring = new Flows(time, searched, 900, () -> {});
        Scenario scenario = run(List.of(scenario("tiring", tiring)), 2, Duration.ofSeconds(5), time)
                .scenarios()
                .getFirst();
        SustainedRate found = Objects.requireNonNull(scenario.sustainedRate());
        assertThat(found.msgsPerS()).isBetween(900 / RateSearch.STEP, 900.0);
        assertThat(found.reason()).contains("over the measured time: mail that waits");
        assertThat(scenario.validity().reasons()).isEmpty();
        assertThat(scenario.get(Figure.THROUGHPUT_MSGS_PER_S))
                .isCloseTo(found.msgsPerS(), withinPercentage(2));
        // Each search begins with two closed loops, and each repeat with a search.
        assertThat(tiring.searches).isEqualTo(2 * 2);
    }

    /** What a run is told to end in is measured again; the rest is kept, with its samples and times. */
    @Test
    void goesOnWhereItWasInterrupted() throws Exception {
        AtomicInteger left = new AtomicInteger(2);
        Results begun = run(
                List.of(scenario("a"), scenario("b", () -> {
                    if (left.decrementAndGet() == 0) {
                        Thread.currentThread().interrupt();
                    }
                })),
                3,
                Duration.ofMillis(100),
                time);
        assertThat(begun.scenarios().stream()
                        .mapToInt(one -> one.repeats().size())
                        .sum())
                .isBetween(2, 4);
        String before = Files.readString(folder.resolve("series.csv"));
        Results whole = run(List.of(scenario("a"), scenario("b")), 3, Duration.ofMillis(100), time);
        assertThat(whole.provenance().startedAt()).isEqualTo(begun.provenance().startedAt());
        assertThat(whole.scenarios()).extracting(Scenario::id).containsExactly("a", "b");
        assertThat(whole.scenarios()).allSatisfy(scenario -> {
            assertThat(scenario.repeats())
                    .extracting(Scenario.Repeat::repeat)
                    .containsExactly(1, 2, 3);
            assertThat(scenario.validity().reasons()).isEmpty();
            assertThat(scenario.get(Figure.ACCEPT_P99)).isNotNull();
            assertThat(scenario.spread().throughputCi95MsgsPerS()).isNotNull();
        });
        assertThat(firstRepeat(whole)).isEqualTo(firstRepeat(begun));
        assertThat(Files.readString(folder.resolve("series.csv")))
                .startsWith(before.lines().limit(2).collect(Collectors.joining("\n")));
        assertThat(Files.readString(folder.resolve("report.md")))
                .contains("repeats of 2 sittings", "Throughput");
        assertThat(check().isClean()).isTrue();
        assertThat(check().figures()).isGreaterThan(100);
        // What measures and compares knows work, and not mail.
        assertThat(MailComparison.of(whole, whole, Rule.USUAL, null).pairs())
                .filteredOn(pair -> pair.weight() == Pair.Weight.DECIDES)
                .hasSize(2);
    }

    private static JsonNode firstRepeat(Results results) throws IOException {
        return new ObjectMapper()
                .readTree(DocumentFile.json(results.document()))
                .at("/scenarios/0/repeats/0");
    }

    private DocumentFile.Check check() throws IOException {
        return DocumentFile.check(folder, DocumentFile.read(folder, MailReport.KIND));
    }

    /** No hub is asked for them again where all repeats are kept. */
    @Test
    void theVolumesOfAnEarlierSittingAreKept() throws Exception {
        List<ScenarioRequest> scenarios = List.of(scenario("a"));
        var unused = run(scenarios, 2, Duration.ofMillis(100), time);
        Path file = folder.resolve("results.json");
        ObjectNode tree = (ObjectNode) new ObjectMapper().readTree(file.toFile());
        tree.put("complete", false);
        ((ObjectNode) tree.path("environment"))
                .putArray("volumes")
                .addObject()
                .put("role", "log")
                .put("device", "/dev/sdx");
        Files.writeString(file, tree.toString());
        Results again = run(scenarios, 2, Duration.ofMillis(100), time);
        assertThat(again.provenance().environment().volumes())
                .extracting(VolumeDisclosure::device)
                .containsExactly("/dev/sdx");
    }

    /** The median is of the whole repeats, and report and comparison, which read the file, say so too. */
    @Test
    void aRepeatThatWasInterruptedDoesNotCountBesideWholeOnes() throws Exception {
        // In the third second of the second repeat.
        time.interruptAfter(5 + 3);
        Results begun = run(List.of(scenario("a")), 3, Duration.ofSeconds(5), time);
        Results read = MailReport.read(folder.resolve("results.json"));
        assertThat(DocumentFile.json(read.document()))
                .isEqualTo(DocumentFile.json(begun.document()));
        assertThat(read.scenarios().getFirst().row().repeats()).hasSize(2);
        assertThat(read.scenarios().getFirst().repeats()).hasSize(1);
        assertThat(check().mismatches()).isEmpty();
    }

    private ScenarioRequest scenario(String id) {
        return scenario(id, () -> {});
    }

    private ScenarioRequest scenario(String id, Runnable begun) {
        return scenario(id, new Flows(time, new Pace.ClosedLoop(), 1_000, begun));
    }

    private static ScenarioRequest scenario(String id, WorkloadSource source) {
        return new ScenarioRequest(id, id, source, null, Conditions.UNKNOWN, null);
    }

    @Test
    void repeatsThatAreKeptTakeNoTime() throws Exception {
        List<ScenarioRequest> scenarios = List.of(scenario("a"));
        Results kept = run(scenarios, 2, Duration.ofMillis(100), time);
        RunRequest request = request(scenarios, 3, Duration.ofMinutes(1), null);
        Duration whole = RunEstimate.of(request, null).left();
        assertThat(whole).isGreaterThan(Duration.ofMinutes(3));
        assertThat(RunEstimate.of(request, kept).left().multipliedBy(3)).isEqualTo(whole);
        request = request(scenarios, 2, Duration.ofMinutes(1), null);
        assertThat(RunEstimate.of(request, kept).left()).isEqualTo(Duration.ZERO);
    }

    /** Its row says why, and stays until the same command has measured it. */
    @Test
    void aCellThatFailsDoesNotEndTheOthers() throws Exception {
        AtomicInteger room = new AtomicInteger();
        List<ScenarioRequest> cells = List.of(
                scenario("fails", () -> {
                    if (room.getAndDecrement() <= 0) {
                        throw UserError.failed("the volume is full");
                    }
                }),
                scenario("a"));
        Results found = matrix(cells, 3);
        assertThat(found.scenarios()).extracting(Scenario::id).containsExactly("fails", "a");
        Scenario failed = found.scenarios().getFirst();
        assertThat(failed.validity().reasons()).containsExactly("repeat 1: the volume is full");
        assertThat(failed.get(Figure.THROUGHPUT_MSGS_PER_S)).isNull();
        assertThat(failed.repeats()).isEmpty();
        assertThat(found.scenarios().getLast().repeats()).hasSize(3);
        assertThat(found.document().exitCode()).isEqualTo(3);
        room.set(2);
        assertThat(matrix(cells, 3).scenarios().getFirst().validity().reasons())
                .containsExactly("repeat 3: the volume is full");
        // What failed is a repeat more than is asked for now.
        for (int repeats = 2; repeats <= 3; repeats++) {
            Scenario measured = matrix(cells, repeats).scenarios().getFirst();
            assertThat(measured.repeats()).hasSize(repeats);
            assertThat(measured.validity().valid()).isTrue();
            room.set(1);
        }
    }

    private Results run(List<ScenarioRequest> scenarios, int repeats, Duration duration, Clock by)
            throws Exception {
        return run(request(scenarios, repeats, duration, null), by);
    }

    /** {@return what is found of cells that stand for themselves} */
    private Results matrix(List<ScenarioRequest> cells, int repeats) throws Exception {
        return run(request(cells, repeats, Duration.ofMillis(100), Set.of("repeat")), time);
    }

    private Results run(RunRequest request, Clock by) throws Exception {
        MailStudy study = new MailStudy(request, () -> {});
        Document found = StudyRun.of(
                study,
                new Context.Request(
                        folder,
                        request.program().tool(),
                        "",
                        Map.of(),
                        Machine.inspect(List.of()),
                        by,
                        Progress.SILENT,
                        List::of));
        assertThat(study.failure()).isNull();
        return new Results(found);
    }

    private static RunRequest request(
            List<ScenarioRequest> scenarios,
            int repeats,
            Duration duration,
            @Nullable Set<String> extent) {
        return new RunRequest(
                new Program("test", RunSessionTest.class),
                scenarios,
                new RunRequest.Repeats(repeats, SEED),
                new Measurement.LoadTimes(Duration.ZERO, Duration.ZERO, duration),
                TargetFacts.UNKNOWN,
                true,
                RunRequest.Extras.NONE,
                extent);
    }
}
