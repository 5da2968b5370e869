package org.hubmark.bench.kit.document;

import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The samples of all repeats of a document, a row for each with its counters; the first column says whose
 * it is, by the tags of {@link RawTimes}. What a sample does not know is empty. Those of a repeat are added
 * row by row while it is counted. One thread.
 */
final class RawSamples {
    static final String FILE = "series.csv";

    private static final String OF = "of";

    private final GrowingFile<List<Repeat>> file;

    RawSamples(Path folder) {
        this.file = new GrowingFile<>(folder.resolve(FILE));
    }

    /** {@return samples that are in the file as they come, until they are written with all others} */
    Series begin(String tag, List<String> keys) throws IOException {
        file.begin(head(keys));
        return new Series(keys, row -> file.add(line(tag, row)));
    }

    /** Writes those of all tables; no file where there are none. */
    void write(List<Table> tables) throws IOException {
        Map<String, List<Repeat>> all = new LinkedHashMap<>();
        RawTimes.each(tables, (tag, repeat) -> {
            if (!repeat.samples().isEmpty()) {
                all.put(tag, repeat.samples());
            }
        });
        List<String> keys = keys(all);
        file.write(all, head(keys), (some, out) -> write(keys, some, out));
    }

    /** Takes off what a run added that was killed before it noted that. */
    void cut(List<RawFile> noted) throws IOException {
        file.cut(noted);
    }

    private static String head(List<String> keys) {
        return OF + "," + String.join(",", keys) + "\n";
    }

    private static List<String> keys(Map<String, List<Repeat>> all) {
        Set<String> keys = new LinkedHashSet<>();
        for (List<Repeat> samples : all.values()) {
            if (samples instanceof Series series) {
                keys.addAll(series.keys());
            } else {
                samples.forEach(sample -> keys.addAll(sample.counters().keySet()));
            }
        }
        return List.copyOf(keys);
    }

    private static void write(List<String> keys, Map<String, List<Repeat>> all, OutputStream to)
            throws IOException {
        Writer out = new OutputStreamWriter(to, StandardCharsets.UTF_8);
        for (Map.Entry<String, List<Repeat>> one : all.entrySet()) {
            List<Repeat> samples = one.getValue();
            for (int i = 0; i < samples.size(); i++) {
                double[] row = samples instanceof Series series && series.keys().equals(keys)
                        ? series.row(i)
                        : row(keys, samples.get(i));
                out.write(line(one.getKey(), row));
            }
        }
        out.flush();
    }

    private static double[] row(List<String> keys, Repeat sample) {
        return keys.stream()
                .mapToDouble(key -> sample.counters().getOrDefault(key, Double.NaN))
                .toArray();
    }

    private static String line(String tag, double[] row) {
        StringBuilder line = new StringBuilder(tag);
        for (double value : row) {
            line.append(',').append(text(value));
        }
        return line.append('\n').toString();
    }

    private static String text(double value) {
        if (Double.isNaN(value)) {
            return "";
        }
        return value == Math.rint(value) && Math.abs(value) < Long.MAX_VALUE
                ? Long.toString((long) value)
                : Double.toString(value);
    }

    /**
     * {@return the samples by tag; none where there is no file}
     *
     * @param noted files with their lengths: what was added since is not read
     */
    static Map<String, List<Repeat>> read(Path folder, List<RawFile> noted) throws IOException {
        Path file = folder.resolve(FILE);
        if (!Files.exists(file)) {
            return Map.of();
        }
        List<String> lines = GrowingFile.read(file, noted).lines().toList();
        String[] keys = lines.isEmpty() ? new String[] {""} : lines.getFirst().split(",", -1);
        if (!keys[0].equals(OF)) {
            throw new IOException(
                    file + " has no samples: its first line does not begin with " + OF);
        }
        List<String> counters = Arrays.asList(keys).subList(1, keys.length);
        Map<String, Series> series = new LinkedHashMap<>();
        for (String line : lines.subList(1, lines.size())) {
            String[] cells = line.split(",", -1);
            if (cells.length != keys.length) {
                throw new IOException(file + " has a line of " + cells.length + " cells under "
                        + keys.length + " headings: " + line);
            }
            series.computeIfAbsent(cells[0], tag -> new Series(counters))
                    .sample(numbers(cells, file));
        }
        return Collections.unmodifiableMap(series);
    }

    private static double[] numbers(String[] cells, Path file) throws IOException {
        double[] row = new double[cells.length - 1];
        for (int i = 0; i < row.length; i++) {
            String cell = cells[i + 1];
            try {
                row[i] = cell.isEmpty() ? Double.NaN : Double.parseDouble(cell);
            } catch (NumberFormatException e) {
                throw new IOException(file + " has a cell that is not a number: " + cell, e);
            }
        }
        return row;
    }
}
