package org.hubmark.bench.kit.document;

import org.hubmark.bench.kit.document.Formula.Place;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/**
 * A figure, stated once: what is written, shown, checked and compared of it follows from this.
 *
 * @param key its name in the file; what stands before a dot is an object that holds what stands behind it
 * @param unit what it is counted in; empty for a plain number
 * @param label before it in a table, without the unit
 * @param decimals it is never shown with more
 * @param better what a comparison judges by; a figure of which nobody can say is not judged
 * @param definition how it is made
 */
public record Column(
        String key, String unit, String label, int decimals, Better better, Definition definition) {
    /** Direction in which values are better. */
    public enum Better {
        MORE,
        LESS,
        NEITHER
    }

    /** Definition of a figure: in each repeat, or from all repeats of a row together. */
    public sealed interface Definition {
        /** A figure of each repeat; the repeats of a row then become one value. */
        record OfRepeat(Formula formula) implements Definition {}

        /**
         * Made of the row's other figures, and of counters that its repeats have alike; the median of the
         * repeats where these are not known. Each repeat has it of its own.
         */
        record OfRow(Formula formula) implements Definition {}

        /**
         * A figure of all counted repeats of a row together: their counters are added, and their
         * times are one distribution. Each repeat has its own value too.
         */
        record OfAll(Formula formula) implements Definition {}

        /**
         * Made of another figure in a way that one study has of its own.
         *
         * @param words of all that is done with the other figure
         */
        record Own(Column of, String words, BiFunction<Table, Row, Estimate> made)
                implements Definition {}

        /** A figure that is yes or no: whether another figure is at most a limit. */
        record AtMost(Column of, double limit) implements Definition {}
    }

    /** {@return a figure of repeats} */
    public static Column of(
            String key, String unit, String label, int decimals, Better better, Formula formula) {
        return new Column(key, unit, label, decimals, better, new Definition.OfRepeat(formula));
    }

    /** {@return a figure that a row makes of its other figures} */
    public static Column ofRow(
            String key, String unit, String label, int decimals, Better better, Formula formula) {
        return new Column(key, unit, label, decimals, better, new Definition.OfRow(formula));
    }

    /** {@return a figure of all repeats together, of which nobody can say which is better} */
    public static Column ofAll(
            String key, String unit, String label, int decimals, Formula formula) {
        return new Column(
                key, unit, label, decimals, Better.NEITHER, new Definition.OfAll(formula));
    }

    /** {@return a counter that is a figure itself} */
    public static Column of(Formula.Counter counter, String unit, String label) {
        return of(counter.key(), unit, label, 0, Better.NEITHER, counter);
    }

    /**
     * {@return mean, p50, p95, p99 and maximum of times, in an object of one key} Of them p95 and p99 are
     * judged: a mean hides the tail, and a maximum is one event.
     */
    public static List<Column> latencies(String key, String label, Times times) {
        return latencies(
                key, label, 1, times, Place.MEAN, Place.P50, Place.P95, Place.P99, Place.MAX);
    }

    /** {@return the same of some places} */
    public static List<Column> latencies(
            String key, String label, int decimals, Times times, Place... places) {
        return Stream.of(places)
                .map(place -> of(
                        key + "." + place.key(),
                        "ms",
                        label + " " + place.key().replace('_', '.'),
                        decimals,
                        place == Place.P95 || place == Place.P99 ? Better.LESS : Better.NEITHER,
                        times.at(place)))
                .toList();
    }

    /** {@return the same of all repeats of a row together: percentiles of repeats can't be averaged} */
    public Column ofAllRepeats() {
        return new Column(key, unit, label, decimals, better, new Definition.OfAll(formula()));
    }

    /** {@return it as a part of a formula} */
    public Formula asInput() {
        return new Formula.OfColumn(this);
    }

    /**
     * {@return how it is made in each repeat}
     *
     * @throws IllegalStateException of a figure that is made of a whole row
     */
    public Formula formula() {
        if (definition instanceof Definition.OfRepeat made) {
            return made.formula;
        }
        throw new IllegalStateException(key);
    }

    /** {@return its value in one repeat; NaN where it isn't known, or is made of a whole row} */
    public double value(Values values) {
        Formula made = ofRepeat();
        return made == null ? Double.NaN : made.value(values);
    }

    /** {@return whether it is a percentile that a repeat has too few times for, but some} */
    public boolean isShortOfTimes(Repeat repeat) {
        return ofRepeat() instanceof Formula.Latency latency
                && repeat.times(latency.times()).getTotalCount() > 0
                && !Double.isFinite(value(repeat));
    }

    /** {@return what a repeat makes it of; null where only a whole row has it} */
    @Nullable
    Formula ofRepeat() {
        return switch (definition) {
            case Definition.OfRepeat made -> made.formula;
            case Definition.OfRow made -> made.formula;
            case Definition.OfAll made -> made.formula;
            case Definition.Own made -> null;
            case Definition.AtMost made -> null;
        };
    }

    /** {@return whether it is a question with the answers yes and no} */
    public boolean isYesOrNo() {
        return definition instanceof Definition.AtMost;
    }

    /** {@return whether it is a counter itself} */
    boolean isCounter() {
        return ofRepeat() instanceof Formula.Counter;
    }

    /** {@return whether repeats have it} */
    boolean isOfRepeats() {
        return ofRepeat() != null;
    }

    /** {@return the heading of a table} */
    public String heading() {
        return unit.isEmpty() ? label : label + " (" + unit + ")";
    }

    /** {@return its formula with the numbers of a repeat in it; empty where no repeat has it} */
    public String numbers(Values values) {
        Formula made = ofRepeat();
        return made == null ? "" : made.numbers(values);
    }

    /** {@return its formula in words} */
    public String words() {
        return switch (definition) {
            case Definition.OfRepeat made -> made.formula.words();
            case Definition.OfRow made -> made.formula.words();
            case Definition.OfAll made -> made.formula.words() + ", of all repeats together";
            case Definition.Own made -> made.words;
            case Definition.AtMost made ->
                made.of.label + " at most " + CellText.number(made.limit, 3);
        };
    }
}
