package org.hubmark.bench.kit.document;

import com.fasterxml.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Compares two trees, leaf by leaf. One thread. */
public final class TreeComparison {
    private static final String NONE = "nothing";

    private final double near;
    private final boolean isWhole;
    private final String words;
    private final List<String> mismatches = new ArrayList<>();
    private int cells;

    /**
     * Begins to compare what was written, which may have more, with what comes out when it is computed again.
     *
     * @param near by what share two numbers may differ
     */
    public TreeComparison(double near) {
        this(near, false, "%s: %s, computed again %s");
    }

    private TreeComparison(double near, boolean isWhole, String words) {
        this.near = near;
        this.isWhole = isWhole;
        this.words = words;
    }

    /**
     * {@return a line for each leaf that differs; none where the trees are alike}
     *
     * @param where name of what is compared; may be empty
     */
    static List<String> differences(String where, JsonNode then, JsonNode now) {
        TreeComparison all = new TreeComparison(0, true, "%s was %s and is %s");
        all.compare(where, then, now);
        return all.mismatches();
    }

    /** Compares trees. */
    public void compare(String where, JsonNode then, JsonNode now) {
        if (now.isObject() || (isWhole && then.isObject())) {
            Set<String> keys = new LinkedHashSet<>();
            (isWhole ? then : now).fieldNames().forEachRemaining(keys::add);
            now.fieldNames().forEachRemaining(keys::add);
            keys.forEach(key -> compare(
                    where.isEmpty() ? key : where + ", " + key, then.path(key), now.path(key)));
        } else if (now.isArray() || (isWhole && then.isArray())) {
            for (int i = 0; i < Math.max(then.size(), now.size()); i++) {
                compare(where + " " + (i + 1), then.path(i), now.path(i));
            }
        } else {
            cells++;
            if (!isSame(then, now)) {
                mismatches.add(words.formatted(where, text(then), text(now)));
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

    private boolean isSame(JsonNode then, JsonNode now) {
        if (then.isNumber() && now.isNumber()) {
            double difference = Math.abs(then.asDouble() - now.asDouble());
            return difference <= near * Math.abs(now.asDouble());
        }
        // What wasn't there when it was written isn't known.
        return isWhole
                ? text(then).equals(text(now))
                : then.equals(now) || (then.isMissingNode() && now.isNull());
    }

    private static String text(JsonNode leaf) {
        return leaf.isNull() || leaf.isMissingNode() ? NONE : leaf.asText();
    }
}
