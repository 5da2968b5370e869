package org.hubmark.bench.kit.page;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

import java.util.List;
import java.util.Set;

/**
 * The plots of a report: data only. The page draws them, or a file of its own is drawn of each.
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
     * @param rows of what has panels their titles; empty for the others
     * @param series at least one
     */
    public record Chart(
            String id,
            Kind kind,
            String title,
            String description,
            String unit,
            List<String> rows,
            List<Series> series) {}

    /** Kind of drawing of a chart. */
    public enum Kind {
        /** Several panels one below the other, seconds along, a panel each of rate, queue, CPU ... */
        TIMELINE,
        /** Message size along, values up; points are x, y and may have a low and a high end. */
        BY_SIZE,
        /** The number of users along, values up. */
        BY_USERS,
        /** The number of hosts along, values up. */
        BY_HOSTS,
        /** I/O a second along, values up. */
        BY_IO,
        /** Rounds along, values up. */
        BY_ROUND,
        /** Seconds along, values up; the same lines in a few panels one below the other. */
        BY_TIME
    }

    /** Meaning of a series, which decides its style. */
    public enum Style {
        /** A measured line. */
        MEASURED,
        /** The same counted from the actual send: dashed, in the colour of the one before it. */
        UNCORRECTED,
        /** The study's figures, muted: a reference. */
        PUBLISHED
    }

    /**
     * One line.
     *
     * @param name in the legend; series of one name have one colour
     * @param style how it looks
     * @param panel in which panel it stands, from 0
     * @param points pairs of x and y
     * @param invalid places of points, from 0, that are not to be relied on: they are drawn as such
     */
    public record Series(
            String name, Style style, int panel, List<?> points, Set<Integer> invalid) {
        /** {@return one of a chart that has no panels} */
        public static Series of(String name, Style style, List<?> points) {
            return new Series(name, style, 0, points, Set.of());
        }

        /**
         * {@return a level line, such as a limit, in the panel of the last of others and as long as all of them;
         * their points are lists of numbers}
         */
        public static Series across(String name, double value, List<Series> others) {
            double[] along = others.stream()
                    .flatMap(one -> one.points.stream())
                    .flatMap(point -> ((List<?>) point).stream().limit(1))
                    .mapToDouble(x -> ((Number) x).doubleValue())
                    .sorted()
                    .toArray();
            double end = along[along.length - 1];
            List<?> points = List.of(List.of(along[0], value), List.of(end, value));
            return new Series(name, Style.PUBLISHED, others.getLast().panel, points, Set.of());
        }
    }

    /** {@return the data as JSON that can stand inside a script element} */
    public String json() {
        try {
            // "</script>" in a name would end the element, "<!--" would open a comment.
            return new ObjectMapper().writeValueAsString(all).replace("<", "\\u003c");
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /** {@return the timelines, which stand apart} */
    public List<Chart> timelines() {
        return all.stream().filter(chart -> chart.kind() == Kind.TIMELINE).toList();
    }

    /** {@return all but the timelines} */
    public List<Chart> plots() {
        return all.stream().filter(chart -> chart.kind() != Kind.TIMELINE).toList();
    }
}
