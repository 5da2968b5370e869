package org.hubmark.bench.plan;

import org.hubmark.bench.kit.document.JsonFile;
import org.hubmark.bench.kit.page.Block;
import org.hubmark.bench.kit.page.Cells;
import org.hubmark.bench.kit.page.Section;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A list of what follows from the tables of a document: stated once, it stands in the head of the file
 * and in the report.
 *
 * @param key in the file
 * @param caption above it; empty where only the file has it
 * @param note below it; may be empty
 * @param rows all with the same columns
 */
record Listing(String key, String caption, String note, List<Row> rows) {
    /** Copies. */
    Listing {
        rows = List.copyOf(rows);
    }

    /**
     * Row of a list. One thread builds it.
     *
     * @param part heading that it stands below
     * @param facts by their keys in the file
     * @param shown those of them that the report shows, by their headings
     */
    record Row(
            String part, Map<String, @Nullable Object> facts, Map<String, @Nullable Object> shown) {
        /** One that says nothing yet. */
        Row(String part) {
            this(part, new LinkedHashMap<>(), new LinkedHashMap<>());
        }

        /** Says a value in the file alone, null where it isn't known; {@return this row} */
        Row with(String key, @Nullable Object value) {
            facts.put(key, value);
            return this;
        }

        /** Says a value in the report too; {@return this row} */
        Row with(String key, String heading, @Nullable Object value) {
            shown.put(heading, value);
            return with(key, value);
        }
    }

    /** {@return it as a part of a report} */
    Section section() {
        Map<String, List<Row>> parts = new LinkedHashMap<>();
        rows.forEach(row ->
                parts.computeIfAbsent(row.part, unused -> new ArrayList<>()).add(row));
        List<String> headings = List.copyOf(rows.getFirst().shown.keySet());
        Set<Integer> words = IntStream.range(0, headings.size())
                .filter(i -> rows.stream()
                        .map(row -> row.shown.get(headings.get(i)))
                        .anyMatch(Listing::isText))
                .boxed()
                .collect(Collectors.toSet());
        List<Block> blocks = new ArrayList<>();
        parts.forEach((part, its) -> blocks.add(new Block.Grid(
                        part.isEmpty() ? caption : part,
                        headings,
                        its.stream()
                                .map(row -> row.shown.values().stream()
                                        .map(Listing::text)
                                        .toList())
                                .toList())
                .with(words)));
        if (!note.isEmpty()) {
            blocks.add(new Block.Text(note));
        }
        return new Section(2, caption, blocks);
    }

    private static boolean isText(@Nullable Object value) {
        return Objects.nonNull(value)
                && !(value instanceof Number
                        || value instanceof Boolean
                        || value instanceof Amount);
    }

    private static String text(@Nullable Object value) {
        if (value instanceof List<?> list) {
            return list.stream().map(Listing::text).collect(Collectors.joining("; "));
        }
        return value instanceof Amount amount ? amount.text() : Cells.of(JsonFile.tree(value));
    }
}
