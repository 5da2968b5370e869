package org.hubmark.bench.users.result;

import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.HdrHistogram.HistogramLogWriter;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * The raw file of a run, USERS-users-run-RUN.hlog: an HdrHistogram log with one histogram a task, in
 * nanoseconds, the tag being the task, and one of arrivals under {@code ARRIVAL}.
 */
public final class RawLatencies {
    /** The tag of arrivals. */
    static final String ARRIVAL = "ARRIVAL";

    private RawLatencies() {}

    private static Path file(Path folder, int users, int run) {
        return folder.resolve(users + "-users-run-" + run + ".hlog");
    }

    /** Writes it, in place of one of an earlier try. */
    public static void write(Path folder, int users, PlayedRun played) throws IOException {
        HistogramLogWriter log =
                new HistogramLogWriter(file(folder, users, played.run()).toFile());
        try {
            log.outputLogFormatVersion();
            log.outputLegend();
            for (Task task : Task.values()) {
                TaskCounts counts = played.tasks().get(task);
                if (counts != null) {
                    add(log, task.name(), played, counts.nanos());
                }
            }
            add(log, ARRIVAL, played, played.arrivalNanos());
        } finally {
            log.close();
        }
    }

    private static void add(HistogramLogWriter log, String tag, PlayedRun played, Histogram nanos) {
        Histogram tagged = nanos.copy();
        tagged.setTag(tag);
        log.outputIntervalHistogram(0, played.measuredSeconds(), tagged, 1e6);
    }

    /** {@return the histograms of a run by tag; none when there is no such file} */
    public static Map<String, Histogram> read(Path folder, int users, int run) throws IOException {
        Path file = file(folder, users, run);
        Map<String, Histogram> all = new HashMap<>();
        if (!Files.exists(file)) {
            return all;
        }
        try (HistogramLogReader reader = new HistogramLogReader(file.toFile())) {
            for (@Nullable EncodableHistogram next = reader.nextIntervalHistogram();
                    next != null;
                    next = reader.nextIntervalHistogram()) {
                if (next instanceof Histogram nanos) {
                    all.put(String.valueOf(nanos.getTag()), nanos);
                }
            }
        }
        return all;
    }
}
