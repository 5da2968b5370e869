package org.hubmark.bench.mail.report;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.mail.document.HubStudy;
import org.hubmark.bench.mail.document.Scenario;
import org.jspecify.annotations.Nullable;

import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A figure of a scenario, or what else is known of one.
 *
 * @param key its name in results.json; a dot leads into an object
 * @param value null where it isn't known
 * @param ofRepeat the same, or what it is a range of, in a repeat; null where repeats don't have it
 * @param otherEnd of a range over the repeats; null for all else
 */
record Field(
        String key,
        Function<Scenario, @Nullable Object> value,
        Function<Scenario.Repeat, @Nullable Double> ofRepeat,
        @Nullable Function<Scenario, @Nullable Double> otherEnd) {
    /** {@return what repeats don't have} */
    static Field read(String key, Function<Scenario, @Nullable Object> value) {
        return new Field(key, value, repeat -> null, null);
    }

    /** {@return a figure of the catalogue, or a latency} */
    static Field of(Column column) {
        return new Field(
                column.key(), scenario -> scenario.get(column), repeat -> repeat.get(column), null);
    }

    /** {@return the same of scenarios of a kind; of others it isn't known} */
    Field where(Predicate<Scenario> kind) {
        return new Field(
                key,
                scenario -> kind.test(scenario) ? value.apply(scenario) : null,
                ofRepeat,
                otherEnd);
    }

    /** {@return its number; null where it isn't known or is none} */
    @Nullable
    Double number(Scenario scenario) {
        return value.apply(scenario) instanceof Number number
                ? (Double) number.doubleValue()
                : null;
    }

    /** {@return what was published of it; null where nothing was} */
    @Nullable
    Object published(HubStudy.Published column) {
        if (equals(Fields.LIMIT)) {
            return column.limitingResource();
        }
        if (equals(Fields.SIZE)) {
            return column.messageSizeKb();
        }
        return column.figures().get(key);
    }
}
