package org.hubmark.bench.kit.document;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/**
 * Columns and names of a table, stated once by each study, in a constant.
 *
 * @param key in the file; what stands before a dot is an object that holds what stands behind it
 * @param caption above it; empty for one that reports leave out
 * @param note below it; may be empty
 * @param names of a row, those first that tell rows apart
 * @param groups the figures
 * @param rule how the repeats of a row become one figure
 * @param repeats the key of the repeats in the file, such as runs; of no matter with totals
 * @param ofRepeats names that a repeat has of its own
 * @param parts tables of what a row is made of, such as hosts
 * @param derived what else follows from a row
 * @param heads of the rows in reports; null where their names suffice
 */
public record Form(
        String key,
        String caption,
        String note,
        List<Name> names,
        List<Group> groups,
        Estimate.Rule rule,
        String repeats,
        List<Name> ofRepeats,
        List<Form> parts,
        List<Derived> derived,
        @Nullable Heads heads) {
    /**
     * Figures that are drawn in a table of their own; in the file they all stand in the row, once. A
     * terminal shows the first group.
     *
     * @param caption above them; empty for figures that are in the file alone
     * @param shown what stands before them and is no figure, where a row has it; the file has none of it
     */
    public record Group(String caption, List<Column> columns, List<Derived> shown) {
        /** Figures alone. */
        public Group(String caption, List<Column> columns) {
            this(caption, columns, List.of());
        }
    }

    /**
     * Property of a row that is not a figure, such as whether the row passes, and why not. It is
     * made again whenever a document is read.
     *
     * @param name a table has it where that has a label
     * @param of makes it
     */
    public record Derived(Name name, BiFunction<Document, Row, @Nullable Object> of) {}

    /** One with all its figures in one table, from which nothing else follows. */
    public Form(
            String key,
            String caption,
            String note,
            List<Name> names,
            List<Column> columns,
            Estimate.Rule rule,
            String repeats,
            List<Name> ofRepeats,
            List<Form> parts) {
        this(
                key,
                caption,
                note,
                names,
                List.of(new Group(caption, columns)),
                rule,
                repeats,
                ofRepeats,
                parts,
                List.of(),
                null);
    }

    /** {@return a plain one: medians, nothing below rows} */
    public static Form of(String key, String caption, List<Name> names, List<Column> columns) {
        return new Form(
                key,
                caption,
                "",
                names,
                columns,
                Estimate.Rule.MEDIAN,
                "repeats",
                List.of(),
                List.of());
    }

    /**
     * {@return one whose rows count on, over all that was tried} A row has one repeat, which stands in the
     * row itself.
     *
     * @param ofTotals what else is known of a row, as far as it was counted
     * @param derived what else follows from a row
     */
    public static Form totals(
            String key,
            String caption,
            List<Name> names,
            List<Column> columns,
            List<Name> ofTotals,
            List<Derived> derived) {
        return new Form(
                key,
                caption,
                "",
                names,
                List.of(new Group(caption, columns)),
                Estimate.Rule.TOTAL,
                "",
                ofTotals,
                List.of(),
                derived,
                null);
    }

    /** {@return one whose rows are parts that stand in their row alone, once, and that reports leave out} */
    public static Form part(String key, List<Name> names, List<Column> columns) {
        return totals(key, "", names, columns, List.of(), List.of());
    }

    /** {@return whether a row is its one repeat} */
    boolean isTotal() {
        return rule.equals(Estimate.Rule.TOTAL);
    }

    /** {@return all figures} */
    public List<Column> columns() {
        return groups.stream()
                .flatMap(group -> group.columns.stream())
                .distinct()
                .toList();
    }

    /** {@return what a group has beside its figures} What follows from a row stands in the first one. */
    List<Derived> shown(Group group) {
        Stream<Derived> all = group.equals(groups.getFirst()) ? derived.stream() : Stream.of();
        return Stream.concat(all.filter(one -> !one.name().label().isEmpty()), group.shown.stream())
                .toList();
    }
}
