package org.hubmark.bench.cli;

import java.time.Duration;
import java.util.Locale;

/** How long a result that is to be published is measured, for each size. */
enum PublishForm {
    /** Half an hour or so. */
    SHORT(5, Duration.ofSeconds(60)),
    /** About 2 hours: what a drive does after an hour of writing shows. */
    STANDARD(5, Duration.ofMinutes(18)),
    /** 24 hours, each of which is a repeat and judged by itself. */
    DAY(24, Duration.ofMinutes(53));

    private final int repeats;
    private final Duration duration;

    PublishForm(int repeats, Duration duration) {
        this.repeats = repeats;
        this.duration = duration;
    }

    int repeats() {
        return repeats;
    }

    /** {@return the measured time of each} */
    Duration duration() {
        return duration;
    }

    /** {@return the name on the command line and in files} */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
