package org.hubmark.bench.mail.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.hubmark.bench.hub.Program;
import org.hubmark.bench.kit.document.Clock;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.kit.document.Provenance;
import org.hubmark.bench.load.Arrivals;
import org.hubmark.bench.load.LoadPlan;
import org.hubmark.bench.load.MessageGenerator;
import org.hubmark.bench.load.MessageSet;
import org.hubmark.bench.load.Pace;
import org.hubmark.bench.load.SinkServer;
import org.hubmark.bench.load.Transfer;
import org.hubmark.bench.load.Workload;
import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.hubmark.bench.machine.watch.TargetFacts;
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
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * Proves how a run goes through its scenarios and repeats, by work in simulated time and by mail to a
 * sink.
 */
class RunSessionTest {
    private static final long SEED = 5;

    @TempDir
    Path folder;

    private final SimulatedTime time = new SimulatedTime(SEED);

    /** What is done as fast as it goes. */
    private record Flows(SimulatedTime time) implements WorkloadSource {
        @Override
        public Pace pace() {
            return new Pace.ClosedLoop();
        }

        @Override
        public Workload start(@Nullable InetSocketAddress hub, Pace pace) {
            return new Flow(time, pace, 1, Duration.ofMillis(1));
        }

        @Override
        public double operationKb() {
            return 1;
        }
    }

    /** Knows what is done only when it was started, as mail does. */
    private static final class Unknown implements WorkloadSource {
        private final WorkloadSource work;
        private boolean isStarted;

        Unknown(WorkloadSource work) {
            this.work = work;
        }

        @Override
        public Pace pace() {
            return work.pace();
        }

        @Override
        public Workload start(@Nullable InetSocketAddress hub, Pace pace)
                throws IOException, InterruptedException {
            isStarted = true;
            return work.start(hub, pace);
        }

        @Override
        public double operationKb() {
            assertThat(isStarted).isTrue();
            return work.operationKb();
        }
    }

    @Test
    @Timeout(120)
    void eachRepeatIsARandomBlock() throws Exception {
        List<String> ids = List.of("a", "b", "c", "d");
        List<String> measured = new ArrayList<>();
        List<ScenarioRequest> scenarios = ids.stream()
                .map(id -> scenario(id, new Noted(new Flows(time), () -> measured.add(id))))
                .toList();
        assertThat(run(scenarios, 3, Duration.ofMillis(100), time).scenarios()).hasSize(4);
        List<String> expected = new ArrayList<>();
        for (int repeat = 1; repeat <= 3; repeat++) {
            for (String id : new RunRequest.Repeats(1, SEED).order(ids, repeat)) {
                expected.add(id);
            }
        }
        assertThat(measured).containsExactlyElementsOf(expected);
    }

    @Test
    @Timeout(120)
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

    /**
     * A server that takes 1,000 a second for some seconds, and 900 for longer: what is beyond that is
     * left over, in a trial and in the measured time.
     */
    private static final class Tiring implements WorkloadSource {
        private static final double FOR_SOME_SECONDS = 1_000;
        private static final double FOR_LONGER = 900;

        private final SimulatedTime time;
        private int searches;

        Tiring(SimulatedTime time) {
            this.time = time;
        }

        @Override
        public Pace pace() {
            return new Pace.MaxSustained(Duration.ofMillis(250), Arrivals.FIXED, 1);
        }

        @Override
        public Workload start(@Nullable InetSocketAddress hub, Pace pace) {
            return flow(pace, FOR_LONGER);
        }

        @Override
        public Workload trial(@Nullable InetSocketAddress hub, Pace pace) {
            searches += pace instanceof Pace.ClosedLoop ? 1 : 0;
            return flow(pace, FOR_SOME_SECONDS);
        }

        private Workload flow(Pace pace, double capacity) {
            return new Flow(time, pace, 1, Duration.ofNanos(Math.round(1e9 / capacity)));
        }

        @Override
        public double operationKb() {
            return 1;
        }
    }

    @Test
    @Timeout(120)
    void aSearchedRateGoesDownUntilTheMeasuredTimeConfirmsIt() throws Exception {
        Tiring tiring = new Tiring(time);
        Scenario scenario = run(List.of(scenario("tiring", tiring)), 2, Duration.ofSeconds(5), time)
                .scenarios()
                .getFirst();
        SustainedRate found = Objects.requireNonNull(scenario.sustainedRate());
        assertThat(found.msgsPerS())
                .isBetween(Tiring.FOR_LONGER / RateSearch.STEP, Tiring.FOR_LONGER);
        assertThat(found.reason()).contains("over the measured time: mail that waits");
        assertThat(scenario.validity().reasons()).isEmpty();
        assertThat(scenario.get(Figure.THROUGHPUT_MSGS_PER_S))
                .isCloseTo(found.msgsPerS(), withinPercentage(2));
        // Each search begins with two closed loops, and each repeat with a search.
        assertThat(tiring.searches).isEqualTo(2 * 2);
    }

    /** What a run is told to end in is measured again; the rest is kept, with its samples and times. */
    @Test
    @Timeout(120)
    void goesOnWhereItWasInterrupted() throws Exception {
        List<ScenarioRequest> first = List.of(
                scenario("a", new Flows(time)), scenario("b", new EndsIn(new Flows(time), 2)));
        Results begun = run(first, 3, Duration.ofMillis(100), time);
        int kept = begun.scenarios().stream()
                .mapToInt(scenario -> scenario.repeats().size())
                .sum();
        assertThat(kept).isBetween(2, 4);
        String before = Files.readString(folder.resolve("series.csv"));

        List<ScenarioRequest> again = List.of(
                scenario("a", new Unknown(new Flows(time))), scenario("b", new Flows(time)));
        Results whole = run(again, 3, Duration.ofMillis(100), time);
        assertThat(whole.provenance().startedAt()).isEqualTo(begun.provenance().startedAt());
        assertThat(whole.scenarios()).extracting(Scenario::id).containsExactly("a", "b");
        assertThat(whole.scenarios()).allSatisfy(scenario -> {
            assertThat(scenario.repeats())
                    .extracting(Scenario.Repeat::repeat)
                    .containsExactly(1, 2, 3);
            assertThat(scenario.validity().valid())
                    .as("%s", scenario.validity().reasons())
                    .isTrue();
            assertThat(scenario.get(Figure.ACCEPT_P99)).isNotNull();
        });
        assertThat(firstRepeat(whole)).isEqualTo(firstRepeat(begun));
        assertThat(Files.readString(folder.resolve("series.csv")))
                .startsWith(before.lines().limit(2).collect(Collectors.joining("\n")));
        assertThat(Files.readString(folder.resolve("report.md"))).contains("repeats of 2 sittings");
        DocumentFile.Check figures = check();
        assertThat(figures.isClean()).isTrue();
        assertThat(figures.figures()).isGreaterThan(100);
    }

    private static String firstRepeat(Results results) throws IOException {
        return new ObjectMapper()
                .readTree(DocumentFile.json(results.document()))
                .at("/scenarios/0/repeats/0")
                .toString();
    }

    private DocumentFile.Check check() throws IOException {
        return DocumentFile.check(folder, DocumentFile.read(folder, MailReport.KIND));
    }

    /** Whatever of it is changed by hand. */
    @Test
    @Timeout(120)
    void whatIsChangedInTheFileIsFound() throws Exception {
        var unused = run(List.of(scenario("a", new Flows(time))), 3, Duration.ofMillis(100), time);
        assertChangeIsFound("/scenarios/0/repeats/1/counters", "accepted_msgs");
        assertChangeIsFound("/scenarios/0/repeats/1", "throughput_msgs_per_s");
        assertChangeIsFound("/scenarios/0/repeats/1/accept_latency_ms", "max");
        assertChangeIsFound("/scenarios/0", "throughput_msgs_per_s");
        assertChangeIsFound("/scenarios/0", "throughput_msgs_per_s_min");
        assertChangeIsFound("/scenarios/0/throughput_ci95_msgs_per_s", "low");
        assertChangeIsFound("/scenarios/0/accept_latency_ms", "mean");
        assertThat(check().isClean()).isTrue();
        Files.writeString(folder.resolve("times.hlog"), "#\n", StandardOpenOption.APPEND);
        assertThat(check().changed()).containsExactly("times.hlog");
    }

    private void assertChangeIsFound(String object, String key) throws IOException {
        Path file = folder.resolve("results.json");
        String before = Files.readString(file);
        JsonNode tree = new ObjectMapper().readTree(before);
        ObjectNode changed = (ObjectNode) tree.at(object);
        assertThat(changed.path(key).isNumber()).as(key).isTrue();
        changed.put(key, changed.path(key).asDouble() + 1);
        Files.writeString(file, tree.toString());
        assertThat(check().mismatches()).as(key).isNotEmpty();
        Files.writeString(file, before);
    }

    /** No hub is asked for them again where all repeats are kept. */
    @Test
    @Timeout(120)
    void theVolumesOfAnEarlierSittingAreKept() throws Exception {
        List<ScenarioRequest> scenarios = List.of(scenario("a", new Flows(time)));
        var unused = run(scenarios, 2, Duration.ofMillis(100), time);
        Document whole = DocumentFile.read(folder, MailReport.KIND);
        Provenance from = whole.provenance();
        List<VolumeDisclosure> volumes = List.of(new VolumeDisclosure(
                "log",
                "/log",
                "/dev/sdx",
                "ext4",
                "rw",
                new VolumeDisclosure.Disk("write through", false, "none"),
                1_000_000L,
                null,
                new VolumeDisclosure.Sync(null, null),
                null));
        Document interrupted = new Document(
                whole.kind(),
                from.with(from.environment().withVolumes(volumes)),
                false,
                whole.facts(),
                whole.tables(),
                whole.rawFiles());
        var unused2 = DocumentFile.write(interrupted, folder);

        Results again = run(scenarios, 2, Duration.ofMillis(100), time);
        assertThat(again.provenance().environment().volumes()).isEqualTo(volumes);
    }

    /** The median is of the whole repeats, and report and comparison, which read the file, say so too. */
    @Test
    @Timeout(120)
    void aRepeatThatWasInterruptedDoesNotCountBesideWholeOnes() throws Exception {
        Results begun = run(
                List.of(scenario("a", new EndsWithin(new Flows(time)))),
                3,
                Duration.ofSeconds(5),
                time);
        Results read = MailReport.read(folder.resolve("results.json"));
        assertThat(DocumentFile.json(read.document()))
                .isEqualTo(DocumentFile.json(begun.document()));
        assertThat(read.scenarios().getFirst().repeats()).hasSize(1);
        assertThat(check().mismatches()).isEmpty();
    }

    /** Ends the run in the third second of the second repeat. */
    private static final class EndsWithin implements WorkloadSource {
        private static final int SECONDS = 5 + 3;

        private final WorkloadSource work;
        private int seconds;

        EndsWithin(WorkloadSource work) {
            this.work = work;
        }

        @Override
        public Pace pace() {
            return work.pace();
        }

        @Override
        public Workload start(@Nullable InetSocketAddress hub, Pace pace)
                throws IOException, InterruptedException {
            Workload started = work.start(hub, pace);
            return (Workload) Proxy.newProxyInstance(
                    Workload.class.getClassLoader(),
                    new Class<?>[] {Workload.class},
                    (proxy, method, arguments) -> {
                        if (method.getName().equals("awaitFinished")) {
                            seconds++;
                            if (seconds == SECONDS) {
                                throw new InterruptedException();
                            }
                        }
                        return method.invoke(started, arguments);
                    });
        }

        @Override
        public double operationKb() {
            return work.operationKb();
        }
    }

    /** Ends the run when it is started for that time. */
    private static final class EndsIn implements WorkloadSource {
        private final WorkloadSource work;
        private int left;

        EndsIn(WorkloadSource work, int starts) {
            this.work = work;
            this.left = starts;
        }

        @Override
        public Pace pace() {
            return work.pace();
        }

        @Override
        public Workload start(@Nullable InetSocketAddress hub, Pace pace)
                throws IOException, InterruptedException {
            left--;
            if (left == 0) {
                Thread.currentThread().interrupt();
            }
            return work.start(hub, pace);
        }

        @Override
        public double operationKb() {
            return work.operationKb();
        }
    }

    /** Tells that it begins. */
    private record Noted(WorkloadSource work, Runnable begun) implements WorkloadSource {
        @Override
        public Pace pace() {
            return work.pace();
        }

        @Override
        public Workload start(@Nullable InetSocketAddress hub, Pace pace)
                throws IOException, InterruptedException {
            begun.run();
            return work.start(hub, pace);
        }

        @Override
        public double operationKb() {
            return work.operationKb();
        }
    }

    private static ScenarioRequest scenario(String id, WorkloadSource source) {
        return new ScenarioRequest(id, id, source, null, Conditions.UNKNOWN, null);
    }

    @Test
    @Timeout(120)
    void repeatsThatAreKeptTakeNoTime() throws Exception {
        List<ScenarioRequest> scenarios = List.of(scenario("a", new Flows(time)));
        Results kept = run(scenarios, 2, Duration.ofMillis(100), time);
        RunRequest request = request(scenarios, 3, Duration.ofMinutes(1));
        Duration whole = RunEstimate.of(request, null).left();
        assertThat(whole).isGreaterThan(Duration.ofMinutes(3));
        assertThat(RunEstimate.of(request, kept).left().multipliedBy(3)).isEqualTo(whole);
        assertThat(RunEstimate.of(request(scenarios, 2, Duration.ofMinutes(1)), kept)
                        .left())
                .isEqualTo(Duration.ZERO);
    }

    /** Its row says why, and stays until the same command has measured it. */
    @Test
    @Timeout(120)
    void aCellThatFailsDoesNotEndTheOthers() throws Exception {
        AtomicBoolean isFull = new AtomicBoolean(true);
        List<ScenarioRequest> cells = List.of(
                scenario("fails", new Noted(new Flows(time), () -> {
                    if (isFull.get()) {
                        throw UserError.failed("the volume is full");
                    }
                })),
                scenario("a", new Flows(time)));
        RunRequest request = request(cells, 3, Duration.ofMillis(100), Set.of("repeat"));
        Results found = Studied.run(request, folder, time);
        assertThat(found.scenarios()).extracting(Scenario::id).containsExactly("fails", "a");
        Scenario failed = found.scenarios().getFirst();
        assertThat(failed.validity().reasons()).containsExactly("repeat 1: the volume is full");
        assertThat(failed.get(Figure.THROUGHPUT_MSGS_PER_S)).isNull();
        assertThat(failed.repeats()).isEmpty();
        assertThat(found.scenarios().getLast().repeats()).hasSize(3);
        assertThat(found.document().exitCode()).isEqualTo(3);
        // A cell more is measured; this one fails again.
        assertThat(Studied.run(request, folder, time)
                        .scenarios()
                        .getFirst()
                        .validity()
                        .reasons())
                .containsExactly("repeat 1: the volume is full");
        isFull.set(false);
        Scenario measured = Studied.run(request, folder, time).scenarios().getFirst();
        assertThat(measured.repeats()).hasSize(3);
        assertThat(measured.validity().valid()).isTrue();
    }

    /** What failed was a repeat more than the next command asks for. */
    @Test
    @Timeout(120)
    void aCellThatHasAllThatIsAskedForIsValid() throws Exception {
        AtomicInteger starts = new AtomicInteger();
        List<ScenarioRequest> cells = List.of(scenario("a", new Noted(new Flows(time), () -> {
            if (starts.incrementAndGet() > 2) {
                throw UserError.failed("the volume is full");
            }
        })));
        Scenario failed = Studied.run(
                        request(cells, 3, Duration.ofMillis(100), Set.of("repeat")), folder, time)
                .scenarios()
                .getFirst();
        assertThat(failed.validity().reasons()).containsExactly("repeat 3: the volume is full");
        Scenario whole = Studied.run(
                        request(cells, 2, Duration.ofMillis(100), Set.of("repeat")), folder, time)
                .scenarios()
                .getFirst();
        assertThat(whole.repeats()).hasSize(2);
        assertThat(whole.validity().valid()).isTrue();
    }

    private Results run(List<ScenarioRequest> scenarios, int repeats, Duration duration, Clock by)
            throws Exception {
        return Studied.run(request(scenarios, repeats, duration), folder, by);
    }

    private static RunRequest request(
            List<ScenarioRequest> scenarios, int repeats, Duration duration) {
        return request(scenarios, repeats, duration, null);
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
