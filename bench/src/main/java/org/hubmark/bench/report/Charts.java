package org.hubmark.bench.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

import java.util.List;

/**
 * The plots of a report: data only. The page draws them.
 *
 * @param all in the order in which they stand on the page; a chart without data is not among them
 */
public record Charts(List<Chart> all) {
    /**
     * One plot.
     *
     * @param id names the element that it is drawn into
     * @param kind how it is drawn
     * @param title its heading
     * @param description what there is to see, for those who cannot see it
     * @param unit of the values
     * @param categories names along the axis of a bar chart; empty for the others
     * @param series at least one
     */
    public record Chart(
            String id,
            Kind kind,
            String title,
            String description,
            String unit,
            List<String> categories,
            List<Series> series) {}

    /** How a chart is drawn. */
    public enum Kind {
        /** Seconds along, values up. */
        TIME,
        /** Percentiles along, spread logarithmically towards 100; values up, logarithmic. */
        PERCENTILE,
        /** A group of bars for each category. */
        BARS
    }

    /**
     * One line, or one bar in each group.
     *
     * @param name in the legend
     * @param published true for the study's figures, which are drawn muted
     * @param points pairs of x and y; for bars one value a category, null where there is none
     */
    @JsonInclude(JsonInclude.Include.ALWAYS)
    public record Series(String name, boolean published, List<?> points) {}

    /** {@return the data as JSON that can stand inside a script element} */
    public String json() {
        try {
            // "</script>" in a name would end the element, "<!--" would open a comment.
            return new ObjectMapper().writeValueAsString(all).replace("<", "\\u003c");
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
