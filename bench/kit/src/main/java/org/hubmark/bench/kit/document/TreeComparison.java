package org.hubmark.bench.kit.document;

import com.fasterxml.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;

/** Compares what was written with what comes out when it is computed again, cell by cell. One thread. */
public final class TreeComparison {
    /** As near as a histogram of another resolution comes, which keeps three digits. */
    public static final double THREE_DIGITS = 0.001;

    private final double near;
    private final List<String> mismatches = new ArrayList<>();
    private int cells;

    /**
     * Begins.
     *
     * @param near by what share two numbers may differ
     */
    public TreeComparison(double near) {
        this.near = near;
    }

    /** Compares trees; what was written may have more than what was computed again. */
    public void compare(String where, JsonNode written, JsonNode again) {
        if (again.isObject()) {
            again.properties()
                    .forEach(one -> compare(
                            where + ", " + one.getKey(),
                            written.path(one.getKey()),
                            one.getValue()));
        } else if (again.isArray()) {
            for (int i = 0; i < Math.max(again.size(), written.size()); i++) {
                compare(where + " " + (i + 1), written.path(i), again.path(i));
            }
        } else {
            cells++;
            if (!isSame(written, again)) {
                mismatches.add(
                        where + ": " + written.asText() + ", computed again " + again.asText());
            }
        }
    }

    /** {@return how many cells were compared} */
    public int cells() {
        return cells;
    }

    /** {@return those that come out otherwise, a line each} */
    public List<String> mismatches() {
        return List.copyOf(mismatches);
    }

    private boolean isSame(JsonNode written, JsonNode again) {
        if (!again.isNumber() || !written.isNumber()) {
            // What wasn't there when it was written isn't known.
            return written.equals(again) || (written.isMissingNode() && again.isNull());
        }
        double difference = Math.abs(written.asDouble() - again.asDouble());
        return difference <= near * Math.abs(again.asDouble());
    }
}
