package org.hubmark.bench.measure.builds;

import org.hubmark.bench.kit.check.MachineFindings;
import org.hubmark.bench.kit.check.MachineMeter;
import org.hubmark.bench.kit.check.MachineUse;
import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Column.Better;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Estimate;
import org.hubmark.bench.kit.document.Findings;
import org.hubmark.bench.kit.document.Form;
import org.hubmark.bench.kit.document.Formula;
import org.hubmark.bench.kit.document.Formula.Counter;
import org.hubmark.bench.kit.document.Kind;
import org.hubmark.bench.kit.document.Name;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.document.Table;
import org.hubmark.bench.kit.page.Charts;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * builds.json: what is counted of each build under each load in each round, and how it fares against the
 * first build of the same round, in which both were measured one soon after the other.
 */
public final class BuildsResult {
    /** Those that were compared, each with the first of them. */
    public static final Name BUILDS = Name.note("builds", "");

    /** Why the load of a warm-up can't be trusted, a line each. */
    static final Name WARM_UP = Name.note("warm_up_reasons", "");

    static final Name LOAD = Name.of("load", "Load");
    static final Name BUILD = Name.of("build", "Build");

    /** KB of 1000 octets. */
    static final Name SIZE = Name.note("message_size_kb", "");

    static final Name TRANSFER = Name.note("transfer", "");
    static final Name ROUND = Name.note("round", "Round");

    /** Why a round can't be trusted, a line each. */
    static final Name INVALID = Name.note("invalid_reasons", "");

    static final Counter MEASURED_NS = new Counter("measured_ns");

    /** In the measured time. */
    static final Counter ACCEPTED = new Counter("accepted_msgs");

    /** From the begin until every connection had its last answer. */
    static final Counter ANSWERED = new Counter("answered_msgs");

    static final Counter DELIVERED = new Counter("delivered_msgs");

    /** From the begin until nothing was left to deliver. */
    static final Counter DRAINED_NS = new Counter("drained_ns");

    /** From the begin until the hub had come to rest; of a start from that of the process on. */
    static final Counter SERVER_CPU_NS = new Counter("server_cpu_ns");

    /** CPU time of the driver's loops in the measured time. */
    static final Counter DRIVER_CPU_NS = new Counter("driver_cpu_ns");

    static final Counter DRIVER_THREADS = new Counter("driver_threads");

    /** From the start of the process to the 250 after the first message. */
    static final Counter FIRST_REPLY_NS = new Counter("first_reply_ns");

    /** Table of starts, one process after the other. */
    static final Form STARTS = form(
            "starts",
            "Start",
            Column.of(
                    "first_reply_ms", "ms", "First 250", 1, Better.LESS, FIRST_REPLY_NS.over(1e6)),
            cpu("first_cpu_us_per_msg", "CPU from the start"));

    private static final Column DRIVER_PERCENT = Column.of(
            "driver_threads_percent",
            "%",
            "Driver's threads",
            0,
            Better.NEITHER,
            DRIVER_CPU_NS.times(100).over(MEASURED_NS).over(DRIVER_THREADS));

    /** Table of warm hubs. */
    static final Form LOADS = form(
            "loads",
            "Load",
            accepted(Better.MORE),
            cpu("server_cpu_us_per_msg", "CPU"),
            DRIVER_PERCENT);

    /** The same with mail that is relayed, of which the deliveries count. */
    static final Form RELAYS = form(
            "relays",
            "Load with relayed mail",
            Column.of(
                    "relayed_msgs_per_s",
                    "1/s",
                    "Relayed",
                    1,
                    Better.MORE,
                    DELIVERED.over(DRAINED_NS.over(1e9))),
            // How the machine is shared between taking and passing on is up to the hub.
            accepted(Better.NEITHER),
            cpu("server_cpu_us_per_msg", "CPU"),
            DRIVER_PERCENT);

    /** What compare --builds writes. */
    public static final Kind KIND = new Kind(
            "compare --builds",
            "builds.json",
            List.of(BUILDS, WARM_UP),
            List.of(LOADS, RELAYS, STARTS),
            Set.of(
                    "checkpoint-depth",
                    "connections",
                    "count",
                    "deliver",
                    "durability",
                    "duration",
                    "figure",
                    "fresh",
                    "warmup"),
            BuildsResult::findings,
            document -> List.of(),
            document -> new Charts(List.of()));

    /** From here on the rate is the driver's, not the hub's. */
    private static final double DRIVER_BUSY_PERCENT = 95;

    private BuildsResult() {}

    /**
     * A build as the results name it.
     *
     * @param label A, B, C and so on in the order given
     * @param ref as it was given
     * @param commit of the sources, with "-dirty" when files differ from it; null when it isn't known
     * @param changes git's tree of the files where they differ from the commit; null where none does, or
     *     that isn't known
     * @param title the first line of what the commit says of itself; null when it isn't known
     */
    record Named(
            String label,
            String ref,
            @Nullable String commit,
            @Nullable String changes,
            @Nullable String title) {
        private String describe() {
            return label + ": " + ref
                    + (commit == null || commit.equals(ref) ? "" : ", " + commit)
                    + (title == null ? "" : ", " + title);
        }
    }

    private static Form form(String key, String caption, Column... figures) {
        List<Column> judged = Stream.of(figures)
                .filter(figure -> figure.better() != Better.NEITHER)
                .map(figure -> new Column(
                        figure.key() + "_to_first",
                        "",
                        figure.label() + " to the first",
                        3,
                        figure.better(),
                        new Column.Definition.InPairs(figure, BUILD)))
                .toList();
        return new Form(
                key,
                caption,
                "To the first: the geometric mean of the ratios within each round, which is the"
                        + " ratio of the means beside it.",
                List.of(LOAD, BUILD, SIZE, TRANSFER),
                Stream.of(List.of(figures), judged, MachineMeter.COLUMNS)
                        .flatMap(List::stream)
                        .toList(),
                Estimate.Rule.GEOMETRIC_MEAN,
                "rounds",
                List.of(ROUND, INVALID, MachineMeter.OTHERS),
                List.of());
    }

    private static Column accepted(Better better) {
        return Column.of(
                "accepted_msgs_per_s",
                "1/s",
                "Accepted",
                1,
                better,
                ACCEPTED.over(MEASURED_NS.over(1e9)));
    }

    private static Column cpu(String key, String label) {
        Formula nanos = SERVER_CPU_NS;
        return Column.of(key, "us/msg", label, 1, Better.LESS, nanos.over(1e3).over(ANSWERED));
    }

    private static Findings findings(Document document) {
        Named[] builds = document.fact(BUILDS, Named[].class);
        List<String> reasons = new ArrayList<>(document.texts(WARM_UP));
        List<String> warnings = new ArrayList<>();
        List<MachineFindings.One> machines = new ArrayList<>();
        for (Table table : document.tables()) {
            for (Row row : table.rows()) {
                String name = row.name(LOAD) + ", " + row.name(BUILD);
                for (Repeat round : row.repeats()) {
                    String where = name + ", round " + round.name(ROUND);
                    round.texts(INVALID).forEach(reason -> reasons.add(where + ": " + reason));
                    machines.add(MachineMeter.found(where, round));
                }
                long busy = row.repeats().stream()
                        .filter(round -> DRIVER_PERCENT.value(round) >= DRIVER_BUSY_PERCENT)
                        .count();
                if (busy > 0) {
                    warnings.add(String.format(
                            Locale.ROOT,
                            "%s: in %d of %d rounds the driver was the limit: the hub could accept"
                                    + " more",
                            name,
                            busy,
                            row.repeats().size()));
                }
            }
        }
        MachineFindings machine =
                MachineFindings.of(machines, document.provenance().onSharedMachine());
        reasons.addAll(machine.reasons());
        warnings.addAll(machine.warnings());
        return Findings.of(
                "Builds compared",
                builds == null
                        ? ""
                        : Stream.of(builds).map(Named::describe).collect(Collectors.joining("; "))
                                + MachineUse.beside(machine.disturbances()),
                reasons,
                warnings,
                Map.of());
    }
}
