package org.hubmark.bench.durability.soak;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

import org.hubmark.bench.kit.document.JsonFile;
import org.hubmark.bench.kit.statistics.ChanceBound;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the lines of soaks add up to, for each store format by itself: what holds of one format says nothing
 * of another, so nothing is added up over them.
 *
 * @param schema form of the JSON
 * @param formats each format with its sums
 * @param promiseKept whether no history broke a promise
 */
public record SoakReport(int schema, List<Format> formats, boolean promiseKept) {
    /** Copies. */
    public SoakReport {
        formats = List.copyOf(formats);
    }

    /**
     * All histories of a store format.
     *
     * @param commits that were crashed, with how many histories each
     * @param machines they were crashed on, in words, with how many histories each
     * @param firstAt when the first line was written
     * @param lastAt when the last line was written
     * @param kinds sums of each kind in each class
     * @param totals sums of all real crashes in each class
     * @param failures what broke a promise, a line each
     * @param notJudged why histories have no verdict, a line each
     */
    public record Format(
            String storeFormat,
            Map<String, Long> commits,
            Map<String, Long> machines,
            String firstAt,
            String lastAt,
            List<Sum> kinds,
            List<Sum> totals,
            List<String> failures,
            List<String> notJudged) {}

    /**
     * The sum of some histories.
     *
     * @param kind of crash, or what was added up
     * @param histories that have a verdict
     * @param lossChanceUpperBound of the chance that a crash loses acknowledged mail, at 95 %; null of no
     *     crash
     * @param lossChanceMethod how that was computed; null of no crash
     */
    public record Sum(
            String kind,
            String durability,
            long histories,
            @JsonUnwrapped HistoryLine.Counts counts,
            @Nullable Double lossChanceUpperBound,
            @Nullable String lossChanceMethod,
            @JsonUnwrapped HistoryLine.Times times,
            boolean promiseKept) {
        static Sum of(String kind, String durability, List<HistoryLine> lines) {
            long histories = 0;
            HistoryLine.Counts counts = HistoryLine.Counts.NONE;
            HistoryLine.Phases phases = HistoryLine.Phases.NONE;
            double seconds = 0;
            for (HistoryLine line : lines) {
                histories += line.seeds().histories();
                counts = counts.plus(line.counts());
                seconds += line.times().seconds();
                HistoryLine.Phases parts = line.times().phases();
                phases = parts == null ? phases : phases.plus(parts);
            }
            ChanceBound bound =
                    ChanceBound.of((double) counts.crashesWithLoss(), (double) counts.crashes());
            return new Sum(
                    kind,
                    durability,
                    histories,
                    counts,
                    Double.isNaN(bound.upper()) ? null : (Double) bound.upper(),
                    bound.method(),
                    new HistoryLine.Times(
                            max(lines, line -> line.times().lossWindowMs()),
                            max(lines, line -> line.times().recoveryMsMax()),
                            seconds,
                            phases.sum() == 0 ? null : phases),
                    lines.stream().allMatch(line -> isKept(line)));
        }

        private static @Nullable Double max(
                List<HistoryLine> lines, Function<HistoryLine, @Nullable Double> what) {
            Double most = null;
            for (HistoryLine line : lines) {
                Double one = what.apply(line);
                if (one != null && (most == null || one > most)) {
                    most = one;
                }
            }
            return most;
        }
    }

    /**
     * {@return the sums of lines}
     *
     * @throws UserError when two of them have a history in common, which would count twice
     */
    public static SoakReport of(Collection<HistoryLine> lines) {
        requireNoneTwice(lines);
        Map<String, List<HistoryLine>> byFormat =
                grouped(lines, line -> line.build().storeFormat());
        List<Format> formats = new ArrayList<>();
        byFormat.forEach((format, own) -> formats.add(format(format, own)));
        return new SoakReport(
                JsonFile.SCHEMA, formats, formats.stream().allMatch(one -> one.failures.isEmpty()));
    }

    private static void requireNoneTwice(Collection<HistoryLine> lines) {
        grouped(lines, line -> line.kind() + ", " + line.durability()).forEach((what, own) -> {
            List<HistoryLine.Seeds> sorted = own.stream()
                    .map(HistoryLine::seeds)
                    .sorted((a, b) -> Long.compare(a.seedFirst(), b.seedFirst()))
                    .toList();
            for (int i = 1; i < sorted.size(); i++) {
                long seed = sorted.get(i).seedFirst();
                if (seed <= sorted.get(i - 1).seedLast()) {
                    throw UserError.usage("two lines are the history of seed " + seed + " of "
                            + what + ", which would count twice; name each soak once");
                }
            }
        });
    }

    private static Format format(String format, List<HistoryLine> lines) {
        List<HistoryLine> judged = lines.stream()
                .filter(line -> line.verdict().promiseKept() != null)
                .toList();
        List<Sum> kinds = new ArrayList<>();
        grouped(judged, line -> kindOrder(line) + line.kind())
                .values()
                .forEach(kind -> grouped(kind, line -> classOrder(line) + line.durability())
                        .values()
                        .forEach(own -> kinds.add(
                                Sum.of(own.getFirst().kind(), own.getFirst().durability(), own))));
        List<Sum> totals = new ArrayList<>();
        grouped(
                        judged.stream().filter(line -> !line.isSimulated()).toList(),
                        line -> classOrder(line) + line.durability())
                .values()
                .forEach(own -> totals.add(Sum.of("all real", own.getFirst().durability(), own)));
        return new Format(
                format,
                counted(lines, line -> String.valueOf(line.build().commit())),
                counted(lines, line -> machine(line.machine())),
                ends(lines).min(String::compareTo).orElse(""),
                ends(lines).max(String::compareTo).orElse(""),
                kinds,
                totals,
                said(judged.stream().filter(line -> !isKept(line)).toList()),
                said(lines.stream()
                        .filter(line -> line.verdict().promiseKept() == null)
                        .toList()));
    }

    /** What was simulated stands first, as it has most crashes and is no crash of a process. */
    private static String kindOrder(HistoryLine line) {
        return line.isSimulated() ? "0" : "1";
    }

    private static String classOrder(HistoryLine line) {
        return switch (line.durability().replaceFirst("=.*", "")) {
            case "synced" -> "0";
            case "periodic" -> "1";
            default -> "2";
        };
    }

    private static boolean isKept(HistoryLine line) {
        return Boolean.TRUE.equals(line.verdict().promiseKept());
    }

    private static Stream<String> ends(List<HistoryLine> lines) {
        return lines.stream().map(HistoryLine::finishedAt);
    }

    private static List<String> said(List<HistoryLine> lines) {
        return lines.stream()
                .flatMap(line -> line.verdict().failures().stream())
                .toList();
    }

    private static String machine(HistoryLine.Machine machine) {
        Long bytes = machine.memoryBytes();
        return machine.logicalCores() + " cores of " + machine.cpuModel() + ", "
                + (bytes == null ? "unknown memory" : Math.round(bytes / 1e9) + " GB") + ", "
                + machine.os() + ", kernel " + machine.kernel() + ", " + machine.jdk() + ", "
                + machine.filesystem() + ", " + machine.sideBySide() + " side by side";
    }

    private static Map<String, Long> counted(
            List<HistoryLine> lines, Function<HistoryLine, String> what) {
        Map<String, Long> counted = new LinkedHashMap<>();
        lines.forEach(line -> counted.merge(what.apply(line), line.seeds().histories(), Long::sum));
        return counted;
    }

    private static Map<String, List<HistoryLine>> grouped(
            Collection<HistoryLine> lines, Function<HistoryLine, String> by) {
        return lines.stream().collect(Collectors.groupingBy(by, TreeMap::new, Collectors.toList()));
    }
}
