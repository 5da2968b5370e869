package org.hubmark.bench.load;

import org.hubmark.core.Durations;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Pace of the load, set by the server or by the clock. */
public sealed interface Pace {
    /** Messages a second; more is no rate but a typing error. */
    double RATE_MAX = 10_000_000;

    /** Each connection sends its next message when its last one was answered. */
    record ClosedLoop() implements Pace {}

    /**
     * Messages are intended by the clock, whatever the server does. Until {@link
     * LoadDriver#beginStages} the first rate holds, after the last stage its last one.
     *
     * @param seed of Poisson arrivals
     */
    record OpenLoop(List<Stage> stages, Arrivals arrivals, long seed) implements Pace {
        /** Takes a copy. */
        public OpenLoop {
            if (stages.isEmpty()) {
                throw new IllegalArgumentException("an open loop has a rate");
            }
            stages = List.copyOf(stages);
        }

        /** {@return a loop of one rate} */
        public static OpenLoop of(double ratePerSecond, Arrivals arrivals, long seed) {
            return new OpenLoop(
                    List.of(new Stage(ratePerSecond, ratePerSecond, Duration.ofSeconds(1))),
                    arrivals,
                    seed);
        }

        /** {@return whether the rate changes with time} */
        public boolean changes() {
            return stages.size() > 1 || stages.getFirst().changes();
        }
    }

    /**
     * The highest rate that the server sustains, which has to be searched before anything is measured
     * ({@code RunSession} does it); a driver can't start with it.
     *
     * @param latencyP99Max the p99 of the latency from the intended start may be so long
     * @param seed of Poisson arrivals
     */
    record MaxSustained(Duration latencyP99Max, Arrivals arrivals, long seed) implements Pace {
        /** What asks for it, as options and results have it. */
        public static final String NAME = "max-sustained";

        /** Checks the limit. */
        public MaxSustained {
            if (!latencyP99Max.isPositive()) {
                throw new IllegalArgumentException("a limit of latency is more than 0");
            }
        }
    }

    /**
     * A time in which the rate is the same or changes evenly.
     *
     * @param fromPerSecond messages a second at its begin
     * @param toPerSecond messages a second at its end
     */
    record Stage(double fromPerSecond, double toPerSecond, Duration time) {
        /** Checks the numbers. */
        public Stage {
            if (!(fromPerSecond > 0
                    && fromPerSecond <= RATE_MAX
                    && toPerSecond > 0
                    && toPerSecond <= RATE_MAX
                    && time.isPositive())) {
                throw new IllegalArgumentException(
                        "a rate is above 0 and up to " + (long) RATE_MAX + ", its time above 0");
            }
        }

        boolean changes() {
            return fromPerSecond != toPerSecond;
        }
    }

    /** {@return messages a second on the average of all stages, or null where no rate is asked} */
    default @Nullable Double ratePerSecond() {
        return switch (this) {
            case ClosedLoop closed -> null;
            case MaxSustained search -> null;
            case OpenLoop open -> {
                double messages = 0;
                for (Stage stage : open.stages) {
                    messages += (stage.fromPerSecond + stage.toPerSecond) / 2 * seconds(stage.time);
                }
                yield messages / seconds(total(open));
            }
        };
    }

    /** {@return how long all stages take, or null where the rate doesn't change} */
    default @Nullable Duration stagesTime() {
        return this instanceof OpenLoop open && open.changes() ? total(open) : null;
    }

    /**
     * Reads max, or stages: {@code N[..M][/TIME][,...]}, a rate or a ramp from one to another, for a
     * time.
     *
     * @param each the time of a stage that names none
     * @throws IllegalArgumentException with what is allowed
     */
    static Pace parse(String text, Duration each, Arrivals arrivals, long seed) {
        if (text.equals("max")) {
            return new ClosedLoop();
        }
        List<Stage> stages = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            int slash = part.indexOf('/');
            String rates = slash < 0 ? part : part.substring(0, slash);
            int dots = rates.indexOf("..");
            try {
                double from = Double.parseDouble(dots < 0 ? rates : rates.substring(0, dots));
                double to = dots < 0 ? from : Double.parseDouble(rates.substring(dots + 2));
                Duration time = slash < 0 ? each : Durations.parse(part.substring(slash + 1));
                stages.add(new Stage(from, to, time));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("'" + text
                        + "' is not max or a number of messages per second above 0 and up to "
                        + (long) RATE_MAX + ", nor steps (1000,2000,3000) or ramps"
                        + " (1000..5000/60s) of such numbers");
            }
        }
        return new OpenLoop(stages, arrivals, seed);
    }

    private static Duration total(OpenLoop open) {
        return open.stages.stream().map(Stage::time).reduce(Duration.ZERO, Duration::plus);
    }

    private static double seconds(Duration time) {
        return time.toNanos() / 1e9;
    }
}
