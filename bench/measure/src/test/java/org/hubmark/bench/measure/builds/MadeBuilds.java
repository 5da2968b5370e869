package org.hubmark.bench.measure.builds;

import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Form;
import org.hubmark.bench.kit.document.Provenance;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.document.Table;
import org.hubmark.bench.kit.document.Tool;
import org.hubmark.bench.machine.Environment;
import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Results of builds that nobody measured. */
final class MadeBuilds {
    private static final int ANSWERED = 1000;

    private MadeBuilds() {}

    /** {@return a round of a second with one thread of the driver} */
    static Repeat round(int number, double rate, double cpuMicros, double driverShare) {
        return Repeat.counted()
                .name(BuildsResult.ROUND, number)
                .name(BuildsResult.INVALID, List.of())
                .count(BuildsResult.MEASURED_NS, 1e9)
                .count(BuildsResult.ACCEPTED, rate)
                .count(BuildsResult.ANSWERED, ANSWERED)
                .count(BuildsResult.SERVER_CPU_NS, cpuMicros * 1e3 * ANSWERED)
                .count(BuildsResult.DRIVER_CPU_NS, driverShare * 1e9)
                .count(BuildsResult.DRIVER_THREADS, 1)
                .made();
    }

    /** {@return the rounds of a build} */
    static Row row(String build, List<Repeat> rounds) {
        Map<String, @Nullable Object> names = new LinkedHashMap<>();
        names.put(BuildsResult.LOAD.key(), "57KB data");
        names.put(BuildsResult.BUILD.key(), build);
        names.put(BuildsResult.SIZE.key(), 57.0);
        names.put(BuildsResult.TRANSFER.key(), "data");
        return new Row(names, rounds);
    }

    static Document document(Form form, Row... rows) {
        return document(form, Map.of("rounds", 5), rows);
    }

    static Document document(Form form, Map<String, @Nullable Object> settings, Row... rows) {
        Map<String, @Nullable Object> facts = new LinkedHashMap<>();
        facts.put(
                BuildsResult.BUILDS.key(),
                List.of(
                        new BuildsResult.Named("A", "x", "1111", null, "the first"),
                        new BuildsResult.Named("B", "y", null, null, null)));
        return new Document(
                BuildsResult.KIND,
                new Provenance(
                        new Tool("0.1", "abc"),
                        "2026-01-01T00:00:00Z",
                        "2026-01-01T00:10:00Z",
                        "./hubmark compare --builds x,y",
                        settings,
                        new Environment(
                                new Environment.Processor("Made CPU", 4, 4, 2100.0, "made"),
                                8_000_000_000L,
                                new Environment.Software("os", "6.1", "25", null),
                                List.of(),
                                null)),
                true,
                facts,
                BuildsResult.KIND.forms().stream()
                        .map(each -> new Table(each, each.equals(form) ? List.of(rows) : List.of()))
                        .toList(),
                List.of());
    }
}
