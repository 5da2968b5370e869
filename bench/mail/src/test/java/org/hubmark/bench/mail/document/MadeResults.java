package org.hubmark.bench.mail.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.kit.document.Formula.Counter;
import org.hubmark.bench.kit.document.JsonFile;
import org.hubmark.bench.kit.document.Name;
import org.hubmark.bench.kit.document.Provenance;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.document.Table;
import org.hubmark.bench.kit.document.Tool;
import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.mail.report.MailReport;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Results that say what a test wants, without anything measured. */
public final class MadeResults {
    private static final double TICKS = 1e6;
    private static final int CORES = 2;
    private static final int TIMES = 100_000;

    private MadeResults() {}

    /** {@return a repeat of which nothing but its number is known, and that it is valid and steady} */
    public static Repeat.Builder repeat(int number) {
        Repeat.Builder counted = Repeat.counted()
                .name(MailDocument.REPEAT, number)
                .name(MailDocument.STARTED_AT, "2026-01-01T00:00:00Z");
        name(counted, new WarmUp(5.0, true, null, null), Limiting.UNKNOWN, Validity.FULL);
        return counted;
    }

    /** Takes down what stands flat in a repeat. */
    public static void name(Repeat.Builder counted, Object... parts) {
        MailDocument.names(parts).forEach((key, value) -> counted.name(Name.note(key, ""), value));
    }

    /** {@return a scenario of these repeats} */
    public static Scenario scenario(
            String id, double sizeKb, Conditions conditions, List<Repeat> repeats) {
        Map<String, @Nullable Object> names = new LinkedHashMap<>(conditions.names());
        names.put(MailDocument.ID.key(), id);
        names.put(MailDocument.SIZE.key(), sizeKb);
        Row row = new Row(names, repeats);
        return new Scenario(new Table(MailDocument.SCENARIOS, List.of(row)), row);
    }

    /** {@return the same under other conditions} */
    public static Scenario with(Scenario scenario, Conditions conditions) {
        return scenario(
                scenario.id(),
                scenario.messageSizeKb(),
                conditions,
                scenario.row().repeats());
    }

    /** {@return the same of which something else is known} */
    public static Scenario with(Scenario scenario, Name name, @Nullable Object value) {
        Map<String, @Nullable Object> names = new LinkedHashMap<>(scenario.row().names());
        names.put(name.key(), value);
        Row row = new Row(names, scenario.row().repeats());
        return new Scenario(new Table(MailDocument.SCENARIOS, List.of(row)), row);
    }

    /** {@return results of these scenarios on a machine of two cores} */
    public static Results results(
            Map<String, @Nullable Object> settings, List<Scenario> scenarios) {
        Environment machine = new Environment(
                new Environment.Processor("cpu", CORES, null, 2000.0, null),
                null,
                new Environment.Software(null, null, "25", null),
                List.of(),
                null);
        return results(
                new Provenance(new Tool(null, null), "", "", "", settings, machine), scenarios);
    }

    /** {@return results of these scenarios} */
    public static Results results(Provenance provenance, List<Scenario> scenarios) {
        return new Results(new Document(
                MailReport.KIND,
                provenance,
                true,
                Map.of(),
                List.of(new Table(
                        MailDocument.SCENARIOS,
                        scenarios.stream().map(Scenario::row).toList())),
                List.of()));
    }

    /** {@return the same with these scenarios, in place of what was there} */
    public static Results with(Results results, List<Scenario> scenarios) {
        Document old = results.document();
        return new Results(new Document(
                old.kind(),
                old.provenance(),
                true,
                old.facts(),
                results(old.provenance(), scenarios).document().tables(),
                old.rawFiles()));
    }

    /**
     * {@return what a file says, whose figures a test has written} They stand for counters of which they
     * follow. A scenario without repeats is one.
     */
    public static Results read(Path file) throws IOException {
        JsonNode tree = JsonFile.read(file);
        Document read = DocumentFile.read(
                Objects.requireNonNull(file.toAbsolutePath().getParent()), MailReport.KIND);
        List<Scenario> scenarios = new ArrayList<>();
        List<Row> rows = read.table(MailDocument.SCENARIOS).rows();
        for (int i = 0; i < rows.size(); i++) {
            ObjectNode written = (ObjectNode) tree.path("scenarios").path(i);
            ArrayNode repeats = written.withArray("repeats").deepCopy();
            if (repeats.isEmpty()) {
                repeats.addObject().put("repeat", 1);
            }
            written.remove("repeats");
            List<Repeat> counted = new ArrayList<>();
            for (int j = 0; j < repeats.size(); j++) {
                ObjectNode all = written.deepCopy().put("valid", true).put("steady", true);
                all.setAll(written);
                all.setAll((ObjectNode) repeats.get(j));
                List<Repeat> kept = rows.get(i).repeats();
                counted.add(counted(all, j < kept.size() ? kept.get(j) : null));
            }
            Row row = new Row(rows.get(i).names(), counted);
            scenarios.add(new Scenario(new Table(MailDocument.SCENARIOS, List.of(row)), row));
        }
        return with(new Results(read), scenarios);
    }

    private static Repeat counted(ObjectNode figures, @Nullable Repeat kept) throws IOException {
        Repeat.Builder counted = Repeat.counted();
        for (Name name : MailDocument.SCENARIOS.ofRepeats()) {
            JsonNode value = figures.path(name.key());
            counted.name(
                    name,
                    value.isMissingNode() || value.isNull()
                            ? null
                            : JsonFile.read(value, Object.class));
        }
        count(counted, figures);
        if (kept != null) {
            kept.counters().forEach((key, value) -> counted.count(new Counter(key), value));
            kept.times()
                    .forEach((key, value) ->
                            counted.times(new org.hubmark.bench.kit.document.Times(key), value));
            counted.samples(kept.samples());
        }
        return counted.made();
    }

    /** Takes down counters of which the figures follow. */
    private static void count(Repeat.Builder counted, ObjectNode of) {
        double seconds = of.path("measured_s").asDouble(1);
        double messages = number(of, "throughput_msgs_per_s") * seconds;
        double bytes = messages * number(of, "message_size_kb") * 1e3;
        double us = number(of, "server_cpu_us_per_msg");
        double process = number(of, "cpu_cost_process_mcycles_per_msg");
        double clock = Double.isNaN(us) || Double.isNaN(process) ? 2000 : process * 1e6 / us;
        double driver = or(number(of, "driver_cpu_percent"), 0);
        double cost = number(of, "cpu_cost_mcycles_per_msg");
        double cpu =
                or(cost * messages / seconds * 100 / (CORES * clock), number(of, "cpu_percent"));
        counted.count(Counters.MEASURED_NS, seconds * 1e9)
                .count(Counters.ACCEPTED_MSGS, messages)
                .count(Counters.ACCEPTED_BYTES, bytes)
                .count(Counters.LOGICAL_CORES, CORES)
                .count(Counters.DRIVER_CORES, CORES)
                .count(Counters.DRIVER_ON_MACHINE, 1)
                .count(Counters.CLOCK_TICKS, 100)
                .count(Counters.CLOCK_MCYCLES, clock)
                .count(Counters.MACHINE_TOTAL_TICKS, TICKS)
                .count(
                        Counters.MACHINE_BUSY_TICKS,
                        or(cpu + driver, number(of, "machine_cpu_percent")) / 100 * TICKS)
                .count(Counters.DRIVER_CPU_NS, driver / 100 * seconds * 1e9 * CORES)
                .count(
                        Counters.SERVER_CPU_NS,
                        or(us, or(process * 1e6 / clock, 1)) * 1e3 * messages)
                .count(
                        Counters.FOREIGN_CPU_NS,
                        number(of, "foreign_cpu_percent") / 100 * seconds * 1e9 * CORES)
                .count(Counters.MACHINE_STEAL_TICKS, number(of, "steal_percent") / 100 * TICKS)
                .count(Counters.LOG_SYNCS, number(of, "syncs_per_msg") * messages)
                .count(Counters.HUB_ACCEPTED_MSGS, messages)
                .count(Counters.HUB_GROUPS, messages / number(of, "msgs_per_group_mean"))
                .count(Counters.QUEUE_MAX_MSGS, number(of, "aggregate_queue_length_max_msgs"))
                .count(Counters.QUEUE_MAX_BYTES, number(of, "queue_size_max_mb") * 1e6);
        for (String volume : List.of("log", "queue")) {
            double writes = or(
                    number(of, volume + "_writes_per_msg") * messages,
                    number(of, volume + "_writes_per_s") * seconds);
            count(counted, volume + "_writes", writes);
            count(
                    counted,
                    volume + "_write_ms",
                    writes * number(of, "avg_" + volume + "_write_latency_ms"));
            count(counted, volume + "_reads", number(of, volume + "_reads_per_s") * seconds);
            count(
                    counted,
                    volume + "_weighted_ms",
                    number(of, "avg_" + volume + "_disk_queue_length") * seconds * 1e3);
            count(
                    counted,
                    volume + "_written_bytes",
                    number(of, volume + "_bytes_per_accepted_byte") * bytes);
        }
        for (String account : List.of(
                "sent_msgs",
                "accepted_msgs",
                "refused_msgs",
                "failed_msgs",
                "delivered_msgs",
                "left_in_queue_msgs",
                "lost_msgs")) {
            count(counted, "all_" + account, number(of, account));
        }
        if (of.path("accept_latency_ms").isObject()) {
            counted.times(Figure.ACCEPT, times(of.path("accept_latency_ms")));
        }
    }

    /** As many as each place needs, so that it is what is written. */
    private static Histogram times(JsonNode places) {
        Histogram times = new Histogram(3);
        double before = 0;
        double shown = 0;
        for (Map.Entry<String, Double> place : Map.<String, Double>of(
                        "p50", 0.5, "p95", 0.95, "p99", 0.99, "p99_9", 0.999, "max", 1.0)
                .entrySet()
                .stream()
                .sorted(Map.Entry.comparingByValue())
                .toList()) {
            shown = places.path(place.getKey()).asDouble(shown);
            times.recordValueWithCount(
                    Math.round(shown * 1e6), Math.round((place.getValue() - before) * TIMES));
            before = place.getValue();
        }
        return times;
    }

    private static void count(Repeat.Builder counted, String counter, double value) {
        counted.count(new Counter(counter), value);
    }

    private static double number(JsonNode of, String key) {
        return of.path(key).isNumber() ? of.path(key).asDouble() : Double.NaN;
    }

    private static double or(double known, double other) {
        return Double.isNaN(known) ? other : known;
    }
}
