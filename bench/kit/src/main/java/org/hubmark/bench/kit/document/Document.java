package org.hubmark.bench.kit.document;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Result of a study: its counters and their provenance. Figures, verdict and warnings are not kept:
 * they are made of the counters, when a document is written and when one is read.
 *
 * @param complete false when it was interrupted
 * @param facts what else has to be known, by the keys of the kind
 * @param tables in the order of the kind's forms
 * @param rawFiles what was written while it was measured, as it is noted in the file
 */
public record Document(
        Kind kind,
        Provenance provenance,
        boolean complete,
        Map<String, @Nullable Object> facts,
        List<Table> tables,
        List<RawFile> rawFiles) {
    private static final int INTERRUPTED = 130;

    /** {@return the table of a form of the kind} */
    public Table table(Form form) {
        return tables.stream()
                .filter(table -> table.form().equals(form))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException(kind.name() + " has no table " + form.key()));
    }

    /** {@return what follows from the tables} */
    public Findings findings() {
        return kind.findings().apply(this);
    }

    /** {@return the exit code: that of the outcome, 130 when it was interrupted} */
    public int exitCode() {
        return complete ? findings().outcome().exitCode : INTERRUPTED;
    }

    /** {@return a fact as text; empty where it isn't known} */
    public String fact(Name name) {
        Object value = facts.get(name.key());
        return value == null ? "" : value.toString();
    }

    /** {@return a fact, or a name of a row, as a type; null where it isn't known} */
    public static <T> @Nullable T typed(@Nullable Object value, Class<T> type) {
        if (type.isInstance(value)) {
            return type.cast(value);
        }
        try {
            return value == null ? null : JsonFile.read(JsonFile.tree(value), type);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return a fact as a type; null where it isn't known} */
    public <T> @Nullable T fact(Name name, Class<T> type) {
        return typed(facts.get(name.key()), type);
    }

    /** {@return a fact that is a list; none where it isn't known} */
    public List<String> texts(Name name) {
        return Name.texts(facts.get(name.key()));
    }

    /** {@return the same with another fact} */
    public Document with(Name fact, @Nullable Object value) {
        Map<String, @Nullable Object> all = new LinkedHashMap<>(facts);
        all.put(fact.key(), value);
        return new Document(kind, provenance, complete, all, tables, rawFiles);
    }

    /** {@return the same, made of other files} */
    public Document with(List<RawFile> files) {
        return new Document(kind, provenance, complete, facts, tables, files);
    }
}
