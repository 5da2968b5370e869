package org.hubmark.bench.mail.document;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Locale;

/**
 * Resource that limited the rate. In the file its parts stand flat.
 *
 * @param limitingResource cpu, log_volume, queue_volume, driver or rate; null where it isn't known
 * @param limitingReason why it is that, with the figures, in words
 * @param limitingLift what would lift the limit, in words
 */
public record Limiting(
        @Nullable String limitingResource,
        @Nullable String limitingReason,
        @Nullable String limitingLift) {
    /** What nothing is known of. */
    public static final Limiting UNKNOWN = new Limiting(null, null, null);

    /** The log volume, as a resource. */
    public static final String LOG = "log_volume";

    /** What lifts a limit of it. */
    public static final String LIFT_LOG =
            "a faster log device, such as one with a protected write cache";

    /** From here on, percent, a resource counts as used up. */
    public static final double BUSY_PERCENT = 90;

    /**
     * Largest share of the log device's rate that is plausible: the writer alone reached only 0.84 of what
     * fio wrote to the same device (docs/measurement.md), and 1 / 0.84 is 1.19.
     */
    private static final double DEVICE_PERCENT_MAX = 120;

    private static final String DRIVER = "driver";
    private static final String RATE = "rate";

    /** {@return whether the rate that was asked for is what kept it from being higher} */
    public boolean rateAsked() {
        return RATE.equals(limitingResource);
    }

    /** {@return the resource in words; null where it isn't known} */
    public @Nullable String words() {
        return limitingResource == null ? null : words(limitingResource);
    }

    /** {@return a resource in words: a file has {@code log_volume} and {@code cpu}} */
    public static String words(String resource) {
        return switch (resource) {
            case "cpu" -> "CPU";
            case "io" -> "I/O";
            default -> resource.replace('_', ' ');
        };
    }

    /**
     * {@return whether the log device alone was measured so much slower than the scenario itself that
     * something else held it down, as on a machine that is busy: it says nothing of how near the scenario
     * came}
     *
     * @param percent the share of it that the scenario reached
     */
    static boolean isMismeasured(double percent) {
        return percent > DEVICE_PERCENT_MAX;
    }

    /** {@return the most frequent of repeats} The reason belongs to the resource that it speaks of. */
    static Limiting of(List<Limiting> repeats) {
        String name = Scenario.mostFrequent(
                repeats.stream().map(Limiting::limitingResource).toList());
        return repeats.stream()
                .filter(one -> name != null && name.equals(one.limitingResource))
                .findFirst()
                .orElse(UNKNOWN);
    }

    /**
     * {@return the same beside what the parts hold by themselves} A log that is written as fast as its
     * device takes the same groups limits, whatever else is busy; one that could take twice as much
     * is waited for, and not used up. A ceiling that was mismeasured says neither.
     *
     * @param log the share of the log device's ceiling that was reached, percent
     */
    public Limiting beside(@Nullable Double log) {
        String name = limitingResource;
        if (log == null
                || isMismeasured(log)
                || name == null
                || limitingReason == null
                || name.equals(DRIVER)
                || name.equals(RATE)) {
            return this;
        }
        if (log >= BUSY_PERCENT && !name.equals(LOG)) {
            return new Limiting(
                    LOG,
                    String.format(
                            Locale.ROOT,
                            "the rate is %.0f%% of what the log device holds by itself, written in"
                                    + " groups of the same size",
                            log),
                    LIFT_LOG);
        }
        return name.equals(LOG)
                ? new Limiting(
                        name,
                        String.format(
                                Locale.ROOT,
                                "%s; the rate is %.0f%% of what the device holds by itself",
                                limitingReason,
                                log),
                        limitingLift)
                : this;
    }
}
