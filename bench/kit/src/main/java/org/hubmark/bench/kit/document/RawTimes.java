package org.hubmark.bench.kit.document;

import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.HdrHistogram.HistogramLogWriter;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The times of all repeats of a document as an HdrHistogram log, nanoseconds: the tag of each says whose it
 * is, such as {@code points.2.1.send_ns} for the first repeat of the second row. One thread.
 */
final class RawTimes {
    static final String FILE = "times.hlog";

    private final GrowingFile<Histogram> file;

    RawTimes(Path folder) {
        this.file = new GrowingFile<>(folder.resolve(FILE));
    }

    /** Writes those of all tables; no file where there are none. */
    void write(List<Table> tables) throws IOException {
        Map<String, Histogram> all = new LinkedHashMap<>();
        each(
                tables,
                (tag, repeat) ->
                        repeat.times().forEach((key, times) -> all.put(tag + "." + key, times)));
        String head = text(writer -> {
            writer.outputLogFormatVersion();
            writer.outputLegend();
        });
        file.write(all, head, (some, out) -> {
            String lines = text(writer -> some.forEach((tag, histogram) -> {
                Histogram copy = histogram.copy();
                copy.setTag(tag);
                // One that nobody dated begins at the end of time.
                boolean isDated = copy.getStartTimeStamp() <= copy.getEndTimeStamp();
                writer.outputIntervalHistogram(
                        isDated ? copy.getStartTimeStamp() / 1e3 : 0,
                        isDated ? copy.getEndTimeStamp() / 1e3 : 0,
                        copy);
            }));
            out.write(lines.getBytes(StandardCharsets.UTF_8));
        });
    }

    /** {@return what is written} The writer itself tells nobody when a disk is full. */
    private static String text(Consumer<HistogramLogWriter> content) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        HistogramLogWriter writer = new HistogramLogWriter(bytes);
        content.accept(writer);
        writer.close();
        return bytes.toString(StandardCharsets.UTF_8);
    }

    /** Takes off what a run added that was killed before it noted that. */
    void cut(List<RawFile> noted) throws IOException {
        file.cut(noted);
    }

    /** Takes each repeat of tables, and each part of one, with its tag. */
    static void each(List<Table> tables, BiConsumer<String, Repeat> visitor) {
        for (Table table : tables) {
            for (int row = 0; row < table.rows().size(); row++) {
                each(tag(table.form().key(), row), table.rows().get(row).repeats(), visitor);
            }
        }
    }

    private static void each(
            String above, List<Repeat> repeats, BiConsumer<String, Repeat> visitor) {
        for (int i = 0; i < repeats.size(); i++) {
            String tag = tag(above, i);
            visitor.accept(tag, repeats.get(i));
            repeats.get(i).parts().forEach((key, parts) -> each(tag + "." + key, parts, visitor));
        }
    }

    /** {@return the tag of what stands at a place, from 0, below another} */
    static String tag(String above, int place) {
        return above + "." + (place + 1);
    }

    /**
     * {@return the times by tag; none where there is no file}
     *
     * @param noted files with their lengths: what was added since is not read
     */
    static Map<String, Histogram> read(Path folder, List<RawFile> noted) throws IOException {
        Map<String, Histogram> all = new LinkedHashMap<>();
        Path file = folder.resolve(FILE);
        if (!Files.exists(file)) {
            return all;
        }
        byte[] text = GrowingFile.read(file, noted).getBytes(StandardCharsets.UTF_8);
        try (HistogramLogReader reader = new HistogramLogReader(new ByteArrayInputStream(text))) {
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
