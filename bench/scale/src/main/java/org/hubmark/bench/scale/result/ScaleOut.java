package org.hubmark.bench.scale.result;

import org.hubmark.bench.kit.check.MachineFindings;
import org.hubmark.bench.kit.check.MachineMeter;
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
import org.hubmark.bench.kit.document.Times;
import org.hubmark.bench.kit.statistics.Digits;
import org.hubmark.bench.kit.statistics.Interval;
import org.hubmark.bench.kit.statistics.Ratio;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.DoubleStream;

/**
 * scale-out.json: what is counted of each run with so many hosts, and the figures that are made of it. A
 * message is one that a hub accepted; a bookie keeps copies of others' messages too.
 */
public final class ScaleOut {
    /** What stays the same: weak or strong. */
    public static final Name SCALING = Name.note("scaling", "");

    public static final Name HOSTS = Name.of("hosts", "Hosts");

    /** Whose day is sent to all hosts; null where the rate is not computed from users. */
    public static final Name USERS = Name.note("users", "Users");

    /** CPU of all hosts together. */
    public static final Name CORES = Name.note("cores", "Cores");

    /** Copies of each message. */
    public static final Name COPIES = Name.note("copies", "Copies");

    /** Copies of each message that are synced before its 250. */
    public static final Name SYNCED_COPIES = Name.note("synced_copies", "Synced copies");

    /** What was to be sent to all hosts; null for as much as they take. */
    public static final Name OFFERED = Name.note("offered_msgs_per_s", "Offered (messages/s)");

    /** The study's column of so many hosts; null when it has none. */
    public static final Name PUBLISHED = Name.note("published", "");

    public static final Name RUN = Name.note("run", "Run");
    public static final Name STARTED = Name.note("started_at", "Measured from");
    public static final Name REFUSAL = Name.note("first_refusal", "First refusal");
    public static final Name HOST = Name.of("host", "Host");

    public static final Counter MEASURED_NS = new Counter("measured_ns");
    public static final Counter ACCEPTED = new Counter("accepted_msgs");
    public static final Counter REFUSED = new Counter("refused_msgs");
    public static final Counter FAILED = new Counter("failed_msgs");

    /** User and system time of the processes, delivery included: of a host, or of all. */
    public static final Counter HUB_CPU_NS = new Counter("hub_cpu_ns");

    public static final Counter BROKER_CPU_NS = new Counter("broker_cpu_ns");
    public static final Counter BOOKIE_CPU_NS = new Counter("bookie_cpu_ns");

    /** Resident memory of the processes at the end of the run. */
    public static final Counter MEMORY_BYTES = new Counter("memory_bytes");

    /** How long the control group held back processes that had work, all CPUs together. */
    public static final Counter THROTTLED_NS = new Counter("throttled_ns");

    public static final Counter CPUS = new Counter("cpus");

    /** From the intended start of a message to the answer to its end. */
    public static final Times SEND = new Times("send_ns");

    static final Column THROUGHPUT = Column.of(
            "throughput_msgs_per_s",
            "1/s",
            "Messages",
            3,
            Better.MORE,
            ACCEPTED.over(MEASURED_NS.over(1e9)));
    static final Column EFFICIENCY = new Column(
            "efficiency",
            "",
            "Efficiency",
            2,
            Better.NEITHER,
            new Column.Definition.Own(
                    THROUGHPUT, "Messages / Hosts / Messages of one", ScaleOut::efficiency));
    private static final List<Column> SEND_LATENCY =
            Column.latencies("send_latency_ms", "Send", SEND);
    // Mean, p50, p95 and so on.
    static final Column SEND_MEAN = SEND_LATENCY.getFirst();
    static final Column SEND_P95 = SEND_LATENCY.get(2);
    private static final Column WITHIN_LIMIT = new Column(
            "within_limit",
            "",
            "Send p95 within " + Math.round(PublishedPoint.limitMs()) + " ms",
            0,
            Better.NEITHER,
            new Column.Definition.AtMost(SEND_P95, PublishedPoint.limitMs()));
    private static final Column MEMORY =
            Column.of("memory_gb", "GB", "Memory", 3, Better.NEITHER, MEMORY_BYTES.over(1e9));
    private static final Formula CPU_NS = HUB_CPU_NS.plus(BROKER_CPU_NS).plus(BOOKIE_CPU_NS);
    static final Column CPU = perMessage("cpu", CPU_NS, "CPU", Better.LESS);

    /** Figures of each host. */
    public static final Form HOST_FIGURES = new Form(
            "host_figures",
            "Cost of a message: for each host, by the messages that its own hub accepted",
            "CPU is user and system time of the processes, delivery included. 'Throttled' is the share of the measured time in which the control"
                    + " group held back processes that had work.",
            List.of(HOST),
            List.of(
                    Column.of(ACCEPTED, "", "Accepted"),
                    perMessage("hub_cpu", HUB_CPU_NS, "CPU of the hub", Better.NEITHER),
                    perMessage("broker_cpu", BROKER_CPU_NS, "CPU of the broker", Better.NEITHER),
                    perMessage("bookie_cpu", BOOKIE_CPU_NS, "CPU of the bookie", Better.NEITHER),
                    perMessage("cpu", CPU_NS, "CPU", Better.NEITHER),
                    Column.of(
                            "throttled_percent",
                            "%",
                            "Throttled",
                            3,
                            Better.NEITHER,
                            THROTTLED_NS.times(100).over(MEASURED_NS).over(CPUS))),
            Estimate.Rule.middleRepeats(null),
            "runs",
            List.of(),
            List.of());

    /** All runs with so many hosts. */
    public static final Form POINTS = new Form(
            "points",
            "Hosts",
            "Send counts from the moment at which a message is due to the answer to its end."
                    + " Memory is what hubs, brokers and bookies had resident at the end of a run.",
            List.of(HOSTS, USERS, CORES, COPIES, SYNCED_COPIES, OFFERED, PUBLISHED),
            groups(),
            Estimate.Rule.middleRepeats(THROUGHPUT),
            "runs",
            List.of(RUN, STARTED, REFUSAL, MachineMeter.OTHERS),
            List.of(HOST_FIGURES),
            List.of(),
            null);

    /** What scale-out writes. */
    public static final Kind KIND = new Kind(
            "scale-out",
            "scale-out.json",
            List.of(SCALING),
            List.of(POINTS),
            Set.of(
                    "connections",
                    "copies",
                    "host-cores",
                    "rate",
                    "size",
                    "strong",
                    "users",
                    "weak"),
            ScaleOut::findings,
            ScaleSections::of,
            ScaleCharts::of);

    /** Share of the requested rate that has to be accepted for the hosts to have kept up. */
    private static final double KEPT_UP = 0.98;

    private static final double[] NO_REPEATS = {};

    private ScaleOut() {}

    private static List<Form.Group> groups() {
        return List.of(
                new Form.Group(
                        "Hosts",
                        List.of(MEMORY, THROUGHPUT, EFFICIENCY, SEND_MEAN, SEND_P95, WITHIN_LIMIT)),
                new Form.Group("Cost of a message", List.of(CPU)),
                new Form.Group("Sending", SEND_LATENCY),
                new Form.Group(
                        "Messages",
                        List.of(
                                Column.of(ACCEPTED, "", "Accepted"),
                                Column.of(REFUSED, "", "Refused"),
                                Column.of(FAILED, "", "Failed"))),
                new Form.Group("Machine", MachineMeter.COLUMNS));
    }

    private static Column perMessage(String key, Formula nanos, String label, Better better) {
        return Column.of(
                key + "_us_per_msg", "us/msg", label, 3, better, nanos.over(1e3).over(ACCEPTED));
    }

    /** {@return so many hosts, in words} */
    public static String hosts(double count) {
        return Math.round(count) + (count == 1 ? " host" : " hosts");
    }

    /** {@return what a run took, in words} */
    public static String rate(Repeat run) {
        return String.format(Locale.ROOT, "%.1f messages a second", THROUGHPUT.value(run));
    }

    private static Findings findings(Document document) {
        List<Row> rows = document.table(POINTS).rows();
        Map<String, @Nullable Object> facts = new LinkedHashMap<>();
        facts.put("published", PublishedPoint.all());
        double least = rows.getFirst().number(HOSTS);
        double most = rows.getLast().number(HOSTS);
        MachineFindings machine = MachineFindings.of(
                rows.stream()
                        .flatMap(row -> row.repeats().stream()
                                .map(run -> MachineMeter.found(where(row, run), run)))
                        .toList(),
                document.provenance().onSharedMachine());
        List<String> reasons = new ArrayList<>();
        rows.forEach(row ->
                row.repeats().forEach(run -> reasons.addAll(faults(where(row, run), run))));
        reasons.addAll(machine.reasons());
        List<String> warnings = warnings(document);
        warnings.addAll(machine.warnings());
        return Findings.of(
                "Scale-out, " + document.fact(SCALING) + ": "
                        + (least == most ? hosts(least) : Math.round(least) + " to " + hosts(most)),
                sentence(document.table(POINTS)),
                reasons,
                warnings,
                facts);
    }

    static List<String> shared(Document document) {
        return List.of(
                "All hosts are network namespaces of one machine with "
                        + document.provenance().environment().processor().logicalCores()
                        + " logical cores, which driver, ZooKeeper and kernel use too.",
                "Control groups bound the CPU of each host's hub, broker and bookie; the kernel's"
                        + " work for their links and disks is not accounted to any host.",
                "Journals and ledgers of all bookies are on one file system, and all share the"
                        + " memory.",
                "Absolute rates are those of this machine; only the rates of different numbers of"
                        + " hosts are comparable.");
    }

    private static String sentence(Table points) {
        Row last = points.rows().getLast();
        String taken = Digits.text(points.estimate(last, THROUGHPUT).value(), NO_REPEATS, 3)
                + " messages a second with " + hosts(last.number(HOSTS));
        Estimate efficiency = points.estimate(last, EFFICIENCY);
        if (!efficiency.isKnown() || last.number(HOSTS) == 1) {
            return taken;
        }
        if (efficiency.range() == null) {
            Row one = points.rows().getFirst();
            return taken + ", "
                    + Digits.text(points.estimate(one, THROUGHPUT).value(), NO_REPEATS, 3)
                    + " with one; how it scales takes several runs of each (--runs)";
        }
        return taken
                + String.format(
                        Locale.ROOT,
                        ", %.2f times what one took: %.0f %% of linear",
                        efficiency.value() * last.number(HOSTS),
                        100 * efficiency.value());
    }

    private static String where(Row row, Repeat run) {
        return hosts(row.number(HOSTS)) + ", run " + run.name(RUN);
    }

    /** {@return what makes a run no measurement; empty when nothing does} */
    static List<String> faults(String where, Repeat run) {
        List<String> faults = new ArrayList<>();
        if (run.count(ACCEPTED) == 0) {
            faults.add(where + ": nothing was accepted");
        }
        if (run.count(REFUSED) > 0) {
            faults.add(where + ": " + Math.round(run.count(REFUSED))
                    + " messages were refused, the first with: " + run.name(REFUSAL));
        }
        if (run.count(FAILED) > 0) {
            faults.add(
                    where + ": " + Math.round(run.count(FAILED)) + " messages were not answered");
        }
        return faults;
    }

    private static List<String> warnings(Document document) {
        Table points = document.table(POINTS);
        List<String> warnings = new ArrayList<>();
        if (points.rows().stream().noneMatch(row -> row.number(HOSTS) == 1)) {
            warnings.add("without a point of one host there is no efficiency; --hosts 1,...");
        }
        // A rate that is kept up with says nothing of how much more would have been taken.
        if (points.rows().stream().anyMatch(row -> !row.name(OFFERED).isEmpty())) {
            warnings.add("at a rate that was asked for, the efficiency only says whether the hosts"
                    + " kept up; --rate max finds their limit");
        }
        for (Row row : points.rows()) {
            double throughput = points.estimate(row, THROUGHPUT).value();
            if (throughput < KEPT_UP * row.number(OFFERED)) {
                warnings.add(String.format(
                        Locale.ROOT,
                        "%s did not keep up: %.1f of %.1f messages a second",
                        hosts(row.number(HOSTS)),
                        throughput,
                        row.number(OFFERED)));
            }
        }
        return warnings;
    }

    /** What a host does beside others against one alone, with the interval of Welch. */
    private static Estimate efficiency(Table points, Row row) {
        double hosts = row.number(HOSTS);
        Row one = points.rows().stream()
                .filter(other -> other.number(HOSTS) == 1)
                .findFirst()
                .orElse(null);
        double alone =
                one == null ? Double.NaN : points.estimate(one, THROUGHPUT).value();
        return new Estimate(
                alone > 0 ? points.estimate(row, THROUGHPUT).value() / (hosts * alone) : Double.NaN,
                one == null || one.equals(row) ? null : interval(one, row, hosts));
    }

    /** Rows have no run in common. */
    private static @Nullable Interval interval(Row one, Row row, double hosts) {
        double[] from = one.values(THROUGHPUT);
        double[] to = row.values(THROUGHPUT);
        boolean isKnown = DoubleStream.concat(Arrays.stream(from), Arrays.stream(to))
                .allMatch(value -> value > 0);
        Interval ratio = isKnown ? Ratio.of(from, to).usableInterval() : null;
        return ratio == null ? null : new Interval(ratio.low() / hosts, ratio.high() / hosts);
    }
}
