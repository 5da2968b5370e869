package org.hubmark.bench.results.report;

import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.hubmark.bench.kit.document.FileSums;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.results.Counters;
import org.hubmark.bench.results.Figure;
import org.hubmark.bench.results.LatencyAt;
import org.hubmark.bench.results.Results;
import org.hubmark.bench.results.Scenario;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What a run wrote down while it went: samples.csv, and a histogram log for each scenario. One
 * thread.
 *
 * <p>In a histogram log the tag {@code repeat-N} names the repeat of an interval, {@code
 * repeat-N-step-M} the step of a rate that changes too, and {@code uncorrected-} before it the same
 * counted from the actual send. Where a workload has several operations {@code -op-NAME} follows the
 * repeat; what is asked for is always all of them together.
 */
final class RawFiles {
    private static final String UNCORRECTED = "uncorrected";
    private static final String STEP = "-step-";
    private static final Pattern REPEAT = Pattern.compile("repeat-(\\d+)");

    private final @Nullable Path directory;
    private final Map<String, Map<Integer, List<Map<String, String>>>> samples;
    private final Map<String, Histograms> histograms;
    /** Of which step the histograms are wanted; 0 for all. */
    private final int step;

    /** The histograms of a scenario by tag, of the intervals together; percentiles are not averaged. */
    private record Histograms(Map<String, Histogram> byTag) {}

    private RawFiles(
            @Nullable Path directory,
            Map<String, Map<Integer, List<Map<String, String>>>> samples,
            Map<String, Histograms> histograms,
            int step) {
        this.directory = directory;
        this.samples = samples;
        this.histograms = histograms;
        this.step = step;
    }

    /** {@return nothing at all} */
    static RawFiles none() {
        return new RawFiles(null, Map.of(), new HashMap<>(), 0);
    }

    /**
     * Reads the samples; histograms are read when they are asked for.
     *
     * @param directory where the files lie, if they do
     */
    static RawFiles in(Path directory) {
        Path file = directory.resolve("samples.csv");
        Map<String, Map<Integer, List<Map<String, String>>>> samples = new LinkedHashMap<>();
        if (Files.isRegularFile(file)) {
            for (Map<String, String> row : rows(file)) {
                samples.computeIfAbsent(
                                row.getOrDefault("scenario", ""), key -> new LinkedHashMap<>())
                        .computeIfAbsent(repeat(row), key -> new ArrayList<>())
                        .add(row);
            }
        }
        return new RawFiles(directory, samples, new HashMap<>(), 0);
    }

    /** {@return those of the latency at a rate beside, which lie in a folder of their own} */
    private RawFiles beside() {
        return directory == null ? none() : in(directory.resolve(LatencyAt.FOLDER));
    }

    /** {@return those that are not what the run wrote, by name; none where nobody noted their sums} */
    List<String> changed(Results results) {
        return directory == null
                ? List.of()
                : FileSums.changed(directory, "results.json", results.rawFiles());
    }

    /** {@return a scenario with what these files keep of it} */
    Traced traced(Scenario scenario, Repeat machines) {
        String id = scenario.id();
        return new Traced(
                scenario,
                scenario.repeats().stream()
                        .map(repeat -> counted(
                                last(id, repeat.repeat()),
                                machines,
                                corrected -> latencies(id, repeat.repeat(), corrected)))
                        .toList(),
                counted(Map.of(), machines, corrected -> latencies(scenario, corrected)),
                scenario.latencyAt() == null ? machines : beside().only(id, machines));
    }

    private Repeat only(String id, Repeat machines) {
        return counted(last(id, 1), machines, corrected -> latencies(id, 1, corrected));
    }

    /** {@return what was counted in a step of a repeat} */
    Repeat step(String id, int repeat, int number, Repeat machines) {
        RawFiles own = ofStep(number);
        return counted(
                growth(id, repeat, number),
                machines,
                corrected -> own.latencies(id, repeat, corrected));
    }

    /** {@return the times of a step in all repeats} */
    Repeat step(Scenario scenario, int number, Repeat machines) {
        RawFiles own = ofStep(number);
        return counted(Map.of(), machines, corrected -> own.latencies(scenario, corrected));
    }

    private Map<String, String> last(String id, int repeat) {
        List<Map<String, String>> rows = samples(id).getOrDefault(repeat, List.of());
        return rows.isEmpty() ? Map.of() : rows.getLast();
    }

    private static Repeat counted(
            Map<String, String> row,
            Repeat machines,
            Function<Boolean, @Nullable Histogram> times) {
        Repeat.Builder counted = Repeat.counted();
        Counters.MACHINES.forEach(counter -> counted.count(counter, machines.count(counter)));
        Counters.SAMPLED.forEach(counter -> counted.count(counter, number(row, counter.key())));
        Histogram accept = times.apply(true);
        if (accept != null) {
            counted.times(Figure.ACCEPT, accept);
        }
        Histogram uncorrected = times.apply(false);
        if (uncorrected != null) {
            counted.times(Figure.UNCORRECTED, uncorrected);
        }
        return counted.made();
    }

    /** {@return the same files, but of the histograms those of one step only} */
    private RawFiles ofStep(int number) {
        return new RawFiles(directory, samples, histograms, number);
    }

    /**
     * {@return by how much each counter grew in a step of a repeat, from the last row before the step
     * to its own last row; empty if there are no rows of it}
     */
    private Map<String, String> growth(String scenario, int repeat, int number) {
        Map<String, String> before = Map.of();
        Map<String, String> last = Map.of();
        for (Map<String, String> row : samples(scenario).getOrDefault(repeat, List.of())) {
            if (row.getOrDefault("step", "").equals(String.valueOf(number))) {
                last = row;
            } else if (last.isEmpty()) {
                before = row;
            }
        }
        Map<String, String> growth = new HashMap<>();
        for (Map.Entry<String, String> counter : last.entrySet()) {
            try {
                BigDecimal from = new BigDecimal(before.getOrDefault(counter.getKey(), "0"));
                growth.put(
                        counter.getKey(),
                        new BigDecimal(counter.getValue()).subtract(from).toPlainString());
            } catch (NumberFormatException e) {
                // A counter that isn't known stays so.
                growth.remove(counter.getKey());
            }
        }
        return growth;
    }

    /** {@return the rows of a scenario by repeat, as they stand in the file} */
    Map<Integer, List<Map<String, String>>> samples(String scenario) {
        return samples.getOrDefault(scenario, Map.of());
    }

    /** {@return the number in a column, null if it is empty, missing or none} */
    static @Nullable Double number(Map<String, String> row, String column) {
        String text = row.getOrDefault(column, "");
        if (text.isEmpty()) {
            return null;
        }
        try {
            return Double.valueOf(text);
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /**
     * {@return latencies in nanoseconds of all repeats that count together; null if there are none}
     *
     * @param corrected from the intended start; else from the actual send
     */
    @Nullable
    Histogram latencies(Scenario scenario, boolean corrected) {
        Set<Integer> counted = scenario.repeats().stream()
                .map(Scenario.Repeat::repeat)
                .collect(Collectors.toSet());
        Histogram all = new Histogram(3);
        histograms(scenario.id()).byTag().forEach((tag, histogram) -> {
            Matcher repeat = REPEAT.matcher(tag);
            boolean counts = counted.isEmpty()
                    || !repeat.find()
                    || counted.contains(Integer.valueOf(repeat.group(1)));
            if (tag.startsWith(UNCORRECTED) != corrected && isWanted(tag) && counts) {
                all.add(histogram);
            }
        });
        return all.getTotalCount() == 0 ? null : all;
    }

    /** {@return the same of one repeat} */
    private @Nullable Histogram latencies(String scenario, int repeat, boolean corrected) {
        String tag = (corrected ? "" : UNCORRECTED + "-") + "repeat-" + repeat;
        Histogram all = new Histogram(3);
        histograms(scenario).byTag().forEach((name, histogram) -> {
            boolean own = name.equals(tag) || name.startsWith(tag + "-");
            if (own && isWanted(name)) {
                all.add(histogram);
            }
        });
        return all.getTotalCount() == 0 ? null : all;
    }

    private boolean isWanted(String tag) {
        return step == 0 || tag.endsWith(STEP + step);
    }

    private Histograms histograms(String scenario) {
        return histograms.computeIfAbsent(scenario, this::read);
    }

    private Histograms read(String scenario) {
        Map<String, Histogram> byTag = new LinkedHashMap<>();
        Path log = directory == null ? null : directory.resolve(scenario + ".hlog");
        if (log == null || !Files.isRegularFile(log)) {
            return new Histograms(byTag);
        }
        try (HistogramLogReader reader = new HistogramLogReader(log.toFile())) {
            while (reader.hasNext()) {
                EncodableHistogram interval = reader.nextIntervalHistogram();
                if (interval instanceof Histogram histogram) {
                    String tag = interval.getTag() == null ? "" : interval.getTag();
                    byTag.computeIfAbsent(tag, key -> new Histogram(3)).add(histogram);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (RuntimeException e) {
            throw new UncheckedIOException(
                    new IOException(log + " is not a histogram log: " + e.getMessage(), e));
        }
        return new Histograms(byTag);
    }

    private static int repeat(Map<String, String> row) {
        Double repeat = number(row, "repeat");
        return repeat == null ? 0 : repeat.intValue();
    }

    /** The file is ours: no quoted fields. */
    private static List<Map<String, String>> rows(Path csv) {
        try {
            List<String> lines = Files.readAllLines(csv);
            List<Map<String, String>> rows = new ArrayList<>();
            if (lines.isEmpty()) {
                return rows;
            }
            String[] names = lines.getFirst().split(",", -1);
            for (String line : lines.subList(1, lines.size())) {
                String[] values = line.split(",", -1);
                Map<String, String> row = new HashMap<>();
                for (int i = 0; i < Math.min(names.length, values.length); i++) {
                    row.put(names[i].strip(), values[i].strip());
                }
                rows.add(row);
            }
            return rows;
        } catch (IOException e) {
            throw new UncheckedIOException(
                    new IOException(csv + " can't be read: " + e.getMessage(), e));
        }
    }
}
