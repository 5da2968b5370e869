package org.hubmark.bench.mail.document;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Values of {@link Condition}s. In a file each stands under its key, null where it isn't known.
 *
 * @param known those that are
 */
public record Setup(Map<Condition, Object> known) {
    /** Nothing is known. */
    public static final Setup UNKNOWN = new Setup(Map.of());

    /** Copies the map. */
    public Setup {
        known = Map.copyOf(known);
        known.forEach(Condition::checked);
    }

    /** {@return the values of a scenario, or of what scenarios have in common, by key} */
    @JsonCreator
    public static Setup of(Map<String, @Nullable Object> names) {
        Map<Condition, Object> values = new EnumMap<>(Condition.class);
        for (Condition condition : Condition.values()) {
            Object value = names.get(condition.key());
            if (value != null && !value.equals("")) {
                values.put(condition, condition.typed(value));
            }
        }
        return new Setup(values);
    }

    /** {@return all values by key; null where one isn't known} */
    @JsonValue
    public Map<String, @Nullable Object> names() {
        Map<String, @Nullable Object> names = new LinkedHashMap<>();
        for (Condition condition : Condition.values()) {
            names.put(condition.key(), known.get(condition));
        }
        return names;
    }

    /** {@return a value; null when it isn't known} */
    public @Nullable Object get(Condition condition) {
        return known.get(condition);
    }

    /** {@return the same with a value; null when it isn't known} */
    public Setup with(Condition condition, @Nullable Object value) {
        Map<Condition, Object> values = new EnumMap<>(Condition.class);
        values.putAll(known);
        if (value == null) {
            values.remove(condition);
        } else {
            values.put(condition, value);
        }
        return new Setup(values);
    }

    /** {@return the conditions of which several have more than one value, unknown being one} */
    public static List<Condition> varied(Collection<Setup> setups) {
        return Arrays.stream(Condition.values())
                .filter(condition -> setups.stream()
                                .map(setup -> Optional.ofNullable(setup.get(condition)))
                                .distinct()
                                .count()
                        > 1)
                .toList();
    }

    /** {@return a word or two for each of the conditions that is known} */
    public List<String> words(Collection<Condition> conditions) {
        return conditions.stream()
                .flatMap(condition -> condition.word(get(condition)).stream())
                .toList();
    }
}
