package org.hubmark.bench.kit.document;

import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.HdrHistogram.HistogramLogWriter;
import org.hubmark.core.OutputFile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The times of all repeats of a document as an HdrHistogram log, nanoseconds: the tag of each says whose it
 * is, such as {@code points.2.1.send_ns} for the first repeat of the second row.
 */
final class RawTimes {
    static final String FILE = "times.hlog";

    private RawTimes() {}

    /** Writes those of all tables; no file where there are none. */
    static void write(List<Table> tables, Path folder) throws IOException {
        Map<String, Histogram> all = new LinkedHashMap<>();
        for (Table table : tables) {
            for (int row = 0; row < table.rows().size(); row++) {
                add(tag(table.form().key(), row), table.rows().get(row).repeats(), all);
            }
        }
        Path file = folder.resolve(FILE);
        if (all.isEmpty()) {
            Files.deleteIfExists(file);
            return;
        }
        OutputFile.write(file, out -> {
            HistogramLogWriter writer = new HistogramLogWriter(out);
            writer.outputLogFormatVersion();
            writer.outputLegend();
            all.forEach((tag, histogram) -> {
                Histogram copy = histogram.copy();
                copy.setTag(tag);
                writer.outputIntervalHistogram(0, 0, copy);
            });
            writer.close();
        });
    }

    private static void add(String above, List<Repeat> repeats, Map<String, Histogram> all) {
        for (int i = 0; i < repeats.size(); i++) {
            String tag = tag(above, i);
            repeats.get(i).times().forEach((key, times) -> all.put(tag + "." + key, times));
            repeats.get(i).parts().forEach((key, parts) -> add(tag + "." + key, parts, all));
        }
    }

    /** {@return the tag of what stands at a place, from 0, below another} */
    static String tag(String above, int place) {
        return above + "." + (place + 1);
    }

    /** {@return the times by tag; none where there is no file} */
    static Map<String, Histogram> read(Path folder) throws IOException {
        Map<String, Histogram> all = new LinkedHashMap<>();
        Path file = folder.resolve(FILE);
        if (!Files.exists(file)) {
            return all;
        }
        try (HistogramLogReader reader = new HistogramLogReader(file.toFile())) {
            while (reader.hasNext()) {
                EncodableHistogram next = reader.nextIntervalHistogram();
                if (!(next instanceof Histogram histogram) || histogram.getTag() == null) {
                    throw new IOException(file + " has an interval without a tag");
                }
                all.put(histogram.getTag(), histogram);
            }
        } catch (RuntimeException e) {
            throw new IOException(file + " is not an HdrHistogram log: " + e.getMessage(), e);
        }
        return all;
    }
}
