package org.hubmark.bench.measure.matrix;

import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.HistogramLogReader;
import org.HdrHistogram.HistogramLogWriter;
import org.hubmark.bench.machine.folders.Folders;
import org.hubmark.bench.machine.folders.StoreSearch;
import org.hubmark.bench.results.LatencyAt;
import org.hubmark.core.UserError;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Folders of the repeats of each cell, one each, so that unfinished repeats can be told from
 * finished ones; and the files of the whole that are put together from them.
 */
final class CellFiles {
    private static final String SAMPLES = "samples.csv";

    private final Path folder;

    CellFiles(Path folder) {
        this.folder = folder;
    }

    /** {@return the folder of a repeat} */
    Path of(String cell, int repeat) {
        return folder.resolve("cells").resolve(cell).resolve("repeat-" + repeat);
    }

    /** {@return an empty folder for a repeat; what an interruption left in it is removed} */
    Path fresh(String cell, int repeat) throws IOException {
        return fresh(of(cell, repeat));
    }

    /** {@return an empty folder for what is measured of the ceilings that cells share} */
    Path freshForCeilings() throws IOException {
        return fresh(folder.resolve("cells").resolve("ceilings"));
    }

    private static Path fresh(Path own) throws IOException {
        if (Files.exists(own)) {
            String obstacle = StoreSearch.obstacle(List.of(own), List.of());
            if (obstacle != null) {
                throw UserError.failed(obstacle + "; name another --output");
            }
            Folders.delete(own);
        }
        return Files.createDirectories(own);
    }

    /**
     * Puts samples.csv together, and the histogram log of each cell.
     *
     * @param repeats how many of each cell count, by its id
     */
    void assemble(Map<String, Integer> repeats) throws IOException {
        assemble("", repeats);
        boolean latencies = repeats.entrySet().stream()
                .anyMatch(cell ->
                        Files.exists(of(cell.getKey(), cell.getValue()).resolve(LatencyAt.FOLDER)));
        if (latencies) {
            Files.createDirectories(folder.resolve(LatencyAt.FOLDER));
            assemble(LatencyAt.FOLDER, repeats);
        }
    }

    /** The files in a folder of that name in that of each repeat; in this itself if it is empty. */
    private void assemble(String below, Map<String, Integer> repeats) throws IOException {
        boolean head = true;
        int most = repeats.values().stream().mapToInt(Integer::intValue).max().orElse(0);
        try (BufferedWriter out = Files.newBufferedWriter(folder.resolve(below).resolve(SAMPLES))) {
            for (int repeat = 1; repeat <= most; repeat++) {
                for (Map.Entry<String, Integer> cell : repeats.entrySet()) {
                    Path samples = of(cell.getKey(), repeat).resolve(below).resolve(SAMPLES);
                    if (repeat <= cell.getValue() && Files.exists(samples)) {
                        append(samples, out, head);
                        head = false;
                    }
                }
            }
        }
        for (Map.Entry<String, Integer> cell : repeats.entrySet()) {
            histograms(below, cell.getKey(), cell.getValue());
        }
    }

    private static void append(Path samples, BufferedWriter out, boolean head) throws IOException {
        try (BufferedReader in = Files.newBufferedReader(samples)) {
            String first = in.readLine();
            if (head && first != null) {
                out.write(first + "\n");
            }
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                out.write(line + "\n");
            }
        }
    }

    /** Read and written again: the times in a log count from its own beginning. */
    private void histograms(String below, String cell, int repeats) throws IOException {
        String name = cell + ".hlog";
        HistogramLogWriter out = null;
        try {
            for (int repeat = 1; repeat <= repeats; repeat++) {
                Path log = of(cell, repeat).resolve(below).resolve(name);
                if (!Files.exists(log)) {
                    continue;
                }
                try (HistogramLogReader in = new HistogramLogReader(log.toFile())) {
                    for (EncodableHistogram interval = in.nextIntervalHistogram();
                            interval != null;
                            interval = in.nextIntervalHistogram()) {
                        if (out == null) {
                            out = begin(
                                    folder.resolve(below).resolve(name),
                                    interval.getStartTimeStamp());
                        }
                        out.outputIntervalHistogram(interval);
                    }
                }
            }
        } finally {
            if (out != null) {
                out.close();
            }
        }
    }

    private static HistogramLogWriter begin(Path file, long startMillis) throws IOException {
        HistogramLogWriter out = new HistogramLogWriter(file.toFile());
        out.outputComment("[Latencies in nanoseconds, one interval a second of measured time]");
        out.outputLogFormatVersion();
        out.outputStartTime(startMillis);
        out.setBaseTime(startMillis);
        out.outputLegend();
        return out;
    }
}
