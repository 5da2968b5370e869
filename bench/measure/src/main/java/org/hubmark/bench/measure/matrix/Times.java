package org.hubmark.bench.measure.matrix;

import java.time.Duration;

/** Times as people say them. */
public final class Times {
    private static final Duration IN_SECONDS = Duration.ofSeconds(100);

    private Times() {}

    /** {@return seconds, or from 100 s on minutes, or hours and minutes} */
    public static String text(Duration time) {
        if (time.compareTo(IN_SECONDS) < 0) {
            return time.toSeconds() + " s";
        }
        long minutes = time.plusSeconds(30).toMinutes();
        return minutes < 60 ? minutes + " min" : minutes / 60 + " h " + minutes % 60 + " min";
    }
}
