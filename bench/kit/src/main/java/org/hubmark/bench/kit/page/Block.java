package org.hubmark.bench.kit.page;

import java.util.List;
import java.util.Set;

/** A part of a section: what is written is stated once, and drawn as Markdown and as HTML. */
public sealed interface Block {
    /** A paragraph. */
    record Text(String text) implements Block {}

    /** Names with values, one a line. */
    record Facts(List<Fact> facts) implements Block {
        /** Copies. */
        public Facts {
            facts = List.copyOf(facts);
        }
    }

    /** A name with its value. */
    record Fact(String name, String value) {}

    /**
     * A table; the first column names the row.
     *
     * @param words columns, from 0, that hold words and not numbers: they begin at the left, and long
     *     ones are broken
     */
    record Grid(String caption, List<String> headings, List<List<String>> rows, Set<Integer> words)
            implements Block {
        /** Makes a grid of numbers. */
        public Grid(String caption, List<String> headings, List<List<String>> rows) {
            this(caption, headings, rows, Set.of());
        }

        /** Copies. */
        public Grid {
            headings = List.copyOf(headings);
            rows = List.copyOf(rows);
            words = Set.copyOf(words);
            for (List<String> row : rows) {
                if (row.size() != headings.size()) {
                    throw new IllegalArgumentException(caption + ": " + row.size() + " cells under "
                            + headings.size() + " headings");
                }
            }
        }
    }

    /** Lines of a log. */
    record Lines(List<String> lines) implements Block {
        /** Copies. */
        public Lines {
            lines = List.copyOf(lines);
        }
    }
}
