package org.hubmark.core;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Settings of an operator. The line that reads a setting states its key, its default and its
 * meaning; there is no other list. One thread, at start.
 *
 * <p>A key that nobody read stops the start: {@link #requireAllRead}.
 */
public final class Settings {
    private final Map<String, String> given;
    private final Map<String, Entry> read = new TreeMap<>();

    /**
     * One setting as it was read.
     *
     * @param key its name
     * @param value what is in force, as text
     * @param defaultValue what would be in force if it were not set, as text
     * @param meaning what it does, with its unit and source
     */
    public record Entry(String key, String value, String defaultValue, String meaning) {}

    /** Settings from texts under their keys. */
    public Settings(Map<String, String> given) {
        this.given = new TreeMap<>(given);
    }

    /** {@return settings that are all at their defaults} */
    public static Settings defaults() {
        return new Settings(Map.of());
    }

    /** Reads a time such as {@code 5m}. */
    public Duration duration(String key, Duration defaultValue, String meaning) {
        return value(key, defaultValue, Durations::format, Durations::parse, meaning);
    }

    /** Reads a size in bytes such as {@code 64KiB}. */
    public long bytes(String key, long defaultValue, String meaning) {
        return value(key, defaultValue, ByteSize::format, ByteSize::parse, meaning);
    }

    /** Reads a whole number from {@code min} to {@code max}. */
    public int count(String key, int defaultValue, int min, int max, String meaning) {
        return value(
                key, defaultValue, String::valueOf, text -> parseCount(text, min, max), meaning);
    }

    /** Reads {@code true} or {@code false}. */
    public boolean flag(String key, boolean defaultValue, String meaning) {
        return value(key, defaultValue, String::valueOf, Settings::parseFlag, meaning);
    }

    /** Reads a text. */
    public String text(String key, String defaultValue, String meaning) {
        return value(key, defaultValue, Function.identity(), Function.identity(), meaning);
    }

    /** {@return every setting read so far, by key} */
    public Collection<Entry> entries() {
        return read.values();
    }

    /**
     * Ends the reading.
     *
     * @param gone keys that an earlier version read, each with what takes its place
     * @throws IllegalArgumentException if a key was given that nobody read; it names them all
     */
    public void requireAllRead(Map<String, String> gone) {
        Set<String> unknown = new TreeSet<>(given.keySet());
        unknown.removeAll(read.keySet());
        for (String key : unknown) {
            if (gone.containsKey(key)) {
                throw new IllegalArgumentException("setting " + key + " is gone: " + gone.get(key));
            }
        }
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException("unknown setting "
                    + String.join(", ", unknown)
                    + " (docs/settings.md lists what there is)");
        }
    }

    private <T> T value(
            String key,
            T defaultValue,
            Function<T, String> format,
            Function<String, T> parse,
            String meaning) {
        String text = given.get(key);
        T value;
        try {
            value = text == null ? defaultValue : parse.apply(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("setting " + key + ": " + e.getMessage(), e);
        }
        read.put(key, new Entry(key, format.apply(value), format.apply(defaultValue), meaning));
        return value;
    }

    private static int parseCount(String text, int min, int max) {
        try {
            int value = Integer.parseInt(text);
            if (value >= min && value <= max) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Said below, with the range.
        }
        throw new IllegalArgumentException(
                "'" + text + "' is not a whole number from " + min + " to " + max);
    }

    private static boolean parseFlag(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("'" + text + "' is not true or false");
        };
    }
}
