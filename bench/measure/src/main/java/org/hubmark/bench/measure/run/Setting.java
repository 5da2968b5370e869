package org.hubmark.bench.measure.run;

/** Values of settings as results.json has them. */
public final class Setting {
    private Setting() {}

    /** {@return a number or a truth value as such, and all else as text} */
    public static Object typed(String text) {
        if (text.equals("true") || text.equals("false")) {
            return Boolean.valueOf(text);
        }
        return text.matches("\\d{1,18}") ? Long.valueOf(text) : text;
    }
}
