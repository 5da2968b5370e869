package org.hubmark.bench.measure.run;

import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.HistogramLogReader;
import org.HdrHistogram.HistogramLogWriter;
import org.hubmark.core.OutputFile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The histogram log of a scenario, ID.hlog. One thread. */
final class HistogramFile implements AutoCloseable {
    /** As {@link org.hubmark.bench.measure.Measurement} writes it into each tag. */
    private static final Pattern REPEAT = Pattern.compile("repeat-(\\d+)");

    private final Path file;
    private final HistogramLogWriter writer;

    /** Begins it. */
    HistogramFile(Path file, String title, Instant startedAt) throws IOException {
        this(file, title, startedAt, repeat -> false);
    }

    /**
     * Begins it, or goes on with it.
     *
     * @param kept tells of which repeats the histograms stay
     */
    HistogramFile(Path file, String title, Instant startedAt, IntPredicate kept)
            throws IOException {
        List<EncodableHistogram> before = read(file, kept);
        this.file = file;
        this.writer = new HistogramLogWriter(OutputFile.begin(file));
        writer.outputComment("[Accept latency of " + title
                + " messages in nanoseconds, one interval a second of measured time]");
        writer.outputLogFormatVersion();
        writer.outputStartTime(startedAt.toEpochMilli());
        writer.setBaseTime(startedAt.toEpochMilli());
        writer.outputLegend();
        before.forEach(writer::outputIntervalHistogram);
    }

    /** A line that an interruption cut off ends what can be read. */
    private static List<EncodableHistogram> read(Path file, IntPredicate kept) throws IOException {
        List<EncodableHistogram> all = new ArrayList<>();
        if (!Files.exists(file)) {
            return all;
        }
        try (HistogramLogReader reader = new HistogramLogReader(file.toFile())) {
            for (EncodableHistogram one = reader.nextIntervalHistogram();
                    one != null;
                    one = reader.nextIntervalHistogram()) {
                Matcher tag = REPEAT.matcher(String.valueOf(one.getTag()));
                if (tag.find() && kept.test(Integer.parseInt(tag.group(1)))) {
                    all.add(one);
                }
            }
        } catch (RuntimeException e) {
            // What stands before it is whole.
            return all;
        }
        return all;
    }

    HistogramLogWriter writer() {
        return writer;
    }

    /** {@return how long the file is, for {@link #cutTo}} */
    long lengthBytes() throws IOException {
        return Files.size(file);
    }

    /** Takes back the histograms that were written since the file was so long. */
    void cutTo(long lengthBytes) throws IOException {
        OutputFile.cut(file, lengthBytes);
    }

    @Override
    public void close() {
        writer.close();
    }
}
