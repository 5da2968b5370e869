package org.hubmark.bench.mail.document;

import org.hubmark.bench.hub.LogGroups;
import org.hubmark.bench.kit.statistics.Inference;
import org.hubmark.bench.mail.document.Figures.Clock;
import org.hubmark.bench.mail.document.Figures.Counts;
import org.hubmark.bench.mail.document.Figures.Limiting;
import org.hubmark.bench.mail.document.Figures.QueueMax;
import org.hubmark.bench.mail.document.Results.CounterSource;
import org.hubmark.bench.mail.document.Results.DriverLateness;
import org.hubmark.bench.mail.document.Results.OpenAtEnd;
import org.hubmark.bench.mail.document.Results.QueueResidence;
import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * The figures of a scenario, made of those of its repeats: the median of each number where it is known
 * and what follows from those, the most frequent of each text, the sum of each count of messages, the worst of what speaks of the driver.
 */
public final class Medians {
    private Medians() {}

    /**
     * {@return them}
     *
     * @param measured what is made of counters
     * @param latencies of all repeats together, since percentiles can't be averaged
     * @param residence the same of the time in the queue
     */
    public static Figures of(
            List<Figures> repeats,
            Measured measured,
            Latencies latencies,
            @Nullable QueueResidence residence) {
        List<Double> lengths = known(repeats, figures -> {
            Long length = figures.queue().aggregateQueueLengthMaxMsgs();
            return length == null ? null : (Double) length.doubleValue();
        });
        List<Double> sizes = known(repeats, figures -> figures.queue().queueSizeMaxMb());
        return new Figures(
                limiting(repeats),
                measured,
                new QueueMax(
                        lengths.isEmpty() ? null : (Long) Math.round(Inference.median(lengths)),
                        sizes.isEmpty() ? null : (Double) Inference.median(sizes)),
                new CounterSource(
                        mostFrequent(known(
                                repeats, figures -> figures.counterSource().log())),
                        mostFrequent(known(
                                repeats, figures -> figures.counterSource().queue()))),
                LogGroups.sum(known(repeats, figures -> figures.groups())),
                latencies,
                residence,
                open(known(repeats, figures -> figures.openAtEnd())),
                worst(known(repeats, figures -> figures.driverLatenessMs())),
                Counts.sum(repeats.stream().map(Figures::counts).toList()),
                clock(repeats));
    }

    private static Clock clock(List<Figures> repeats) {
        Clock all = new Clock(
                null,
                null,
                mostFrequent(known(repeats, figures -> figures.clock().cyclesSource())));
        for (Figures repeat : repeats) {
            all = all.with(repeat.clock().cpuClockMhzMin()).with(repeat.clock().cpuClockMhzMax());
        }
        return all;
    }

    /** Sums, and the oldest of all. */
    private static @Nullable OpenAtEnd open(List<OpenAtEnd> repeats) {
        return repeats.isEmpty()
                ? null
                : new OpenAtEnd(
                        repeats.stream().mapToLong(OpenAtEnd::unansweredMsgs).sum(),
                        repeats.stream().mapToLong(OpenAtEnd::unsentMsgs).sum(),
                        repeats.stream()
                                .map(OpenAtEnd::oldestMs)
                                .filter(Objects::nonNull)
                                .max(Double::compare)
                                .orElse(null));
    }

    /** The largest of each: a driver that was late once spoils that repeat. */
    private static @Nullable DriverLateness worst(List<DriverLateness> repeats) {
        return repeats.stream()
                .reduce((one, other) -> new DriverLateness(
                        Math.max(one.p50(), other.p50()),
                        larger(one.p99(), other.p99()),
                        Math.max(one.max(), other.max())))
                .orElse(null);
    }

    private static @Nullable Double larger(@Nullable Double one, @Nullable Double other) {
        return one == null || (other != null && other > one) ? other : one;
    }

    /** The reason belongs to the resource that it speaks of. */
    private static Limiting limiting(List<Figures> repeats) {
        String name =
                mostFrequent(known(repeats, figures -> figures.limiting().limitingResource()));
        return repeats.stream()
                .map(Figures::limiting)
                .filter(one -> name != null && name.equals(one.limitingResource()))
                .findFirst()
                .orElse(Limiting.UNKNOWN);
    }

    private static <T> List<T> known(List<Figures> repeats, Function<Figures, @Nullable T> of) {
        return repeats.stream()
                .map(of)
                .filter(Objects::nonNull)
                .map(value -> Objects.requireNonNull(value))
                .toList();
    }

    private static @Nullable String mostFrequent(List<String> known) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        known.forEach(value -> counts.merge(value, 1, Integer::sum));
        String best = null;
        int most = 0;
        for (Map.Entry<String, Integer> entry : counts.entrySet()) {
            if (entry.getValue() > most) {
                best = entry.getKey();
                most = entry.getValue();
            }
        }
        return best;
    }
}
