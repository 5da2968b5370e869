package org.hubmark.bench.qualify.report;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.kit.document.YamlResource;
import org.jspecify.annotations.Nullable;

/**
 * The figures of the Cisco UCS C210 M2, 2,500 mailboxes (ESRP, Jetstress 2010, June 2012), by their places
 * in the file, such as /server/cpu. Its engine is another one: for orientation, not for comparison.
 */
final class Esrp {
    static final String NAME = "published: Cisco UCS C210 M2, June 2012";

    private static final JsonNode PUBLISHED = YamlResource.read("/reference/esrp-c210-m2.yaml");

    private Esrp() {}

    /** {@return whether the source has something at a place, if only that nothing is printed there} */
    static boolean has(String place) {
        return !PUBLISHED.at(place).isMissingNode();
    }

    /**
     * {@return what the source has at a place; null where it prints nothing there}
     *
     * @throws IllegalArgumentException where it has no such place
     */
    static @Nullable Object at(String place) {
        if (!has(place)) {
            throw new IllegalArgumentException("the source has no " + place);
        }
        JsonNode found = PUBLISHED.at(place);
        if (found.isNumber()) {
            return found.asDouble();
        }
        if (found.isBoolean()) {
            return found.asBoolean();
        }
        return found.isNull() ? null : found.asText();
    }

    /** {@return the same; null also where it has no such place} */
    static @Nullable Object find(String place) {
        return has(place) ? at(place) : null;
    }

    /** {@return the mean of the instances in a table; null where it has no such column} */
    static @Nullable Double mean(String table, String column) {
        JsonNode rows = PUBLISHED.at(table + "/rows");
        int place = 0;
        for (JsonNode name : PUBLISHED.at(table + "/columns")) {
            if (name.asText().equals(column)) {
                double sum = 0;
                for (JsonNode row : rows) {
                    sum += row.path(place).asDouble();
                }
                return sum / rows.size();
            }
            place++;
        }
        return null;
    }
}
