package org.hubmark.bench.measure.builds;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The comparison of builds for people: on a terminal, and as Markdown. */
public final class BuildsText {
    private static final List<String> HEAD =
            List.of("", "", "median", "[min, max]", "to A", "[min, max]", "95 % interval");

    private BuildsText() {}

    /** {@return a table a case in plain text, and what must be known to read it} */
    public static String plain(BuildsResult result) {
        StringBuilder text = new StringBuilder();
        result.builds().forEach(build -> text.append(build.describe()).append('\n'));
        for (BuildsResult.CaseResult one : result.cases()) {
            text.append('\n').append(heading(one)).append('\n');
            table(one, text);
        }
        String separator = "\n";
        for (String note : notes(result)) {
            text.append(separator).append(note).append('\n');
            separator = "";
        }
        return text.toString();
    }

    /** {@return the same in Markdown} */
    public static String markdown(BuildsResult result) {
        StringBuilder text = new StringBuilder("# Builds compared\n\n");
        result.builds()
                .forEach(build -> text.append("- ").append(build.describe()).append('\n'));
        text.append("\n`").append(result.command()).append("`\n");
        for (BuildsResult.CaseResult one : result.cases()) {
            text.append("\n## ").append(heading(one)).append("\n\n");
            List<List<String>> rows = rows(one);
            row(rows.getFirst(), text);
            text.append("|---|---|---:|---:|---:|---:|---:|\n");
            rows.subList(1, rows.size()).forEach(row -> row(row, text));
        }
        String separator = "\n";
        for (String note : notes(result)) {
            text.append(separator).append("- ").append(note).append('\n');
            separator = "";
        }
        return text.toString();
    }

    private static String heading(BuildsResult.CaseResult one) {
        return one.id() + ", " + one.rounds() + (one.rounds() == 1 ? " round" : " rounds");
    }

    private static void table(BuildsResult.CaseResult one, StringBuilder text) {
        List<List<String>> rows = rows(one);
        int[] widths = new int[HEAD.size()];
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                // The first two are words, the others numbers.
                String format = (i == 0 ? "" : "  ") + "%" + (i < 2 ? "-" : "")
                        + Math.max(1, widths[i]) + "s";
                line.append(String.format(Locale.ROOT, format, row.get(i)));
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
    }

    private static void row(List<String> cells, StringBuilder text) {
        text.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }

    private static List<List<String>> rows(BuildsResult.CaseResult one) {
        List<List<String>> rows = new ArrayList<>(List.of(HEAD));
        for (BuildsResult.FigureResult figure : one.figures()) {
            String title = figure.figure().title();
            for (BuildsResult.BuildResult build : figure.builds()) {
                PairedRatio ratio = build.toFirst();
                rows.add(List.of(
                        title,
                        build.build(),
                        number(build.median()),
                        "[" + number(build.min()) + ", " + number(build.max()) + "]",
                        ratio == null ? "" : ratio(ratio.median()),
                        ratio == null
                                ? ""
                                : "[" + ratio(ratio.min()) + ", " + ratio(ratio.max()) + "]",
                        ratio == null ? "" : interval(ratio)));
                title = "";
            }
        }
        return rows;
    }

    private static List<String> notes(BuildsResult result) {
        List<String> notes = new ArrayList<>();
        result.remarks().forEach(remark -> notes.add("note: " + remark));
        result.invalidReasons().forEach(reason -> notes.add("not valid: " + reason));
        return notes;
    }

    /** Rates of thousands need no decimals, microseconds do. */
    private static String number(double value) {
        return String.format(Locale.ROOT, value >= 1000 ? "%.0f" : "%.1f", value);
    }

    private static String ratio(double ratio) {
        return String.format(Locale.ROOT, "%.3f", ratio);
    }

    private static String interval(PairedRatio ratio) {
        return ratio.ci95() == null
                ? "-"
                : ratio(ratio.ci95().low()) + " to " + ratio(ratio.ci95().high());
    }
}
