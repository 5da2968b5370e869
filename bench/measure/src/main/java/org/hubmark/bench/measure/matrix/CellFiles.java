package org.hubmark.bench.measure.matrix;

import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.HistogramLogReader;
import org.HdrHistogram.HistogramLogWriter;
import org.hubmark.bench.machine.folders.Folders;
import org.hubmark.bench.machine.folders.StoreSearch;
import org.hubmark.bench.results.LatencyAt;
import org.hubmark.core.OutputFile;
import org.hubmark.core.UserError;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
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
        Map<String, List<Path>> folders = new LinkedHashMap<>();
        Map<String, List<Path>> latencies = new LinkedHashMap<>();
        for (Map.Entry<String, Integer> cell : repeats.entrySet()) {
            for (int repeat = 1; repeat <= cell.getValue(); repeat++) {
                Path own = of(cell.getKey(), repeat);
                folders.computeIfAbsent(cell.getKey(), id -> new ArrayList<>()).add(own);
                Path beside = own.resolve(LatencyAt.FOLDER);
                if (Files.exists(beside)) {
                    // Measured again with the last of more repeats.
                    latencies.put(cell.getKey(), List.of(beside));
                }
            }
        }
        assemble(folders, folder);
        if (!latencies.isEmpty()) {
            assemble(latencies, Files.createDirectories(folder.resolve(LatencyAt.FOLDER)));
        }
    }

    private static void assemble(Map<String, List<Path>> folders, Path into) throws IOException {
        boolean head = true;
        int most = folders.values().stream().mapToInt(List::size).max().orElse(0);
        try (BufferedWriter out = new BufferedWriter(new OutputStreamWriter(
                OutputFile.begin(into.resolve(SAMPLES)), StandardCharsets.UTF_8))) {
            for (int repeat = 0; repeat < most; repeat++) {
                for (List<Path> all : folders.values()) {
                    if (repeat < all.size() && Files.exists(all.get(repeat).resolve(SAMPLES))) {
                        append(all.get(repeat).resolve(SAMPLES), out, head);
                        head = false;
                    }
                }
            }
        }
        for (Map.Entry<String, List<Path>> cell : folders.entrySet()) {
            histograms(cell.getKey() + ".hlog", cell.getValue(), into);
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
    private static void histograms(String name, List<Path> folders, Path into) throws IOException {
        HistogramLogWriter out = null;
        try {
            for (Path own : folders) {
                Path log = own.resolve(name);
                if (!Files.exists(log)) {
                    continue;
                }
                try (HistogramLogReader in = new HistogramLogReader(log.toFile())) {
                    for (EncodableHistogram interval = in.nextIntervalHistogram();
                            interval != null;
                            interval = in.nextIntervalHistogram()) {
                        if (out == null) {
                            out = begin(into.resolve(name), interval.getStartTimeStamp());
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
        HistogramLogWriter out = new HistogramLogWriter(OutputFile.begin(file));
        out.outputComment("[Latencies in nanoseconds, one interval a second of measured time]");
        out.outputLogFormatVersion();
        out.outputStartTime(startMillis);
        out.setBaseTime(startMillis);
        out.outputLegend();
        return out;
    }
}
