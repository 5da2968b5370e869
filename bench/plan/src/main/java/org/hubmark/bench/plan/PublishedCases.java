package org.hubmark.bench.plan;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.results.YamlResource;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The cases of TR-3766, computed again from their published inputs. */
public final class PublishedCases {
    /** What can be computed again. */
    public static final String PAM = "pam-tr3766";

    private static final List<String> ROWS = List.of(
            "db_iops",
            "db_reads_per_s",
            "db_writes_per_s",
            "avg_db_read_latency_ms",
            "avg_db_write_latency_ms",
            "log_writes_per_s",
            "avg_log_write_latency_ms");

    private final JsonNode data = YamlResource.read("/reference/" + PAM + ".yaml");
    private final JsonNode cases = YamlResource.read("/plan/" + PAM + ".yaml");

    private PublishedCases() {}

    /**
     * A figure as it is printed in the source.
     *
     * @param step what it is compared with
     * @param value null where N/A is printed
     */
    public record Printed(String step, @Nullable Double value) {
        /**
         * {@return whether a figure becomes this one when it is rounded or cut, as the source did both}
         *
         * @param computed null where it isn't applicable
         */
        public boolean agrees(@Nullable Double computed) {
            if (computed == null || value == null) {
                return computed == null && value == null;
            }
            return Math.round(computed) == Math.round(value)
                    || Math.floor(computed) == Math.floor(value);
        }
    }

    /** A case with what is printed of it. */
    public record Case(Plan plan, List<Printed> printed) {
        /** Copies. */
        public Case {
            printed = List.copyOf(printed);
        }
    }

    /**
     * {@return the cases of a source}
     *
     * @param given inputs that are to be others than published, by name
     * @throws UserError where there is no such source
     */
    public static List<Case> of(String source, Map<String, Values.Given> given) {
        if (!source.equals(PAM)) {
            throw UserError.usage(
                    "--published " + source + ": there is " + PAM + ", and no other source");
        }
        PublishedCases all = new PublishedCases();
        List<Case> found = new ArrayList<>();
        for (JsonNode one : all.cases.path("cases")) {
            found.add(all.of(one, given));
        }
        return found;
    }

    private Case of(JsonNode one, Map<String, Values.Given> given) {
        String id = one.path("id").asText();
        JsonNode its = configuration(id);
        String name = cases.path("name").asText();
        Map<String, Values.Given> numbers = new LinkedHashMap<>();
        Source source = Source.published(name);
        put(numbers, "users", its.path("users"), source);
        put(numbers, "iops_per_user", its.path("iops_per_user"), source);
        put(numbers, "mailbox_mb", its.path("mailbox_size_mb"), source);
        put(numbers, "drives", its.at("/disks/count"), source);
        put(numbers, "disk_gb", its.at("/disks/capacity_gb"), source);
        if (its.path("snapshot_reserve_percent").isNumber()) {
            double reserve = its.path("snapshot_reserve_percent").asDouble();
            numbers.put("capacity_limit_percent", new Values.Given(100 - reserve, source));
        }
        for (String row : ROWS) {
            put(numbers, "on_" + row, figure(its.at("/results/pam_enabled"), row), source);
            put(numbers, "off_" + row, figure(its.at("/results/pam_disabled"), row), source);
        }
        for (JsonNode assumed : one.path("assumed")) {
            put(
                    numbers,
                    assumed.path("name").asText(),
                    assumed.path("value"),
                    Source.assumed(assumed.path("because").asText()));
        }
        numbers.putAll(given);
        Set<String> chapters = new LinkedHashSet<>();
        cases.path("chapters").forEach(chapter -> chapters.add(chapter.asText()));
        Values values = Values.of(Model.OURS, numbers, Map.of());
        Plan plan =
                Plan.of(id, name + ": " + one.path("title").asText(), Model.OURS, values, chapters);
        return new Case(plan, printed(its));
    }

    /** Latencies are printed rounded in the table, and finer in the text of one case. */
    private static JsonNode figure(JsonNode results, String row) {
        JsonNode precise = results.path(row.replaceFirst("_ms$", "_precise_ms"));
        return precise.isNumber() ? precise : results.path(row);
    }

    private static List<Printed> printed(JsonNode its) {
        List<Printed> all = new ArrayList<>();
        JsonNode improvement = its.at("/results/improvement_percent");
        for (String row : ROWS) {
            JsonNode value = improvement.path(row);
            all.add(new Printed(
                    "improvement_" + row, value.isNumber() ? (Double) value.asDouble() : null));
        }
        print(all, "extra_db_iops", its.path("extra_db_iops"));
        print(all, "more_by_io", its.path("extra_users"));
        print(all, "drives_saved", its.path("drives_saved"));
        print(all, "storage_efficiency_percent", its.path("storage_efficiency_percent"));
        return all;
    }

    private static void print(List<Printed> all, String step, JsonNode value) {
        if (value.isNumber()) {
            all.add(new Printed(step, value.asDouble()));
        }
    }

    private static void put(
            Map<String, Values.Given> numbers, String name, JsonNode value, Source source) {
        if (value.isNumber()) {
            numbers.put(name, new Values.Given(value.asDouble(), source));
        }
    }

    private JsonNode configuration(String id) {
        for (JsonNode one : data.path("configurations")) {
            if (one.path("id").asText().equals(id)) {
                return one;
            }
        }
        throw new IllegalStateException("no configuration " + id);
    }
}
