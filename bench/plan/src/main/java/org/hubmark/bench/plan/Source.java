package org.hubmark.bench.plan;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonValue;

import org.hubmark.bench.kit.document.Amount;
import org.hubmark.bench.kit.statistics.Interval;
import org.jspecify.annotations.Nullable;

import java.util.Locale;

/**
 * Where a value is from, and within what it lies.
 *
 * @param where the file, the publication, or why it is assumed; empty for what was given
 * @param interval of 95 % where it was measured in repeats, or as it was given; null where none is known
 */
public record Source(Kind kind, String where, @Nullable Interval interval) {
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
        return new Source(Kind.MEASURED, where, null);
    }

    /** Stands in a publication. {@return it} */
    public static Source published(String where) {
        return new Source(Kind.PUBLISHED, where, null);
    }

    /** Was given on the command line. {@return it} */
    public static Source given(String option) {
        return new Source(Kind.GIVEN, option, null);
    }

    /** Is assumed. {@return it} */
    public static Source assumed(String why) {
        return new Source(Kind.ASSUMPTION, why, null);
    }

    /** {@return the same, of a value within an interval} */
    public Source within(@Nullable Interval bounds) {
        return new Source(kind, where, bounds);
    }

    /** {@return where it is from, with the interval if there is one} */
    String known() {
        return interval == null
                ? where
                : where + ", within " + Amount.of(interval.low(), "").text() + " to "
                        + Amount.of(interval.high(), "").text();
    }

    /** {@return whether nobody has measured, published or given it} */
    @JsonIgnore
    public boolean isAssumption() {
        return kind == Kind.ASSUMPTION;
    }

    /** {@return the option that gave it; null where it is from elsewhere} */
    public @Nullable String option() {
        return kind == Kind.GIVEN && where.startsWith("--") ? where : null;
    }

    /** {@return it in words} */
    public String words() {
        return switch (kind) {
            case MEASURED -> "measured, " + known();
            case PUBLISHED -> "published, " + where;
            case GIVEN -> "given, " + known();
            case ASSUMPTION -> "assumption: " + where;
        };
    }
}
