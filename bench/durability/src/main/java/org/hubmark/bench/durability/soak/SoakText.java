package org.hubmark.bench.durability.soak;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Draws the sums of soaks as tables of Markdown whose columns are aligned, so that a terminal and a page
 * of the documentation show the same lines.
 */
public final class SoakText {
    private static final int COMMIT_DIGITS = 12;
    private static final int FAILURES_MAX = 20;
    private static final MathContext TWO_DIGITS = new MathContext(2);
    private static final List<String> SUMS = List.of(
            "kind",
            "class",
            "histories",
            "crashes",
            "acknowledged",
            "lost",
            "corrupted",
            "duplicated",
            "loss at most (95 %)",
            "recovery max, ms",
            "kept");
    private static final List<String> SECONDS =
            List.of("kind", "seconds a crash", "devices", "start", "load", "copy", "check", "rest");

    private SoakText() {}

    /** {@return the lines} */
    public static List<String> of(SoakReport report) {
        List<String> lines = new ArrayList<>();
        for (SoakReport.Format format : report.formats()) {
            if (!lines.isEmpty()) {
                lines.add("");
            }
            lines.addAll(heading(format));
            lines.add("");
            List<List<String>> rows = new ArrayList<>();
            format.kinds().forEach(sum -> rows.add(row(sum)));
            format.totals().forEach(sum -> rows.add(row(sum)));
            lines.addAll(table(SUMS, rows, 2));
            List<List<String>> seconds = seconds(format);
            if (!seconds.isEmpty()) {
                lines.add("");
                lines.addAll(table(SECONDS, seconds, 1));
            }
            said(lines, "Promises broken", format.failures());
            said(lines, "Histories without a verdict", format.notJudged());
        }
        return lines;
    }

    private static List<String> heading(SoakReport.Format format) {
        List<String> lines = new ArrayList<>();
        lines.add("Store format " + format.storeFormat() + ", from " + day(format.firstAt())
                + " to " + day(format.lastAt()) + ":");
        lines.add("");
        format.commits()
                .forEach((commit, histories) ->
                        lines.add("- commit " + shortened(commit) + ": " + histories(histories)));
        format.machines()
                .forEach((machine, histories) ->
                        lines.add("- " + machine + ": " + histories(histories)));
        return lines;
    }

    private static String histories(long count) {
        return count + (count == 1 ? " history" : " histories");
    }

    /** {@return to the minute} */
    private static String day(String moment) {
        return moment.length() < 16 ? moment : moment.substring(0, 16).replace('T', ' ') + " UTC";
    }

    private static String shortened(String commit) {
        String digits = commit.replaceFirst("-dirty$", "");
        return digits.length() <= COMMIT_DIGITS
                ? commit
                : digits.substring(0, COMMIT_DIGITS) + commit.substring(digits.length());
    }

    private static List<String> row(SoakReport.Sum sum) {
        HistoryLine.Counts counts = sum.counts();
        return List.of(
                sum.kind(),
                sum.durability(),
                Long.toString(sum.histories()),
                Long.toString(counts.crashes()),
                Long.toString(counts.acknowledgedMsgs()),
                Long.toString(counts.lostMsgs()),
                Long.toString(counts.corruptedMsgs()),
                Long.toString(counts.duplicatedMsgs()),
                percent(sum.lossChanceUpperBound()),
                number("%.0f", sum.times().recoveryMsMax()),
                sum.promiseKept() ? "yes" : "no");
    }

    private static String percent(@Nullable Double chance) {
        return chance == null
                ? "-"
                : BigDecimal.valueOf(chance * 100).round(TWO_DIGITS).toPlainString() + " %";
    }

    private static String number(String form, @Nullable Double value) {
        return value == null ? "-" : String.format(Locale.ROOT, form, value);
    }

    /** {@return a row for each kind, over its classes} */
    private static List<List<String>> seconds(SoakReport.Format format) {
        Map<String, List<SoakReport.Sum>> byKind = format.kinds().stream()
                .collect(Collectors.groupingBy(
                        SoakReport.Sum::kind, TreeMap::new, Collectors.toList()));
        List<List<String>> rows = new ArrayList<>();
        byKind.forEach((kind, sums) -> {
            double seconds = 0;
            long attempts = 0;
            HistoryLine.Phases phases = HistoryLine.Phases.NONE;
            for (SoakReport.Sum sum : sums) {
                seconds += sum.times().seconds();
                attempts += sum.counts().attempts();
                HistoryLine.Phases parts = sum.times().phases();
                phases = parts == null ? phases : phases.plus(parts);
            }
            if (attempts > 0) {
                double each = attempts;
                rows.add(List.of(
                        kind,
                        seconds(seconds / each),
                        seconds(phases.devicesS() / each),
                        seconds(phases.startS() / each),
                        seconds(phases.loadS() / each),
                        seconds(phases.copyS() / each),
                        seconds(phases.checkS() / each),
                        seconds((seconds - phases.sum()) / each)));
            }
        });
        return rows;
    }

    private static String seconds(double seconds) {
        return String.format(Locale.ROOT, "%.2f", Math.max(0, seconds));
    }

    private static void said(List<String> lines, String title, List<String> all) {
        if (all.isEmpty()) {
            return;
        }
        lines.add("");
        lines.add(title + " (" + all.size() + "):");
        lines.add("");
        all.stream().limit(FAILURES_MAX).forEach(line -> lines.add("- " + line));
        if (all.size() > FAILURES_MAX) {
            lines.add("- and " + (all.size() - FAILURES_MAX) + " more, which --json names");
        }
    }

    /** {@return a table; the first columns are words, the others numbers} */
    private static List<String> table(List<String> heads, List<List<String>> rows, int words) {
        List<Integer> widths = new ArrayList<>();
        for (int i = 0; i < heads.size(); i++) {
            int column = i;
            widths.add(rows.stream()
                    .mapToInt(row -> row.get(column).length())
                    .reduce(heads.get(i).length(), Math::max));
        }
        List<String> lines = new ArrayList<>();
        lines.add(line(heads, widths, words));
        StringBuilder rule = new StringBuilder("|");
        for (int i = 0; i < heads.size(); i++) {
            rule.append('-').append("-".repeat(widths.get(i))).append(i < words ? "-|" : ":|");
        }
        lines.add(rule.toString());
        rows.forEach(row -> lines.add(line(row, widths, words)));
        return lines;
    }

    private static String line(List<String> cells, List<Integer> widths, int words) {
        StringBuilder line = new StringBuilder("|");
        for (int i = 0; i < cells.size(); i++) {
            String pad = " ".repeat(widths.get(i) - cells.get(i).length());
            line.append(' ')
                    .append(i < words ? cells.get(i) + pad : pad + cells.get(i))
                    .append(" |");
        }
        return line.toString();
    }
}
