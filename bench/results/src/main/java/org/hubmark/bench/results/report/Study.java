package org.hubmark.bench.results.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;

import org.hubmark.bench.results.YamlResource;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The published hub study that results are shown beside: its rows, its four columns, and what has
 * to be known to read them. The figures are data, in {@code reference/hub-study-2007sp1.yaml}.
 *
 * @param source who published it
 * @param rows in published order, with the published labels and decimals
 * @param columns the four published scenarios, in published order
 */
record Study(String source, List<Row> rows, List<Published> columns, JsonNode notes) {
    private static final String RESOURCE = "/reference/hub-study-2007sp1.yaml";

    /**
     * A published scenario.
     *
     * @param storage the short name of its storage
     * @param values its figures by field
     */
    record Published(String storage, JsonNode values) {}

    static Study load() {
        return from(YamlResource.read(RESOURCE));
    }

    /**
     * {@return the study, with its columns where the results are of a hub of our own: it is what was
     * published of a hub, and says nothing of another server}
     */
    static Study beside(JsonNode results) {
        Study study = load();
        for (JsonNode scenario : results.path("scenarios")) {
            if (!Dimensions.isTarget(scenario)) {
                return study;
            }
        }
        return new Study(study.source, study.rows, List.of(), MissingNode.getInstance());
    }

    /** {@return what the data file says of a field, if it says something} */
    Optional<String> note(String field) {
        for (JsonNode note : notes) {
            if (note.path("field").asText().equals(field)) {
                return Optional.of(note.path("note").asText());
            }
        }
        return Optional.empty();
    }

    private static Study from(JsonNode file) {
        List<Row> rows = new ArrayList<>();
        for (JsonNode row : file.path("table_rows")) {
            JsonNode decimals = row.path("decimals");
            rows.add(new Row(
                    row.path("field").asText(),
                    row.path("label").asText(),
                    decimals.isInt() ? (Integer) decimals.asInt() : null));
        }
        List<Published> columns = new ArrayList<>();
        for (JsonNode scenario : file.path("scenarios")) {
            JsonNode server = file.path("servers").path(scenario.path("server").asText());
            boolean batteryBacked =
                    server.path("write_cache_policy").path("battery_backed").asBoolean();
            columns.add(new Published(batteryBacked ? "SCSI+BBWC" : "SATA", scenario));
        }
        JsonNode source = file.path("source");
        String name = source.path("publisher").asText() + ", "
                + source.path("product").asText() + ", " + source.path("role").asText()
                + " throughput study (" + source.path("author").asText() + ")";
        return new Study(name, List.copyOf(rows), List.copyOf(columns), file.path("notes"));
    }
}
