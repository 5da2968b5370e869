package org.hubmark.bench.kit.document;

import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What was counted in one repeat: all that its figures are made of. Immutable but for the histograms,
 * which nobody changes from then on.
 *
 * @param complete false where it was interrupted: it then counts for nothing beside complete ones, and is
 *     measured again when the study goes on
 * @param names what else is known of it, by key; null where that isn't known
 * @param counters by key; one that isn't known is missing
 * @param times nanoseconds, by key
 * @param parts what its parts counted, such as hosts, by the key of their table
 */
public record Repeat(
        boolean complete,
        Map<String, @Nullable Object> names,
        Map<String, Double> counters,
        Map<String, Histogram> times,
        Map<String, List<Repeat>> parts) {
    private static final Histogram NONE = new Histogram(3);
    private static final Curve NO_POINTS = new Curve(List.of());

    /** Copies. */
    public Repeat {
        names = Collections.unmodifiableMap(new LinkedHashMap<>(names));
        counters = Collections.unmodifiableMap(new LinkedHashMap<>(counters));
        times = Collections.unmodifiableMap(new LinkedHashMap<>(times));
        parts = Collections.unmodifiableMap(new LinkedHashMap<>(parts));
    }

    /** {@return several as one: a counter that one of them lacks is not known} */
    static Repeat together(List<Repeat> all) {
        Map<String, Double> counters = new LinkedHashMap<>(all.getFirst().counters);
        Map<String, Histogram> times = new LinkedHashMap<>();
        for (Repeat one : all) {
            counters.keySet().retainAll(one.counters.keySet());
            one.times.forEach((key, nanos) ->
                    times.computeIfAbsent(key, unused -> new Histogram(3)).add(nanos));
        }
        counters.replaceAll((key, value) ->
                all.stream().mapToDouble(one -> one.counters.get(key)).sum());
        return new Repeat(true, Map.of(), counters, times, Map.of());
    }

    /** {@return one to take down counters in} */
    public static Builder counted() {
        return new Builder();
    }

    /** {@return a counter; NaN where it isn't known} */
    public double count(Formula.Counter counter) {
        return counters.getOrDefault(counter.key(), Double.NaN);
    }

    /** {@return times; an empty histogram where there are none, not to be changed} */
    public Histogram times(Times wanted) {
        return times.getOrDefault(wanted.key(), NONE);
    }

    /** {@return a curve; one without points where there is none} */
    public Curve curve(Formula.CurveInput wanted) {
        Object kept = names.get(wanted.key());
        Curve curve = kept instanceof Curve given ? given : Document.typed(kept, Curve.class);
        return curve == null ? NO_POINTS : curve;
    }

    /** {@return a name as text; empty where it isn't known} */
    public String name(Name name) {
        Object value = names.get(name.key());
        return value == null ? "" : value.toString();
    }

    /** {@return a name that is a list; none where it isn't known} */
    public List<String> texts(Name name) {
        return Name.texts(names.get(name.key()));
    }

    /** {@return a name that is a number; NaN where it is none} */
    double number(Name name) {
        return names.get(name.key()) instanceof Number number ? number.doubleValue() : Double.NaN;
    }

    /** Takes down what was counted. One thread. */
    public static final class Builder {
        private final Map<String, @Nullable Object> names = new LinkedHashMap<>();
        private final Map<String, Double> counters = new LinkedHashMap<>();
        private final Map<String, Histogram> times = new LinkedHashMap<>();
        private final Map<String, List<Repeat>> parts = new LinkedHashMap<>();
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

        /** Takes down a counter; null where it isn't known. */
        public Builder count(Formula.Counter counter, @Nullable Number value) {
            if (value != null) {
                counters.put(counter.key(), value.doubleValue());
            }
            return this;
        }

        /** Takes down times; the histogram is not to be changed any more. */
        public Builder times(Times what, Histogram nanos) {
            times.put(what.key(), nanos);
            return this;
        }

        /** Takes down what was measured at several points. */
        public Builder curve(Formula.CurveInput what, Curve curve) {
            return name(what.name(), curve);
        }

        /** Takes down what the parts counted. */
        public Builder parts(Form form, List<Repeat> counted) {
            parts.put(form.key(), List.copyOf(counted));
            return this;
        }

        /** {@return all that was taken down} */
        public Repeat made() {
            return new Repeat(complete, names, counters, times, parts);
        }
    }
}
