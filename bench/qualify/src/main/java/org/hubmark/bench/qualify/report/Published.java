package org.hubmark.bench.qualify.report;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.kit.page.Cells;
import org.hubmark.bench.results.YamlResource;

/** The figures of the Cisco UCS C210 M2, 2,500 mailboxes (ESRP, Jetstress 2010, June 2012). */
final class Published {
    static final String NAME = "published: Cisco UCS C210 M2, June 2012";

    private static final JsonNode ALL = YamlResource.read("/reference/esrp-c210-m2.yaml");

    private Published() {}

    /** {@return what stands at a place such as /solution/mailboxes} */
    static JsonNode at(String pointer) {
        return ALL.at(pointer);
    }

    /** {@return the mean over the instances of a column of a table; a dash where there is none} */
    static String mean(String phase, String table, String column) {
        JsonNode its = ALL.at("/phases/" + phase + "/" + table);
        int index = -1;
        for (int i = 0; i < its.path("columns").size(); i++) {
            if (its.path("columns").get(i).asText().equals(column)) {
                index = i;
            }
        }
        if (index < 0) {
            return Cells.UNKNOWN;
        }
        double sum = 0;
        for (JsonNode row : its.path("rows")) {
            sum += row.get(index).asDouble();
        }
        return Cells.of(sum / its.path("rows").size());
    }
}
