package org.hubmark.bench.mail.document;

import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Name;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Under which a scenario was measured. In the file they stand flat in the scenario.
 *
 * @param setup what is known of each {@link Condition}
 * @param safety whether acknowledged mail can be lost when the power fails
 */
public record Conditions(Setup setup, Safety safety) {
    private static final String SEARCHED = "max-sustained";

    /** What is known of a server that isn't ours: nothing. */
    public static final Conditions UNKNOWN = new Conditions(Setup.UNKNOWN, Safety.UNKNOWN);

    private static final Name UNSAFE = Name.note("unsafe", "");

    private static final Name UNSAFE_REASON = Name.note("unsafe_reason", "");

    /** Names that a scenario has of them. */
    static final List<Name> NAMES = Stream.concat(
                    Arrays.stream(Condition.values()).map(one -> Name.note(one.key(), "")),
                    Stream.of(UNSAFE, UNSAFE_REASON))
            .toList();

    /** {@return those of a scenario, by its names} */
    static Conditions of(Map<String, @Nullable Object> names) {
        Object danger = names.get(UNSAFE_REASON.key());
        return new Conditions(
                Setup.of(names),
                new Safety(
                        Document.typed(names.get(UNSAFE.key()), Boolean.class),
                        danger == null ? List.of() : List.of(danger.toString())));
    }

    /** {@return the names of a scenario that is measured under them} */
    public Map<String, @Nullable Object> names() {
        Map<String, @Nullable Object> names = new LinkedHashMap<>(setup.names());
        names.put(UNSAFE.key(), safety.unsafe());
        names.put(UNSAFE_REASON.key(), safety.unsafeReason());
        return names;
    }

    /** {@return a value; null when it isn't known} */
    public @Nullable Object get(Condition condition) {
        return setup.get(condition);
    }

    /** {@return the same with a value; null when it isn't known} */
    public Conditions with(Condition condition, @Nullable Object value) {
        return new Conditions(setup.with(condition, value), safety);
    }

    /** {@return the same with a value, unless one is known already} */
    public Conditions or(Condition condition, @Nullable Object value) {
        return setup.get(condition) == null ? with(condition, value) : this;
    }

    /** {@return the same with what is known of its safety} */
    public Conditions with(Safety known) {
        return new Conditions(setup, known);
    }

    /** {@return whether the rate is the highest that a search found to be sustained} */
    public boolean rateSearched() {
        return SEARCHED.equals(setup.get(Condition.ASKED_RATE));
    }
}
