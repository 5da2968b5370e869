package org.hubmark.bench.kit.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.kit.statistics.Interval;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Documents as files of JSON, with their times and the sums of all files beside them. What is read is
 * what was counted; what was made of it is in the file for others, and is made again. Any thread.
 */
public final class DocumentFile {
    private static final String COUNTERS = "counters";
    private static final String COMPLETE = "complete";
    private static final String RAW_FILES = "raw_files";

    /** Ends of ranges, as they end a key. */
    private static final String CI95 = "_ci95";

    private static final double NEAR = 1e-9;

    private DocumentFile() {}

    /**
     * Result of checking a document that was read again.
     *
     * @param figures how many were computed again
     * @param mismatches those that come out otherwise, a line each
     * @param changed files that are not what was written
     */
    public record Check(int figures, List<String> mismatches, List<String> changed) {
        /** {@return it in short} */
        public String words() {
            return figures + " figures computed again, " + mismatches.size() + " differ";
        }

        /** {@return whether all is as it was written} */
        public boolean isClean() {
            return mismatches.isEmpty() && changed.isEmpty();
        }
    }

    /** {@return whether a folder has one of a kind} */
    public static boolean isIn(Path folder, Kind kind) {
        return Files.isRegularFile(folder.resolve(kind.file()));
    }

    /** {@return the content of the file} */
    public static String json(Document document) {
        return JsonFile.text(tree(document));
    }

    /** Writes the file and its times, all of it replaced; {@return what was written} */
    public static Document write(Document document, Path folder) throws IOException {
        return write(document, folder, new RawTimes(folder), new RawSamples(folder));
    }

    /** The same by what has written the raw files so far, which adds to them. */
    static Document write(Document document, Path folder, RawTimes times, RawSamples samples)
            throws IOException {
        times.write(document.tables());
        samples.write(document.tables());
        Document written = document.with(FileSums.rawFiles(folder));
        JsonFile.write(tree(written), folder.resolve(document.kind().file()));
        return written;
    }

    /**
     * {@return what was counted}
     *
     * @throws IOException also where it is of another kind or form; the message says so
     */
    public static Document read(Path folder, Kind kind) throws IOException {
        Path file = folder.resolve(kind.file());
        JsonNode tree = JsonFile.read(file);
        JsonFile.requireSchema(tree, file);
        if (!kind.name().equals(tree.path("kind").asText())) {
            throw new IOException(file + " is not a result of " + kind.name());
        }
        List<RawFile> files = new ArrayList<>();
        for (JsonNode one : tree.path(RAW_FILES)) {
            files.add(JsonFile.read(one, RawFile.class));
        }
        Raw raw = new Raw(RawTimes.read(folder, files), RawSamples.read(folder, files));
        List<Table> tables = new ArrayList<>();
        for (Form form : kind.forms()) {
            List<Row> rows = new ArrayList<>();
            for (JsonNode row : at(tree, form.key())) {
                String tag = RawTimes.tag(form.key(), rows.size());
                Iterable<JsonNode> counted =
                        form.isTotal() ? List.of(row) : row.path(form.repeats());
                List<Repeat> repeats = repeats(counted, form, form.ofRepeats(), tag, raw);
                rows.add(new Row(names(row, form.names()), repeats));
            }
            tables.add(new Table(form, rows));
        }
        return new Document(
                kind,
                JsonFile.read(tree, Provenance.class),
                tree.path(COMPLETE).asBoolean(),
                names(tree, kind.facts()),
                tables,
                files);
    }

    /** Raw data beside the file, by tag. */
    private record Raw(Map<String, Histogram> times, Map<String, List<Repeat>> samples) {}

    /** {@return whether the file says what follows from what was counted, figure by figure} */
    public static Check check(Path folder, Document document) throws IOException {
        TreeComparison comparison = new TreeComparison(NEAR);
        comparison.compare(
                document.kind().file(),
                JsonFile.read(folder.resolve(document.kind().file())),
                tree(document));
        return new Check(
                comparison.cells(),
                comparison.mismatches(),
                FileSums.changed(folder, document.rawFiles()));
    }

    private static Map<String, @Nullable Object> names(JsonNode object, List<Name> names)
            throws IOException {
        Map<String, @Nullable Object> found = new LinkedHashMap<>();
        for (Name name : names) {
            JsonNode value = at(object, name.key());
            found.put(
                    name.key(),
                    value.isNull() || value.isMissingNode()
                            ? null
                            : JsonFile.read(value, Object.class));
        }
        return found;
    }

    private static List<Repeat> repeats(
            Iterable<JsonNode> list, Form form, List<Name> names, String above, Raw raw)
            throws IOException {
        List<Repeat> repeats = new ArrayList<>();
        for (JsonNode one : list) {
            String tag = RawTimes.tag(above, repeats.size());
            Map<String, Double> counters = new LinkedHashMap<>();
            one.path(COUNTERS)
                    .properties()
                    .forEach(counter ->
                            counters.put(counter.getKey(), counter.getValue().asDouble()));
            Map<String, Histogram> times = new LinkedHashMap<>();
            raw.times.forEach((key, value) -> {
                String own = key.startsWith(tag + ".") ? key.substring(tag.length() + 1) : ".";
                if (!own.contains(".")) {
                    times.put(own, value);
                }
            });
            Map<String, List<Repeat>> parts = new LinkedHashMap<>();
            for (Form part : form.parts()) {
                parts.put(
                        part.key(),
                        repeats(
                                at(one, part.key()),
                                part,
                                part.names(),
                                tag + "." + part.key(),
                                raw));
            }
            repeats.add(new Repeat(
                    one.path(COMPLETE).asBoolean(true),
                    names(one, names),
                    counters,
                    times,
                    parts,
                    raw.samples.getOrDefault(tag, List.of())));
        }
        return repeats;
    }

    private static ObjectNode tree(Document document) {
        Findings findings = document.findings();
        ObjectNode tree = object();
        tree.put("schema", JsonFile.SCHEMA);
        tree.put("kind", document.kind().name());
        tree.setAll((ObjectNode) JsonFile.tree(document.provenance()));
        tree.put(COMPLETE, document.complete());
        tree.put("verdict", findings.verdict());
        tree.set("reasons", JsonFile.tree(findings.reasons()));
        tree.set("warnings", JsonFile.tree(findings.warnings()));
        tree.put("answer", findings.answer());
        document.kind()
                .facts()
                .forEach(name -> put(tree, name.key(), document.facts().get(name.key())));
        findings.facts().forEach((key, value) -> put(tree, key, value));
        for (Table table : document.tables()) {
            Form form = table.form();
            List<ObjectNode> rows = new ArrayList<>();
            for (Row row : table.rows()) {
                ObjectNode one = row(document, table, row);
                List<ObjectNode> repeats = row.repeats().stream()
                        .map(repeat -> repeat(document, form, form.ofRepeats(), repeat))
                        .toList();
                if (form.isTotal()) {
                    repeats.forEach(one::setAll);
                } else {
                    put(one, form.repeats(), repeats);
                }
                rows.add(one);
            }
            put(tree, form.key(), rows);
        }
        tree.set(RAW_FILES, JsonFile.tree(document.rawFiles()));
        return tree;
    }

    private static ObjectNode row(Document document, Table table, Row row) {
        Form form = table.form();
        ObjectNode tree = object();
        form.names().forEach(name -> put(tree, name.key(), row.names().get(name.key())));
        form.derived().forEach(one -> put(tree, one.name().key(), one.of().apply(document, row)));
        for (Column column : form.columns()) {
            Estimate estimate = table.estimate(row, column);
            if (column.isYesOrNo()) {
                put(
                        tree,
                        column.key(),
                        estimate.isKnown() ? (Boolean) (estimate.value() > 0) : null);
            } else {
                put(tree, column.key(), known(column, estimate.value()));
                put(tree, column, form.rule(), estimate.range());
            }
        }
        for (Form part : form.parts()) {
            if (part.isTotal()) {
                // It stands in its repeat alone.
                continue;
            }
            Table parts = row.part(part);
            put(
                    tree,
                    part.key(),
                    parts.rows().stream().map(one -> row(document, parts, one)).toList());
        }
        return tree;
    }

    private static void put(
            ObjectNode tree, Column column, Estimate.Rule rule, @Nullable Interval range) {
        boolean isTotal = rule.equals(Estimate.Rule.TOTAL) && column.isOfRepeats();
        boolean isAlone = rule.equals(Estimate.Rule.MEDIAN_ALONE);
        if (isTotal || isAlone || column.definition() instanceof Column.Definition.OfAll) {
            return;
        }
        // What is made of a whole row has an interval of its own, whatever its repeats have.
        if (rule.hasInterval() || !column.isOfRepeats()) {
            put(tree, column.key() + CI95, range);
        } else {
            put(tree, column.key() + "_min", range == null ? null : (Double) range.low());
            put(tree, column.key() + "_max", range == null ? null : (Double) range.high());
        }
    }

    private static ObjectNode repeat(
            Document document, Form form, List<Name> names, Repeat repeat) {
        ObjectNode tree = object();
        names.forEach(name -> put(tree, name.key(), repeat.names().get(name.key())));
        if (!repeat.complete()) {
            tree.put(COMPLETE, false);
        }
        for (Column column : form.columns()) {
            if (column.isOfRepeats()) {
                put(tree, column.key(), known(column, column.value(repeat)));
            }
        }
        ObjectNode counters = tree.putObject(COUNTERS);
        repeat.counters().forEach((key, value) -> {
            if (value == Math.rint(value)) {
                counters.put(key, value.longValue());
            } else {
                counters.put(key, value);
            }
        });
        for (Form part : form.parts()) {
            put(
                    tree,
                    part.key(),
                    repeat.parts(part).stream()
                            .map(one -> part(document, part, one))
                            .toList());
        }
        return tree;
    }

    private static ObjectNode part(Document document, Form form, Repeat part) {
        ObjectNode own = repeat(document, form, form.names(), part);
        if (!form.isTotal()) {
            return own;
        }
        Row alone = new Row(part.names(), List.of(part));
        ObjectNode row = row(document, new Table(form, List.of(alone)), alone);
        row.setAll(own);
        return row;
    }

    private static void put(ObjectNode tree, String key, @Nullable Object value) {
        int dot = key.indexOf('.');
        if (dot < 0) {
            tree.set(key, JsonFile.tree(value));
        } else {
            put(tree.withObjectProperty(key.substring(0, dot)), key.substring(dot + 1), value);
        }
    }

    private static JsonNode at(JsonNode object, String key) {
        int dot = key.indexOf('.');
        return dot < 0
                ? object.path(key)
                : at(object.path(key.substring(0, dot)), key.substring(dot + 1));
    }

    /** A count is written as one. */
    private static @Nullable Number known(Column column, double value) {
        if (!Double.isFinite(value)) {
            return null;
        }
        return column.isCounter() && value == Math.rint(value)
                ? (Number) (long) value
                : (Number) value;
    }

    private static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }
}
