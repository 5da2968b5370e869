package org.hubmark.bench.mail.document;

import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Formula.Counter;
import org.hubmark.bench.kit.document.Name;
import org.hubmark.bench.kit.document.Provenance;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.document.Table;
import org.hubmark.bench.kit.document.Tool;
import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.mail.report.MailReport;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Results that say what a test wants, without anything measured. */
public final class MadeResults {
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

    /** {@return results of these scenarios on a machine of two cores} */
    public static Results results(
            Map<String, @Nullable Object> settings, List<Scenario> scenarios) {
        Environment machine = new Environment(
                new Environment.Processor("cpu", 2, null, 2000.0, null),
                null,
                new Environment.Software(null, null, "25", null),
                List.of(),
                null);
        List<Row> rows = scenarios.stream().map(Scenario::row).toList();
        return new Results(new Document(
                MailReport.KIND,
                new Provenance(new Tool(null, null), "", "", "", settings, machine),
                true,
                Map.of(),
                List.of(new Table(MailDocument.SCENARIOS, rows)),
                List.of()));
    }

    /**
     * {@return a scenario with a limit of the CPU}
     *
     * @param rates of its repeats, which take a second each, messages a second
     * @param costs millions of cycles that a message takes, of the repeats
     */
    public static Scenario measured(String id, double sizeKb, double[] rates, double... costs) {
        List<Repeat> repeats = new ArrayList<>();
        for (int i = 0; i < rates.length; i++) {
            Repeat.Builder counted = repeat(i + 1)
                    .count(Counters.MEASURED_NS, 1e9)
                    .count(Counters.ACCEPTED_MSGS, rates[i])
                    .count(Counters.SERVER_CPU_NS, 1e6 * costs[i] * rates[i])
                    .count(Counters.CLOCK_MCYCLES, 1000)
                    .count(Counters.CLOCK_TICKS, 100);
            name(counted, new Limiting("cpu", null, null));
            repeats.add(counted.made());
        }
        Conditions conditions = Conditions.UNKNOWN
                .with(Condition.DURABILITY, "synced")
                .with(Condition.INTAKE, "store")
                .with(Condition.CHECKPOINT_DEPTH_MB, 512.0)
                .with(Condition.CONNECTIONS, 32)
                .with(Condition.ASKED_RATE, "max")
                .with(Safety.UNCHALLENGED);
        return scenario(id, sizeKb, conditions, repeats);
    }

    /** {@return the same of whose repeats more is known} */
    public static Scenario with(Scenario scenario, Consumer<Repeat.Builder> more) {
        List<Repeat> repeats = new ArrayList<>();
        for (Repeat repeat : scenario.row().repeats()) {
            Repeat.Builder counted = Repeat.counted();
            repeat.names().forEach((key, value) -> counted.name(Name.note(key, ""), value));
            repeat.counters().forEach((key, value) -> counted.count(new Counter(key), value));
            more.accept(counted);
            repeats.add(counted.made());
        }
        return scenario(scenario.id(), scenario.messageSizeKb(), scenario.conditions(), repeats);
    }

    /** {@return values, each so many times as large} */
    public static double[] times(double[] values, double factor) {
        return Arrays.stream(values).map(value -> value * factor).toArray();
    }
}
