package org.hubmark.bench.mail.document;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Formula;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * One message size under one configuration: the medians over its repeats, and the repeats.
 *
 * @param id unique in the file
 * @param messageSizeKb octets of content / 1000; with a corpus, the mean
 * @param conditions under which it was measured
 * @param figures medians over the repeats; counts of messages are sums
 * @param spread over the repeats
 * @param capacity how far the server and its machine go
 * @param steps of a rate that changes, over the repeats: medians, the largest backlog, sums of what
 *     went wrong; empty for other rates
 * @param latencyAt null where it wasn't measured
 * @param repeats in the order measured
 */
public record Scenario(
        String id,
        double messageSizeKb,
        @JsonUnwrapped Conditions conditions,
        @JsonUnwrapped Figures figures,
        @JsonUnwrapped Spread spread,
        @JsonUnwrapped Capacity capacity,
        List<Step> steps,
        @Nullable LatencyAt latencyAt,
        List<Repeat> repeats,
        @JsonUnwrapped Validity validity) {
    /** Copies the lists; a file may leave out the steps. */
    public Scenario {
        steps = steps == null ? List.of() : List.copyOf(steps);
        repeats = List.copyOf(repeats);
    }

    /** {@return the same with ceilings, and with what limits in their light} */
    public Scenario with(@Nullable Ceilings measured, Figures.Limiting limiting) {
        return with(
                figures.limitedBy(limiting),
                new Capacity(capacity.sustainedRate(), measured),
                latencyAt,
                validity);
    }

    /** {@return a figure in each repeat in which it is known} */
    public double[] values(Column figure) {
        return repeats.stream()
                .map(repeat -> repeat.figures().get(figure))
                .flatMap(Stream::ofNullable)
                .mapToDouble(Double::doubleValue)
                .toArray();
    }

    /** {@return whether the rate was asked for and kept: then it is the driver's, and has no interval} */
    public boolean rateAsked() {
        return figures.limiting().rateAsked();
    }

    /** {@return the same at a rate that was searched} */
    public Scenario at(@Nullable SustainedRate found) {
        int sittings = (int) repeats.stream()
                .mapToInt(
                        repeat -> org.hubmark.bench.kit.document.Repeat.sitting(repeat.counters()))
                .distinct()
                .count();
        Capacity known =
                new Capacity(found == null ? null : found.of(sittings), capacity.ceilings());
        return with(figures, known, latencyAt, validity);
    }

    /** {@return the same with the latency at a rate beside, not valid when that harmed mail} */
    public Scenario with(@Nullable LatencyAt beside) {
        Validity left = beside == null || !beside.harmsMail()
                ? validity
                : validity.invalid(beside.validity().found().stream()
                        .map(reason -> reason.in("latency at a rate"))
                        .toList());
        return with(figures, capacity, beside, left);
    }

    private Scenario with(
            Figures ofRepeats, Capacity known, @Nullable LatencyAt beside, Validity left) {
        return new Scenario(
                id,
                messageSizeKb,
                conditions,
                ofRepeats,
                spread,
                known,
                steps,
                beside,
                repeats,
                left);
    }

    /**
     * One repeat.
     *
     * @param repeat counts from 1
     * @param startedAt of the measured time, ISO 8601, UTC
     * @param steps of a rate that changes, as far as they were measured; empty for other rates
     * @param checkpointCycles null where whole ones weren't asked for
     * @param notes what has to be known to read the figures, though they can be trusted
     * @param disturbances what else the machine did, which is shared with the caller's knowledge
     * @param counters what the figures are made of, by key; what isn't known is absent
     */
    public record Repeat(
            int repeat,
            String startedAt,
            @JsonUnwrapped WarmUp warmUp,
            @JsonUnwrapped Figures figures,
            List<Step> steps,
            @Nullable CheckpointCycles checkpointCycles,
            List<String> notes,
            List<String> disturbances,
            @JsonUnwrapped Validity validity,
            @JsonSerialize(contentUsing = Counted.class) Map<String, Double> counters) {
        /** Copies; a file may leave out the lists and the counters. */
        public Repeat {
            steps = steps == null ? List.of() : List.copyOf(steps);
            notes = notes == null ? List.of() : List.copyOf(notes);
            disturbances = disturbances == null ? List.of() : List.copyOf(disturbances);
            counters = counters == null
                    ? Map.of()
                    : Collections.unmodifiableMap(new LinkedHashMap<>(counters));
        }

        /** {@return its counters, for formulas} */
        public org.hubmark.bench.kit.document.Repeat counted() {
            var counted = org.hubmark.bench.kit.document.Repeat.counted();
            counters.forEach((key, value) -> counted.count(new Formula.Counter(key), value));
            return counted.made();
        }

        /** Writes whole numbers without a point. */
        static final class Counted extends StdSerializer<Double> {
            private static final long serialVersionUID = 1;

            Counted() {
                super(Double.class);
            }

            @Override
            public void serialize(Double value, JsonGenerator out, SerializerProvider provider)
                    throws IOException {
                if (value == Math.rint(value)) {
                    out.writeNumber(value.longValue());
                } else {
                    out.writeNumber(value);
                }
            }
        }

        /** {@return the same, not valid for one reason more} */
        public Repeat invalid(Reason reason) {
            Validity left = validity.invalid(List.of(reason));
            return with(warmUp, figures, notes, disturbances, left, counters);
        }

        /** {@return the same, before which the driver was warmed up} */
        public Repeat warmedBy(@Nullable DriverWarmth driver) {
            WarmUp before = warmUp.after(driver);
            return with(before, figures, notes, disturbances, validity, counters);
        }

        /** {@return the same with more that has to be known to read it} */
        public Repeat noted(List<String> more) {
            return with(warmUp, figures, concat(notes, more), disturbances, validity, counters);
        }

        /** {@return the same on a machine that did more, with the caller's knowledge} */
        public Repeat disturbed(String words) {
            List<String> all = concat(disturbances, List.of(words));
            return with(warmUp, figures, notes, all, validity, counters);
        }

        private static List<String> concat(List<String> some, List<String> more) {
            return Stream.concat(some.stream(), more.stream()).toList();
        }

        /** {@return notes and disturbances, in sentences} */
        public List<String> remarks() {
            return concat(
                    notes,
                    disturbances.stream()
                            .map(words -> "the machine is shared: " + words)
                            .toList());
        }

        /** {@return the same, whose messages were compared one by one} */
        public Repeat audited(Audit audit) {
            Figures audited = figures.audited(audit);
            return with(warmUp, audited, notes, disturbances, validity, counters);
        }

        /** {@return the same, counted in a sitting, from 1} */
        public Repeat in(int sitting) {
            Map<String, Double> all = new LinkedHashMap<>(counters);
            if (sitting > 1) {
                all.put(org.hubmark.bench.kit.document.Repeat.SITTING.key(), (double) sitting);
            }
            return with(warmUp, figures, notes, disturbances, validity, all);
        }

        private Repeat with(
                WarmUp before,
                Figures measured,
                List<String> noted,
                List<String> disturbed,
                Validity left,
                Map<String, Double> counts) {
            return new Repeat(
                    repeat,
                    startedAt,
                    before,
                    measured,
                    steps,
                    checkpointCycles,
                    noted,
                    disturbed,
                    left,
                    counts);
        }
    }
}
