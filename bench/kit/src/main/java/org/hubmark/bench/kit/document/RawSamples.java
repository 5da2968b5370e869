package org.hubmark.bench.kit.document;

import org.hubmark.core.OutputFile;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The samples of all repeats of a document, a row for each with its counters; the first column says whose
 * it is, by the tags of {@link RawTimes}. What a sample does not know is empty.
 */
final class RawSamples {
    static final String FILE = "series.csv";

    private static final String OF = "of";

    private RawSamples() {}

    /** Writes those of all tables; no file where there are none. */
    static void write(List<Table> tables, Path folder) throws IOException {
        Map<String, List<Repeat>> all = new LinkedHashMap<>();
        for (Table table : tables) {
            for (int row = 0; row < table.rows().size(); row++) {
                add(RawTimes.tag(table.form().key(), row), table.rows().get(row).repeats(), all);
            }
        }
        Path file = folder.resolve(FILE);
        if (all.isEmpty()) {
            Files.deleteIfExists(file);
            return;
        }
        Set<String> keys = new LinkedHashSet<>();
        all.values()
                .forEach(samples ->
                        samples.forEach(sample -> keys.addAll(sample.counters().keySet())));
        OutputFile.write(file, out -> write(keys, all, out));
    }

    private static void write(Set<String> keys, Map<String, List<Repeat>> all, OutputStream to)
            throws IOException {
        Writer out = new OutputStreamWriter(to, StandardCharsets.UTF_8);
        out.write(OF + "," + String.join(",", keys) + "\n");
        for (Map.Entry<String, List<Repeat>> one : all.entrySet()) {
            for (Repeat sample : one.getValue()) {
                out.write(one.getKey());
                for (String key : keys) {
                    out.write("," + text(sample.counters().get(key)));
                }
                out.write("\n");
            }
        }
        out.flush();
    }

    private static void add(String above, List<Repeat> repeats, Map<String, List<Repeat>> all) {
        for (int i = 0; i < repeats.size(); i++) {
            String tag = RawTimes.tag(above, i);
            if (!repeats.get(i).samples().isEmpty()) {
                all.put(tag, repeats.get(i).samples());
            }
            repeats.get(i).parts().forEach((key, parts) -> add(tag + "." + key, parts, all));
        }
    }

    private static String text(@Nullable Double value) {
        return value == null
                ? ""
                : value == Math.rint(value) && Math.abs(value) < Long.MAX_VALUE
                        ? Long.toString(value.longValue())
                        : value.toString();
    }

    /** {@return the samples by tag; none where there is no file} */
    static Map<String, List<Repeat>> read(Path folder) throws IOException {
        Map<String, List<Repeat>> all = new LinkedHashMap<>();
        Path file = folder.resolve(FILE);
        if (!Files.exists(file)) {
            return all;
        }
        List<String> lines = Files.readAllLines(file);
        String[] keys = lines.isEmpty() ? new String[] {""} : lines.getFirst().split(",", -1);
        if (!keys[0].equals(OF)) {
            throw new IOException(
                    file + " has no samples: its first line does not begin with " + OF);
        }
        for (String line : lines.subList(1, lines.size())) {
            String[] cells = line.split(",", -1);
            if (cells.length != keys.length) {
                throw new IOException(file + " has a line of " + cells.length + " cells under "
                        + keys.length + " headings: " + line);
            }
            all.computeIfAbsent(cells[0], tag -> new ArrayList<>()).add(sample(keys, cells, file));
        }
        return all;
    }

    private static Repeat sample(String[] keys, String[] cells, Path file) throws IOException {
        Repeat.Builder sample = Repeat.counted();
        for (int i = 1; i < keys.length; i++) {
            try {
                sample.count(
                        new Formula.Counter(keys[i]),
                        cells[i].isEmpty() ? null : Double.valueOf(cells[i]));
            } catch (NumberFormatException e) {
                throw new IOException(file + " has a cell that is not a number: " + cells[i], e);
            }
        }
        return sample.made();
    }
}
