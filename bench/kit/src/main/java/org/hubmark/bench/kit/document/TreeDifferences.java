package org.hubmark.bench.kit.document;

import com.fasterxml.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What differs between two trees, leaf by leaf, in words. */
final class TreeDifferences {
    private static final String NONE = "nothing";

    private TreeDifferences() {}

    /**
     * {@return a line for each leaf that differs; none where the trees are alike}
     *
     * @param where name of what is compared
     */
    static List<String> of(String where, JsonNode then, JsonNode now) {
        List<String> lines = new ArrayList<>();
        compare(where, then, now, lines);
        return lines;
    }

    private static void compare(String where, JsonNode then, JsonNode now, List<String> lines) {
        if (then.isObject() || now.isObject()) {
            Set<String> keys = new LinkedHashSet<>();
            then.fieldNames().forEachRemaining(keys::add);
            now.fieldNames().forEachRemaining(keys::add);
            keys.forEach(key -> compare(
                    where.isEmpty() ? key : where + ", " + key,
                    then.path(key),
                    now.path(key),
                    lines));
        } else if (then.isArray() || now.isArray()) {
            for (int i = 0; i < Math.max(then.size(), now.size()); i++) {
                compare(where + " " + (i + 1), then.path(i), now.path(i), lines);
            }
        } else if (!isSame(then, now)) {
            lines.add(where + " was " + text(then) + " and is " + text(now));
        }
    }

    private static boolean isSame(JsonNode then, JsonNode now) {
        if (then.isNumber() && now.isNumber()) {
            return Double.compare(then.asDouble(), now.asDouble()) == 0;
        }
        return text(then).equals(text(now));
    }

    private static String text(JsonNode leaf) {
        return leaf.isNull() || leaf.isMissingNode() ? NONE : leaf.asText();
    }
}
