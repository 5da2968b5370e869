package org.hubmark.bench.users.result;

import org.hubmark.bench.kit.document.Column;
import org.jspecify.annotations.Nullable;

import java.util.function.Function;

/**
 * A figure of the load of a user and day.
 *
 * @param measured of all runs together
 * @param stated what a profile or its source says of it
 */
public record DayFigure(Column measured, Function<PerUserDay, @Nullable Double> stated) {
    /** {@return what a profile or its source says of it; null where that is nothing} */
    public @Nullable Double of(@Nullable PerUserDay day) {
        return day == null ? null : stated.apply(day);
    }
}
