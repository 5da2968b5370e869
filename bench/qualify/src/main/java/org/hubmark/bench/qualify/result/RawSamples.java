package org.hubmark.bench.qualify.result;

import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.HdrHistogram.HistogramLogWriter;
import org.jspecify.annotations.Nullable;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The raw files of a phase: PHASE-samples.csv has a row for each instance and sample with all counters,
 * PHASE-db_read.hlog and PHASE-log_write.hlog (HdrHistogram logs, values in nanoseconds, the tag is the
 * instance) the latencies.
 */
public final class RawSamples {
    private static final String HEAD = "instance,at_s,seconds";
    private static final double MILLIS = 1e3;

    private RawSamples() {}

    private static Path csv(Path folder, String phase) {
        return folder.resolve(phase + "-samples.csv");
    }

    private static Path hlog(Path folder, String phase, Column.Timed timed) {
        return folder.resolve(phase + "-" + timed.name().toLowerCase(Locale.ROOT) + ".hlog");
    }

    /** Takes away those of a phase that failed. */
    public static void delete(Path folder, String phase) throws IOException {
        Files.deleteIfExists(csv(folder, phase));
        for (Column.Timed timed : Column.Timed.values()) {
            Files.deleteIfExists(hlog(folder, phase, timed));
        }
    }

    /** Writes them. One thread. */
    public static final class Writer implements AutoCloseable {
        private final BufferedWriter csv;
        private final Map<Column.Timed, HistogramLogWriter> hlogs =
                new EnumMap<>(Column.Timed.class);

        /** Begins the files of a phase, in place of those of an earlier try. */
        public Writer(Path folder, String phase) throws IOException {
            csv = Files.newBufferedWriter(csv(folder, phase));
            csv.write(HEAD + ","
                    + Arrays.stream(IoCounter.values())
                            .map(IoCounter::key)
                            .collect(Collectors.joining(","))
                    + "\n");
            for (Column.Timed timed : Column.Timed.values()) {
                HistogramLogWriter log =
                        new HistogramLogWriter(hlog(folder, phase, timed).toFile());
                log.outputLogFormatVersion();
                log.outputLegend();
                hlogs.put(timed, log);
            }
        }

        /** Writes a sample. */
        public void sample(String instance, double atSeconds, double seconds, IoCounts counts)
                throws IOException {
            csv.write(instance + "," + atSeconds + "," + seconds + ","
                    + Arrays.stream(IoCounter.values())
                            .map(counter -> Long.toString(counts.get(counter)))
                            .collect(Collectors.joining(","))
                    + "\n");
            csv.flush();
        }

        /** Writes the latencies of a sample. */
        public void latencies(
                String instance,
                Column.Timed timed,
                double atSeconds,
                double seconds,
                Histogram nanos) {
            HistogramLogWriter log = hlogs.get(timed);
            if (log != null) {
                Histogram tagged = nanos.copy();
                tagged.setTag(instance);
                log.outputIntervalHistogram(atSeconds - seconds, atSeconds, tagged, 1e6);
            }
        }

        @Override
        public void close() throws IOException {
            hlogs.values().forEach(HistogramLogWriter::close);
            csv.close();
        }
    }

    /** {@return what the files of a phase say of each instance; empty when there are none} */
    public static Map<String, Measured> read(Path folder, String phase) throws IOException {
        Path file = csv(folder, phase);
        if (!Files.exists(file)) {
            return Map.of();
        }
        Map<String, List<Measured.Sample>> samples = new HashMap<>();
        for (String line : Files.readAllLines(file).stream().skip(1).toList()) {
            String[] cells = line.split(",", -1);
            Map<IoCounter, Long> counts = new EnumMap<>(IoCounter.class);
            int cell = 3;
            for (IoCounter counter : IoCounter.values()) {
                counts.put(counter, Long.valueOf(cells[cell++]));
            }
            samples.computeIfAbsent(cells[0], unused -> new ArrayList<>())
                    .add(new Measured.Sample(
                            Double.parseDouble(cells[1]),
                            Double.parseDouble(cells[2]),
                            new IoCounts(counts)));
        }
        Map<String, Map<Column.Timed, Histogram>> nanos = new HashMap<>();
        for (Column.Timed timed : Column.Timed.values()) {
            readLog(hlog(folder, phase, timed), timed, nanos);
        }
        Map<String, Measured> all = new HashMap<>();
        samples.forEach((instance, its) -> all.put(
                instance,
                new Measured(
                        its.stream()
                                .map(Measured.Sample::counts)
                                .reduce(IoCounts.NONE, IoCounts::plus),
                        its.getLast().atSeconds(),
                        nanos.getOrDefault(instance, Map.of()),
                        its)));
        return all;
    }

    /** {@return the latencies of database reads that the files of a phase have, hour by hour} */
    public static Hours readHours(Path folder, String phase) throws IOException {
        Hours hours = new Hours();
        forEachInterval(
                hlog(folder, phase, Column.Timed.DB_READ),
                nanos -> hours.add(
                        (nanos.getStartTimeStamp() + nanos.getEndTimeStamp()) / 2.0 / MILLIS,
                        nanos));
        return hours;
    }

    private static void readLog(
            Path file, Column.Timed timed, Map<String, Map<Column.Timed, Histogram>> into)
            throws IOException {
        forEachInterval(
                file,
                nanos -> into.computeIfAbsent(
                                String.valueOf(nanos.getTag()),
                                unused -> new EnumMap<>(Column.Timed.class))
                        .computeIfAbsent(timed, unused -> new Histogram(3))
                        .add(nanos));
    }

    private static void forEachInterval(Path file, Consumer<Histogram> action) throws IOException {
        try (HistogramLogReader reader = new HistogramLogReader(file.toFile())) {
            for (@Nullable EncodableHistogram next = reader.nextIntervalHistogram();
                    next != null;
                    next = reader.nextIntervalHistogram()) {
                if (next instanceof Histogram nanos) {
                    action.accept(nanos);
                }
            }
        } catch (UncheckedIOException e) {
            throw new IOException(e.getMessage(), e);
        }
    }
}
