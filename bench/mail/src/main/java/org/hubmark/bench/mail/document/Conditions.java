package org.hubmark.bench.mail.document;

import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Name;
import org.hubmark.bench.load.Pace;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Under which a scenario was measured. In the file they stand flat in the scenario.
 *
 * @param known what is known of each {@link Condition}
 * @param safety whether acknowledged mail can be lost when the power fails
 */
public record Conditions(Map<Condition, Object> known, Safety safety) {
    /** What is known of a server that isn't ours: nothing. */
    public static final Conditions UNKNOWN = new Conditions(Map.of(), Safety.UNKNOWN);

    private static final Name UNSAFE = Name.note("unsafe", "");

    private static final Name UNSAFE_REASON = Name.note("unsafe_reason", "");

    /** Names that a scenario has of them. */
    static final List<Name> NAMES = Stream.concat(
                    Arrays.stream(Condition.values()).map(one -> Name.note(one.key(), "")),
                    Stream.of(UNSAFE, UNSAFE_REASON))
            .toList();

    /** Copies the map. */
    public Conditions {
        known = Map.copyOf(known);
    }

    /** {@return those of a scenario, by its names} */
    static Conditions of(Map<String, @Nullable Object> names) {
        Map<Condition, Object> known = new EnumMap<>(Condition.class);
        for (Condition condition : Condition.values()) {
            Object value = names.get(condition.key());
            if (value != null && !value.equals("")) {
                known.put(condition, condition.typed(value));
            }
        }
        Object danger = names.get(UNSAFE_REASON.key());
        return new Conditions(
                known,
                new Safety(
                        Document.typed(names.get(UNSAFE.key()), Boolean.class),
                        danger == null ? List.of() : List.of(danger.toString())));
    }

    /** {@return the names of a scenario that is measured under them; null where one isn't known} */
    public Map<String, @Nullable Object> names() {
        Map<String, @Nullable Object> names = new LinkedHashMap<>();
        for (Condition condition : Condition.values()) {
            names.put(condition.key(), known.get(condition));
        }
        names.put(UNSAFE.key(), safety.unsafe());
        names.put(UNSAFE_REASON.key(), safety.unsafeReason());
        return names;
    }

    /** {@return a value; null when it isn't known} */
    public @Nullable Object get(Condition condition) {
        return known.get(condition);
    }

    /** {@return the same with a value; null when it isn't known} */
    public Conditions with(Condition condition, @Nullable Object value) {
        Map<Condition, Object> values = new EnumMap<>(Condition.class);
        values.putAll(known);
        if (value == null) {
            values.remove(condition);
        } else {
            values.put(condition, value);
        }
        return new Conditions(values, safety);
    }

    /** {@return the same with a value, unless one is known already} */
    public Conditions or(Condition condition, @Nullable Object value) {
        return known.containsKey(condition) ? this : with(condition, value);
    }

    /** {@return the same with what is known of its safety} */
    public Conditions with(Safety other) {
        return new Conditions(known, other);
    }

    /** {@return whether the rate is the highest that a search found to be sustained} */
    public boolean rateSearched() {
        return Pace.MaxSustained.NAME.equals(known.get(Condition.ASKED_RATE));
    }

    /** {@return the conditions of which several have more than one value, unknown being one} */
    public static List<Condition> varied(Collection<Conditions> all) {
        return Arrays.stream(Condition.values())
                .filter(condition -> all.stream()
                                .map(one -> Optional.ofNullable(one.get(condition)))
                                .distinct()
                                .count()
                        > 1)
                .toList();
    }

    /** {@return a word or two for each of some conditions that is known} */
    public List<String> words(Collection<Condition> some) {
        return some.stream()
                .flatMap(condition -> condition.word(get(condition)).stream())
                .toList();
    }
}
