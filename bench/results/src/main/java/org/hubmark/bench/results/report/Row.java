package org.hubmark.bench.results.report;

import com.fasterxml.jackson.databind.JsonNode;

import org.jspecify.annotations.Nullable;

/**
 * A row of a table of scenarios: which field it shows, under which label, how.
 *
 * @param field the field's name in a scenario; a dot leads into an object
 * @param label what stands before the figures, with the unit
 * @param decimals digits after the point; null for a text
 */
record Row(String field, String label, @Nullable Integer decimals) {
    /** {@return what {@code scenario} has in this row} */
    TableCell cell(JsonNode scenario) {
        return TableCell.of(scenario.at("/" + field.replace('.', '/')), decimals);
    }
}
