package org.hubmark.bench.mail.compare;

import org.hubmark.bench.mail.document.Condition;
import org.hubmark.bench.mail.document.Results;
import org.hubmark.bench.mail.document.Scenario;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * A condition that two scenarios were not measured under alike.
 *
 * @param name as {@code compare --across} takes it
 * @param text what it was in each
 */
public record Difference(String name, String text) {
    /** The size of messages. */
    static final String SIZE = "size";

    /** The hub's own, by key. */
    static final String SETTINGS = "settings";

    /** {@return the names of all conditions} */
    public static List<String> names() {
        return Stream.concat(
                        Stream.of(SIZE, SETTINGS),
                        Arrays.stream(Condition.values()).map(Condition::option))
                .toList();
    }

    /** {@return what is known of both and differs} */
    static List<Difference> between(Results first, Scenario from, Results second, Scenario to) {
        List<Difference> differences = new ArrayList<>();
        if (from.messageSizeKb() != to.messageSizeKb()) {
            differences.add(new Difference(
                    SIZE, from.messageSizeKb() + " KB and " + to.messageSizeKb() + " KB"));
        }
        for (Condition condition : Condition.values()) {
            Object before = from.conditions().get(condition);
            Object after = to.conditions().get(condition);
            if (before != null && after != null && !before.equals(after)) {
                differences.add(new Difference(condition.option(), before + " and " + after));
            }
        }
        for (String key : new TreeSet<>(first.provenance().settings().keySet())) {
            Object before = first.provenance().settings().get(key);
            Object after = second.provenance().settings().get(key);
            // The options of the commands have no dot; those that matter are conditions.
            if (key.contains(".")
                    && before != null
                    && after != null
                    && !before.toString().equals(after.toString())) {
                differences.add(new Difference(SETTINGS, key + " " + before + " and " + after));
            }
        }
        return differences;
    }

    /** {@return what is known of one and not of the other, or differs without being a condition} */
    static List<String> remarks(Results first, Scenario from, Results second, Scenario to) {
        List<String> remarks = new ArrayList<>();
        for (Condition condition : Condition.values()) {
            Object before = from.conditions().get(condition);
            Object after = to.conditions().get(condition);
            if (before == null != (after == null)) {
                remarks.add(condition.option() + " is known of " + (before == null ? "B" : "A")
                        + " only: " + (before == null ? after : before));
            }
        }
        for (String key : List.of("duration", "warmup", "warmup-max")) {
            Object before = known(first.provenance().settings(), key);
            Object after = known(second.provenance().settings(), key);
            if (!before.equals("") && !after.equals("") && !before.equals(after)) {
                remarks.add(key + " differs: " + before + " and " + after);
            }
        }
        return remarks;
    }

    private static Object known(Map<String, @Nullable Object> settings, String key) {
        return Objects.requireNonNullElse(settings.get(key), "");
    }
}
