package org.hubmark.bench.kit.page;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A part of a section: what is written is stated once, and drawn as Markdown, as HTML and on a
 * terminal.
 */
public sealed interface Block {
    /** A paragraph. */
    record Text(String text) implements Block {}

    /** Names with values, one a line. */
    record Facts(List<Fact> facts) implements Block {}

    /** A name with its value. */
    record Fact(String name, TableCell value) {
        /** One that does not unfold. */
        public Fact(String name, String value) {
            this(name, TableCell.text(value));
        }
    }

    /**
     * A table; the first column names the row.
     *
     * @param caption may be empty
     * @param words columns, from 0, that hold words and not numbers: they begin at the left, and long
     *     ones are broken
     */
    record Grid(
            String caption, List<Heading> headings, List<List<TableCell>> rows, Set<Integer> words)
            implements Block {
        /** Numbers that do not unfold. */
        public Grid(String caption, List<String> headings, List<List<String>> rows) {
            this(
                    caption,
                    headings.stream().map(Heading::of).toList(),
                    rows.stream().map(TableCell::texts).toList(),
                    Set.of());
        }

        /** {@return one of cells that may unfold, under heads of a line} */
        public static Grid of(String caption, List<String> headings, List<List<TableCell>> rows) {
            return new Grid(caption, headings.stream().map(Heading::of).toList(), rows, Set.of());
        }

        /** {@return the same with columns that hold words} */
        public Grid with(Set<Integer> wordColumns) {
            return new Grid(caption, headings, rows, wordColumns);
        }

        /** {@return some of its columns} */
        public Grid columns(List<Integer> columns) {
            return new Grid(
                    caption,
                    columns.stream().map(headings::get).toList(),
                    rows.stream()
                            .map(row -> columns.stream().map(row::get).toList())
                            .toList(),
                    words.stream()
                            .map(columns::indexOf)
                            .filter(i -> i >= 0)
                            .collect(Collectors.toSet()));
        }

        /** {@return it in parts of at most so many columns beside the first, each with the published ones} */
        List<Grid> parts(int most) {
            if (headings.size() <= most + 1) {
                return List.of(this);
            }
            Map<Boolean, List<Integer>> byOrigin = IntStream.range(1, headings.size())
                    .boxed()
                    .collect(Collectors.partitioningBy(
                            i -> headings.get(i).side() == Side.PUBLISHED));
            List<Integer> ours = byOrigin.getOrDefault(false, List.of());
            List<Integer> published = byOrigin.getOrDefault(true, List.of());
            int room = Math.max(1, most - published.size());
            List<Grid> parts = new ArrayList<>();
            for (int from = 0; from < ours.size(); from += room) {
                List<Integer> part = new ArrayList<>(List.of(0));
                part.addAll(ours.subList(from, Math.min(ours.size(), from + room)));
                part.addAll(published);
                parts.add(columns(part));
            }
            return parts;
        }
    }

    /**
     * The head of a column.
     *
     * @param lines one below the other
     * @param side where the column is from
     * @param marks what has to be known of all that stands below
     */
    record Heading(List<String> lines, Side side, List<Mark> marks) {
        /** {@return one of a line} */
        public static Heading of(String line) {
            return new Heading(List.of(line), Side.NONE, List.of());
        }

        /** {@return the same, with where the column is from} */
        public Heading from(Side other) {
            return new Heading(lines, other, marks);
        }

        /** {@return all that it says: side, lines and marks} */
        List<String> words(UnaryOperator<String> mark) {
            List<String> words = new ArrayList<>(List.of(side.words));
            words.addAll(lines);
            marks.forEach(one -> words.add(mark.apply(one.text)));
            words.removeAll(List.of(""));
            return words;
        }

        /** {@return its lines in one} */
        public String text() {
            return String.join(", ", lines);
        }

        /** {@return all of it in one line, as the name of a row} */
        public String line() {
            String all = (side == Side.PUBLISHED ? side.words + ", " : "") + text();
            return marks.isEmpty()
                    ? all
                    : all
                            + marks.stream()
                                    .map(Mark::text)
                                    .collect(Collectors.joining(", ", " (", ")"));
        }
    }

    /** Where a column is from, in a table that has ours and others beside each other. */
    enum Side {
        /** Of no matter. */
        NONE(""),
        OURS("this run"),
        PUBLISHED("published");

        /** Empty where it is of no matter. */
        final String words;

        Side(String words) {
            this.words = words;
        }

        String style() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** A word or two in capitals that stand out. */
    record Mark(String text, Tone tone) {}

    /** How much a reader has to heed something. */
    enum Tone {
        NONE,
        GOOD,
        WARNING,
        DANGER,
        PROBLEM;

        String style() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Items of a list; one that begins with a space is a part of the one before it. */
    record Items(List<String> items) implements Block {}

    /** Plots; on a page alone, since tables have their figures. */
    record Plots(List<Charts.Chart> charts) implements Block {}

    /**
     * What a page folds away until a reader unfolds it. On paper it is left out while it is folded.
     *
     * @param isOpen whether it is unfolded at the beginning
     */
    record Folded(String title, boolean isOpen, List<Block> blocks) implements Block {}

    /** {@return whether it has nothing to say but on a page} */
    default boolean isOfPage() {
        return this instanceof Plots
                || (this instanceof Folded folded
                        && folded.blocks.stream().allMatch(Block::isOfPage));
    }
}
