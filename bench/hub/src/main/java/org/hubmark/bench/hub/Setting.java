package org.hubmark.bench.hub;

import java.util.Map;
import java.util.TreeMap;

/** Values of settings as results.json has them. */
public final class Setting {
    private Setting() {}

    /** {@return the same of many, by key} */
    public static Map<String, Object> typed(Map<String, String> texts) {
        Map<String, Object> typed = new TreeMap<>();
        texts.forEach((key, text) -> typed.put(key, typed(text)));
        return typed;
    }

    /** {@return a number or a truth value as such, and all else as text} */
    public static Object typed(String text) {
        if (text.equals("true") || text.equals("false")) {
            return Boolean.valueOf(text);
        }
        return text.matches("\\d{1,18}") ? Long.valueOf(text) : text;
    }
}
