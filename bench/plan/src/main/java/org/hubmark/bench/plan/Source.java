package org.hubmark.bench.plan;

import com.fasterxml.jackson.annotation.JsonValue;

import org.jspecify.annotations.Nullable;

import java.util.Locale;

/**
 * Where a value is from.
 *
 * @param where the file, the publication, or why it is assumed; the option of what was given
 */
public record Source(Kind kind, String where) {
    /** The kinds, the most trustworthy first. */
    public enum Kind {
        MEASURED,
        PUBLISHED,
        GIVEN,
        ASSUMPTION;

        /** {@return its name in files} */
        @JsonValue
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Was measured. {@return it} */
    public static Source measured(String where) {
        return new Source(Kind.MEASURED, where);
    }

    /** Stands in a publication. {@return it} */
    public static Source published(String where) {
        return new Source(Kind.PUBLISHED, where);
    }

    /** Was given on the command line. {@return it} */
    public static Source given(String option) {
        return new Source(Kind.GIVEN, option);
    }

    /** Is assumed. {@return it} */
    public static Source assumed(String why) {
        return new Source(Kind.ASSUMPTION, why);
    }

    /** {@return the option that gave it; null where it is from elsewhere} */
    public @Nullable String option() {
        return kind == Kind.GIVEN && where.startsWith("--") ? where : null;
    }

    /** {@return it in words} */
    public String words() {
        return kind.text() + (kind == Kind.ASSUMPTION ? ": " : ", ") + where;
    }
}
