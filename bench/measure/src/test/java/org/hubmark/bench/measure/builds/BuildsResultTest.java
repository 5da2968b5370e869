package org.hubmark.bench.measure.builds;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.kit.check.MachineMeter;
import org.hubmark.bench.kit.compare.DocumentComparison;
import org.hubmark.bench.kit.compare.Regression;
import org.hubmark.bench.kit.compare.Rule;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Form;
import org.hubmark.bench.kit.document.Provenance;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.document.Table;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** Proves on made-up rounds what is said of builds: who is slower, what is not valid, and by whom. */
class BuildsResultTest {
    private static final double[] STEADY = {100, 100, 100, 100, 100};
    private static final double[] TENTH_MORE = {110, 111, 109, 110, 110};
    private static final double[] TENTH_LESS = {90, 91, 89, 90, 90};

    private static Document loads(double[] rates, double[] cpu) {
        return MadeBuilds.document(
                BuildsResult.LOADS,
                MadeBuilds.row("A", rounds(STEADY, STEADY)),
                MadeBuilds.row("B", rounds(rates, cpu)));
    }

    private static List<Repeat> rounds(double[] rates, double[] cpu) {
        return IntStream.range(0, rates.length)
                .mapToObj(i -> MadeBuilds.round(i + 1, rates[i], cpu[i], 0.4))
                .toList();
    }

    private static List<String> worse(Document document, double limit) {
        return Regression.inPairs(document, limit).stream()
                .filter(found -> found.outcome() == Regression.Outcome.WORSE)
                .map(Regression::id)
                .toList();
    }

    @Test
    void moreCpuOrALowerRateIsSlower() {
        assertThat(worse(loads(STEADY, TENTH_MORE), 0.05))
                .containsExactly("load 57KB data, build B, CPU to the first");
        assertThat(worse(loads(STEADY, TENTH_MORE), 0.15)).isEmpty();
        assertThat(worse(loads(STEADY, TENTH_LESS), 0.05)).isEmpty();
        assertThat(worse(loads(TENTH_LESS, STEADY), 0.05))
                .containsExactly("load 57KB data, build B, Accepted to the first");
        assertThat(worse(loads(TENTH_MORE, STEADY), 0.05)).isEmpty();
    }

    /** What --set gave the hubs stands under the key of the setting. */
    @Test
    void otherSettingsOfTheHubsAreNotCompared() {
        Document plain = loads(STEADY, STEADY);
        Provenance from = plain.provenance();
        Map<String, @Nullable Object> settings = new TreeMap<>(from.settings());
        settings.put("smtp.loops", 2);
        Document set = new Document(
                plain.kind(),
                new Provenance(
                        from.tool(),
                        from.startedAt(),
                        from.finishedAt(),
                        from.command(),
                        settings,
                        from.environment()),
                true,
                plain.facts(),
                plain.tables(),
                List.of());
        assertThat(DocumentComparison.of(plain, set, Rule.USUAL).unmatched())
                .containsExactly("smtp.loops differs: null and 2");
        assertThat(DocumentComparison.of(plain, set, new Rule(Set.of("smtp.loops"), 0.02, 0.05))
                        .unmatched())
                .noneMatch(line -> line.contains("differs"));
    }

    @Test
    void ofAStartItsTimeAndItsCpuCount() {
        assertThat(worse(
                        MadeBuilds.document(
                                BuildsResult.STARTS,
                                MadeBuilds.row("A", starts(STEADY)),
                                MadeBuilds.row("B", starts(TENTH_MORE))),
                        0.05))
                .containsExactly(
                        "load 57KB data, build B, First 250 to the first",
                        "load 57KB data, build B, CPU from the start to the first");
    }

    private static List<Repeat> starts(double[] values) {
        return DoubleStream.of(values)
                .mapToObj(value -> Repeat.counted()
                        .name(BuildsResult.ROUND, 1)
                        .count(BuildsResult.FIRST_REPLY_NS, value * 1e6)
                        .count(BuildsResult.ANSWERED, 10)
                        .count(BuildsResult.SERVER_CPU_NS, value * 1e4)
                        .made())
                .toList();
    }

    @Test
    void ofRelayedMailTheDeliveriesCount() {
        Document document = MadeBuilds.document(
                BuildsResult.RELAYS,
                MadeBuilds.row("A", List.of(relayed(900), relayed(900), relayed(900))),
                MadeBuilds.row("B", List.of(relayed(300), relayed(300), relayed(300))));
        assertThat(Regression.inPairs(document, 0.05))
                .extracting(Regression::outcome)
                .containsOnly(Regression.Outcome.NOT_WORSE)
                .hasSize(2);
    }

    private static Repeat relayed(double accepted) {
        return Repeat.counted()
                .name(BuildsResult.ROUND, 1)
                .count(BuildsResult.MEASURED_NS, 1e9)
                .count(BuildsResult.DRAINED_NS, 1e9)
                .count(BuildsResult.ACCEPTED, accepted)
                .count(BuildsResult.ANSWERED, 100)
                .count(BuildsResult.DELIVERED, 100)
                .count(BuildsResult.SERVER_CPU_NS, 1e6)
                .made();
    }

    @Test
    void aRoundInWhichABuildTookNothingIsLeftOutAndSaid() {
        Repeat nothing = Repeat.counted()
                .name(BuildsResult.ROUND, 1)
                .name(BuildsResult.INVALID, List.of("all refused"))
                .made();
        Row first = MadeBuilds.row(
                "A", List.of(MadeBuilds.round(1, 7, 7, 0.4), MadeBuilds.round(2, 100, 100, 0.96)));
        Row second = MadeBuilds.row("B", List.of(nothing, MadeBuilds.round(2, 50, 100, 0.4)));
        Document document = MadeBuilds.document(BuildsResult.LOADS, first, second);
        Form form = BuildsResult.LOADS;
        Table table = document.table(form);
        assertThat(table.estimate(
                                second,
                                form.columns().stream()
                                        .filter(column ->
                                                column.key().equals("accepted_msgs_per_s_to_first"))
                                        .findFirst()
                                        .orElseThrow())
                        .value())
                .isEqualTo(0.5);
        assertThat(document.findings().reasons())
                .containsExactly("57KB data, B, round 1: all refused");
        assertThat(document.exitCode()).isEqualTo(3);
        assertThat(document.findings().warnings())
                .containsExactly(
                        "57KB data, A: in 1 of 2 rounds the driver was the limit: the hub could"
                                + " accept more");
        assertThat(document.findings().answer()).isEqualTo("A: x, 1111, the first; B: y");
    }

    /** Of a second on two cores: the machine was busy for half of it, others had a tenth, another run was there. */
    @Test
    void aRoundThatWasDisturbedIsNotValidUnlessTheMachineIsShared() {
        Repeat disturbed = Repeat.counted()
                .name(BuildsResult.ROUND, 1)
                .name(BuildsResult.INVALID, List.of())
                .name(MachineMeter.OTHERS, List.of("process 7"))
                .count(BuildsResult.MEASURED_NS, 1e9)
                .count(BuildsResult.ACCEPTED, 100)
                .count(BuildsResult.ANSWERED, 100)
                .count(BuildsResult.SERVER_CPU_NS, 8e8)
                .count(MachineMeter.METERED_NS, 1e9)
                .count(MachineMeter.CORES_NS, 2e9)
                .count(MachineMeter.BUSY_TICKS, 100)
                .count(MachineMeter.TOTAL_TICKS, 200)
                .count(MachineMeter.STEAL_TICKS, 0)
                .count(MachineMeter.PROCESSES_NS, 1e9)
                .count(MachineMeter.SERVERS_NS, 8e8)
                .count(MachineMeter.TOOL_NS, 0)
                .made();
        Row row = MadeBuilds.row("A", List.of(disturbed));
        Document own = MadeBuilds.document(BuildsResult.LOADS, row);
        assertThat(own.findings().reasons())
                .containsExactly(
                        "57KB data, A, round 1: another run measured at the same time: process 7",
                        "57KB data, A, round 1: processes other than server and driver took 10.0% of"
                                + " the machine's CPU time (at most 5.0%): stop them");
        assertThat(own.findings().answer()).contains("; disturbed: 57KB data, A, round 1: ");
        assertThat(own.exitCode()).isEqualTo(3);
        Document shared =
                MadeBuilds.document(BuildsResult.LOADS, Map.of("shared-machine", true), row);
        assertThat(shared.findings().reasons()).isEmpty();
        assertThat(shared.findings().warnings())
                .hasSize(2)
                .allMatch(
                        line -> line.startsWith("the machine is shared: 57KB data, A, round 1: "));
        assertThat(shared.exitCode()).isZero();
    }
}
