package org.hubmark.bench.plan;

import org.hubmark.bench.kit.document.JsonFile;
import org.hubmark.bench.kit.document.Name;
import org.hubmark.bench.kit.page.Block;
import org.hubmark.bench.kit.page.Cells;
import org.hubmark.bench.kit.page.Section;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A list of what follows from the tables of a document: stated once, it stands in the head of the file
 * and in the report.
 *
 * @param key in the file
 * @param caption above it; empty where only the file has it
 * @param note below it; may be empty
 * @param rows all with the same names. Those with a label are columns of the report; of those that tell
 *     rows apart all but the last divide the list into parts.
 */
record Listing(String key, String caption, String note, List<Row> rows) {
    /** Copies. */
    Listing {
        rows = List.copyOf(rows);
    }

    /** Builder of a row. One thread. */
    record Row(Map<Name, @Nullable Object> values) {
        /** One that says nothing yet. */
        Row() {
            this(new LinkedHashMap<>());
        }

        /** Says a value, null where it isn't known; {@return this row} */
        Row with(Name name, @Nullable Object value) {
            values.put(name, value);
            return this;
        }
    }

    /** {@return the rows as a file has them} */
    List<Map<String, @Nullable Object>> facts() {
        List<Map<String, @Nullable Object>> all = new ArrayList<>();
        for (Row row : rows) {
            Map<String, @Nullable Object> one = new LinkedHashMap<>();
            row.values.forEach((name, value) -> one.put(name.key(), value));
            all.add(one);
        }
        return all;
    }

    /** {@return it as a part of a report} */
    Section section() {
        List<Name> names =
                rows.isEmpty() ? List.of() : List.copyOf(rows.getFirst().values.keySet());
        List<Name> dividing =
                new ArrayList<>(names.stream().filter(Name::identifies).toList());
        List<Name> shown =
                names.stream().filter(name -> !name.label().isEmpty()).toList();
        if (!dividing.isEmpty()) {
            dividing.removeLast();
        }
        // What is alike in all rows tells nothing apart.
        dividing.removeIf(name -> values(name).size() < 2);
        Map<String, List<Row>> parts = new LinkedHashMap<>();
        for (Row row : rows) {
            String part = dividing.stream()
                    .map(name -> text(row.values.get(name)))
                    .collect(Collectors.joining(", "));
            parts.computeIfAbsent(part, unused -> new ArrayList<>()).add(row);
        }
        List<Block> blocks = new ArrayList<>();
        parts.forEach((part, its) -> blocks.add(new Block.Grid(
                        part.isEmpty() ? caption : part,
                        shown.stream().map(Name::label).toList(),
                        its.stream()
                                .map(row -> shown.stream()
                                        .map(name -> text(row.values.get(name)))
                                        .toList())
                                .toList())
                .with(words(shown))));
        if (!note.isEmpty()) {
            blocks.add(new Block.Text(note));
        }
        return new Section(2, caption, blocks);
    }

    private Set<@Nullable Object> values(Name name) {
        Set<@Nullable Object> all = new LinkedHashSet<>();
        rows.forEach(row -> all.add(row.values.get(name)));
        return all;
    }

    private Set<Integer> words(List<Name> shown) {
        Set<Integer> words = new LinkedHashSet<>();
        for (int i = 0; i < shown.size(); i++) {
            boolean hasWords = values(shown.get(i)).stream()
                    .filter(Objects::nonNull)
                    .anyMatch(value -> !(value instanceof Number
                            || value instanceof Boolean
                            || value instanceof Amount));
            if (hasWords) {
                words.add(i);
            }
        }
        return words;
    }

    private static String text(@Nullable Object value) {
        if (value instanceof List<?> list) {
            return list.stream().map(Listing::text).collect(Collectors.joining("; "));
        }
        return value instanceof Amount amount ? amount.text() : Cells.of(JsonFile.tree(value));
    }
}
