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

/**
 * Folders of the repeats of each cell, one each, so that unfinished repeats can be told from
 * finished ones; and the files of the whole that are put together from them.
 */
final class CellFiles {
    private static final String FINISHED = "finished.json";
    private static final String SAMPLES = "samples.csv";

    private final Path folder;

    CellFiles(Path folder) {
        this.folder = folder;
    }

    /** {@return the folder of a repeat} */
    Path of(Cell cell, int repeat) {
        return folder.resolve("cells").resolve(cell.id()).resolve("repeat-" + repeat);
    }

    /** {@return the file that is there when a repeat is finished} */
    Path finished(Cell cell, int repeat) {
        return of(cell, repeat).resolve(FINISHED);
    }

    /** {@return an empty folder for a repeat; what an interruption left in it is removed} */
    Path fresh(Cell cell, int repeat) throws IOException {
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

    /** Test whether a repeat is part of the results. */
    interface Counted {
        boolean test(Cell cell, int repeat);
    }

    /**
     * Puts samples.csv together, and the histogram log of each cell.
     *
     * @param counted what was broken off is left out: no figure is made of it
     */
    void assemble(List<Cell> cells, int repeats, Counted counted) throws IOException {
        assemble("", cells, repeats, counted);
        boolean latencies = false;
        for (Cell cell : cells) {
            latencies |= Files.exists(of(cell, repeats).resolve(LatencyAt.FOLDER));
        }
        if (latencies) {
            Files.createDirectories(folder.resolve(LatencyAt.FOLDER));
            assemble(LatencyAt.FOLDER, cells, repeats, counted);
        }
    }

    /** The files in a folder of that name in that of each repeat; in this itself if it is empty. */
    private void assemble(String below, List<Cell> cells, int repeats, Counted counted)
            throws IOException {
        boolean head = true;
        try (BufferedWriter out = Files.newBufferedWriter(folder.resolve(below).resolve(SAMPLES))) {
            for (int repeat = 1; repeat <= repeats; repeat++) {
                for (Cell cell : cells) {
                    Path samples = of(cell, repeat).resolve(below).resolve(SAMPLES);
                    if (counted.test(cell, repeat) && Files.exists(samples)) {
                        append(samples, out, head);
                        head = false;
                    }
                }
            }
        }
        for (Cell cell : cells) {
            histograms(below, cell, repeats, counted);
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
    private void histograms(String below, Cell cell, int repeats, Counted counted)
            throws IOException {
        String name = cell.id() + ".hlog";
        HistogramLogWriter out = null;
        try {
            for (int repeat = 1; repeat <= repeats; repeat++) {
                Path log = of(cell, repeat).resolve(below).resolve(name);
                if (!counted.test(cell, repeat) || !Files.exists(log)) {
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
