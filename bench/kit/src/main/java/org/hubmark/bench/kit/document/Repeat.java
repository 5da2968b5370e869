package org.hubmark.bench.kit.document;

import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Counters of one repeat, from which all its figures follow. Immutable but for the histograms,
 * which nobody changes from then on.
 *
 * @param complete false if it was interrupted: it does not count if there are complete repeats, and
 *     is measured again when the study goes on
 * @param names what else is known of it, by key; null where that isn't known
 * @param counters by key; one that isn't known is missing
 * @param times nanoseconds, by key
 * @param parts what its parts counted, such as hosts, by the key of their table
 * @param samples what was counted in shares of its time, one behind the other: counters alone,
 *     which are kept beside the file, in {@link RawSamples#FILE}
 */
public record Repeat(
        boolean complete,
        Map<String, @Nullable Object> names,
        Map<String, Double> counters,
        Map<String, Histogram> times,
        Map<String, List<Repeat>> parts,
        List<Repeat> samples)
        implements Values {
    /**
     * Number of the sitting that it was counted in, where that is not the first: a run that was interrupted
     * went on in another process, maybe on another day.
     */
    public static final Formula.Counter SITTING = new Formula.Counter("sitting");

    private static final Histogram NONE = new Histogram(3);

    /** Copies. */
    public Repeat {
        names = Collections.unmodifiableMap(new LinkedHashMap<>(names));
        counters = Collections.unmodifiableMap(new LinkedHashMap<>(counters));
        times = Collections.unmodifiableMap(new LinkedHashMap<>(times));
        parts = Collections.unmodifiableMap(new LinkedHashMap<>(parts));
        samples = samples instanceof Series ? samples : List.copyOf(samples);
    }

    /** {@return one to take down counters in} */
    public static Builder counted() {
        return new Builder();
    }

    /** {@return the same that is called by something more} */
    public Repeat named(Name name, @Nullable Object value) {
        Map<String, @Nullable Object> all = new LinkedHashMap<>(names);
        all.put(name.key(), value);
        return new Repeat(complete, all, counters, times, parts, samples);
    }

    /** {@return the same, counted in a sitting, from 1} */
    Repeat of(int sitting) {
        if (sitting == 1) {
            return this;
        }
        Map<String, Double> all = new LinkedHashMap<>(counters);
        all.put(SITTING.key(), (double) sitting);
        return new Repeat(complete, names, all, times, parts, samples);
    }

    /** {@return whether it only says why nothing was counted} */
    public boolean isEmpty() {
        return !complete && counters.isEmpty();
    }

    /** {@return in which sitting it was counted, from 1} */
    int sitting() {
        return counters.getOrDefault(SITTING.key(), 1.0).intValue();
    }

    @Override
    public List<Repeat> parts(Form form) {
        return parts.getOrDefault(form.key(), List.of());
    }

    @Override
    public double count(Formula.Counter counter) {
        return counters.getOrDefault(counter.key(), Double.NaN);
    }

    @Override
    public Histogram times(Times wanted) {
        return times.getOrDefault(wanted.key(), NONE);
    }

    /** Takes down what was counted. One thread. */
    public static final class Builder {
        private final Map<String, @Nullable Object> names = new LinkedHashMap<>();
        private final Map<String, Double> counters = new LinkedHashMap<>();
        private final Map<String, Histogram> times = new LinkedHashMap<>();
        private final Map<String, List<Repeat>> parts = new LinkedHashMap<>();
        private List<Repeat> samples = List.of();
        private boolean complete = true;

        private Builder() {}

        /** Takes down whether it was measured to its end; it was unless this is called. */
        public Builder complete(boolean whole) {
            complete = whole;
            return this;
        }

        /** Takes down what it is called by, or what else is known of it. */
        public Builder name(Name name, @Nullable Object value) {
            names.put(name.key(), value);
            return this;
        }

        /** Takes down a counter; null or NaN where it isn't known. */
        public Builder count(Formula.Counter counter, @Nullable Number value) {
            if (value != null && !Double.isNaN(value.doubleValue())) {
                counters.put(counter.key(), value.doubleValue());
            }
            return this;
        }

        /** Takes down times; the histogram is not to be changed any more. */
        public Builder times(Times what, Histogram nanos) {
            times.put(what.key(), nanos);
            return this;
        }

        /** Takes down what the parts counted. */
        public Builder parts(Form form, List<Repeat> counted) {
            parts.put(form.key(), List.copyOf(counted));
            return this;
        }

        /** Takes down what was counted in shares of its time. */
        public Builder samples(List<Repeat> counted) {
            samples = counted;
            return this;
        }

        /** {@return all that was taken down} */
        public Repeat made() {
            return new Repeat(complete, names, counters, times, parts, samples);
        }
    }
}
