package org.hubmark.bench.report;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.results.Results;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The hub study measured again: its four columns, each beside ours on an emulated device of the same
 * kind, at the published rate and at the highest that is sustained; and the fifth case, for which it
 * has no figures.
 */
public final class StudyReplay {
    private static final int COLUMN = 10;
    private static final String SCSI = "scsi-15k-bbwc";
    private static final String SATA = "sata-7200";
    private static final String SATA_UNSAFE = "sata-7200-cache";
    private static final double[] SIZES_KB = {57, 80};
    private static final String HIGHEST = "max";

    private final Study study = Study.load();
    private final List<JsonNode> ours = new ArrayList<>();
    private final List<String> lines = new ArrayList<>();

    /** A column: two lines of heading, and the scenario, ours or a published one. */
    private record Column(
            String over, String under, @Nullable JsonNode scenario) {}

    private StudyReplay(Results results) {
        Report.tree(results).path("scenarios").forEach(ours::add);
    }

    /** Prints it: ASCII, at most 118 columns. */
    public static void print(Results results, PrintStream out) {
        new StudyReplay(results).text().forEach(out::println);
        out.flush();
    }

    /** Writes the same as a Markdown file. */
    public static void write(Results results, Path file) throws IOException {
        Files.writeString(
                file,
                "# The hub study, replayed\n\n```\n"
                        + String.join("\n", new StudyReplay(results).text())
                        + "\n```\n");
    }

    private List<String> text() {
        table("At the published rate: what does the same work cost now?", columns(false, true));
        table("At the highest sustained rate: what does this machine hold?", columns(true, true));
        table(
                "The fifth case, which was not published: SATA with the disks' write cache on. UNSAFE:"
                        + " a power loss takes acknowledged mail",
                fifth());
        limits();
        ratios();
        lines.add("");
        lines.add("Published: " + study.source() + ". Ours: this machine's CPU; devices emulated"
                + " (sync latency, and bandwidth");
        lines.add(
                "for SATA), each volume on a device of its own, the queue of SATA on two as RAID 0;"
                        + " checkpoint depth 128 MB.");
        return lines;
    }

    private List<Column> columns(boolean highest, boolean published) {
        List<Column> columns = new ArrayList<>();
        for (String device : List.of(SCSI, SATA)) {
            for (double size : SIZES_KB) {
                String over = name(device) + " " + (int) size + " KB";
                columns.add(new Column(over, "ours", scenario(device, size, highest)));
                if (published) {
                    columns.add(new Column("", "published", published(device, size)));
                }
            }
        }
        return columns;
    }

    private List<Column> fifth() {
        List<Column> columns = new ArrayList<>();
        for (boolean highest : new boolean[] {false, true}) {
            for (double size : SIZES_KB) {
                columns.add(new Column(
                        (int) size + " KB" + (highest ? " highest" : " pub.rate"),
                        "UNSAFE",
                        scenario(SATA_UNSAFE, size, highest)));
            }
        }
        return columns;
    }

    private static String name(String device) {
        return device.equals(SCSI) ? "SCSI" : "SATA";
    }

    private @Nullable JsonNode scenario(String device, double sizeKb, boolean highest) {
        for (JsonNode scenario : ours) {
            if (scenario.path("device_profile").asText().equals(device)
                    && scenario.path("message_size_kb").asDouble() == sizeKb
                    && scenario.path("asked_rate").asText().startsWith(HIGHEST) == highest) {
                return scenario;
            }
        }
        return null;
    }

    private JsonNode published(String device, double sizeKb) {
        String server = device.equals(SCSI) ? "scsi" : "sata";
        return study.columns().stream()
                .map(Study.Published::values)
                .filter(values -> values.path("server").asText().equals(server)
                        && values.path("message_size_kb").asDouble() == sizeKb)
                .findFirst()
                .orElseThrow();
    }

    private void table(String title, List<Column> columns) {
        int labels = study.rows().stream()
                .mapToInt(row -> row.label().length())
                .max()
                .orElse(0);
        if (!lines.isEmpty()) {
            lines.add("");
        }
        lines.add(title);
        StringBuilder over = new StringBuilder(" ".repeat(labels));
        StringBuilder under = new StringBuilder(" ".repeat(labels));
        for (int i = 0; i < columns.size(); i++) {
            Column column = columns.get(i);
            boolean pair = i + 1 < columns.size() && columns.get(i + 1).over().isEmpty();
            if (!column.over().isEmpty()) {
                over.append(right(column.over(), pair ? 2 * COLUMN : COLUMN + 6));
            }
            under.append(right(column.under(), width(columns)));
        }
        lines.add(over.toString());
        lines.add(under.toString());
        lines.add("-".repeat(under.length()));
        for (Row row : study.rows()) {
            lines.add(row.label()
                    + " ".repeat(labels - row.label().length())
                    + columns.stream()
                            .map(column -> right(cell(row, column), width(columns)))
                            .collect(Collectors.joining()));
        }
        lines.add("Valid" + " ".repeat(labels - "Valid".length())
                + columns.stream()
                        .map(column -> right(valid(column), width(columns)))
                        .collect(Collectors.joining()));
    }

    /** Wider where the heading stands over one column, not over a pair. */
    private static int width(List<Column> columns) {
        return columns.stream().anyMatch(column -> column.over().isEmpty()) ? COLUMN : COLUMN + 6;
    }

    private static String valid(Column column) {
        JsonNode scenario = column.scenario();
        if (scenario == null || scenario.path("valid").isMissingNode()) {
            return "";
        }
        return scenario.path("valid").asBoolean() ? "yes" : "NOT VALID";
    }

    private static String cell(Row row, Column column) {
        JsonNode scenario = column.scenario();
        if (scenario == null) {
            return "-";
        }
        if (row.field().equals("limiting_resource")) {
            return limit(scenario);
        }
        return row.cell(scenario).text();
    }

    /** Short enough for a column. */
    private static String limit(JsonNode scenario) {
        String name = scenario.path("limiting_resource").asText("-");
        return switch (name) {
            case "cpu" -> "CPU";
            case "io" -> "I/O";
            case "log_volume" -> "I/O log";
            case "queue_volume" -> "I/O queue";
            case "null" -> "-";
            default -> name;
        };
    }

    private static String right(String text, int width) {
        return " ".repeat(Math.max(1, width - text.length())) + text;
    }

    private void limits() {
        lines.add("");
        lines.add("What limits, by our data, at the highest sustained rate");
        for (String device : List.of(SCSI, SATA, SATA_UNSAFE)) {
            for (double size : SIZES_KB) {
                JsonNode scenario = scenario(device, size, true);
                if (scenario == null) {
                    continue;
                }
                String published = device.equals(SATA_UNSAFE)
                        ? "not published"
                        : "published " + limit(published(device, size));
                wrap("  " + name(device) + (device.equals(SATA_UNSAFE) ? " cache on, " : ", ")
                        + (int) size + " KB: " + limit(scenario) + " (" + published + "). "
                        + scenario.path("limiting_reason").asText("").replace("null", ""));
            }
        }
    }

    private void ratios() {
        lines.add("");
        lines.add("Throughput of SATA / throughput of SCSI, at the highest sustained rate");
        for (double size : SIZES_KB) {
            double published = rate(published(SATA, size)) / rate(published(SCSI, size));
            Double safe = ratio(scenario(SATA, size, true), scenario(SCSI, size, true));
            Double unsafe = ratio(scenario(SATA_UNSAFE, size, true), scenario(SCSI, size, true));
            lines.add(String.format(
                    Locale.ROOT,
                    "  %.0f KB: ours %s, published %.2f; with the unsafe cache on: ours %s, said to"
                            + " reach SCSI",
                    size,
                    text(safe),
                    published,
                    text(unsafe)));
        }
    }

    private static @Nullable Double ratio(@Nullable JsonNode of, @Nullable JsonNode to) {
        return of == null || to == null || rate(to) == 0 ? null : rate(of) / rate(to);
    }

    private static double rate(JsonNode scenario) {
        return scenario.path("throughput_msgs_per_s").asDouble();
    }

    private static String text(@Nullable Double ratio) {
        return ratio == null ? "-" : String.format(Locale.ROOT, "%.2f", ratio);
    }

    private void wrap(String text) {
        StringBuilder line = new StringBuilder();
        for (String word : text.stripTrailing().split(" ", -1)) {
            if (line.length() + 1 + word.length() > 118) {
                lines.add(line.toString());
                line.setLength(0);
                line.append("     ");
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        lines.add(line.toString());
    }
}
