package org.hubmark.bench.mail.report;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.DocumentReport;
import org.hubmark.bench.kit.page.Block;
import org.hubmark.bench.kit.page.Cells;
import org.hubmark.bench.kit.page.TableCell;
import org.hubmark.bench.kit.statistics.Digits;
import org.hubmark.bench.machine.volumes.DeviceProfile;
import org.hubmark.bench.mail.document.Condition;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.HubStudy;
import org.hubmark.bench.mail.document.Results;
import org.hubmark.bench.mail.document.Scenario;
import org.hubmark.bench.mail.document.ScenarioNames;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The hub study measured again: its four columns, each beside ours on an emulated device of the same
 * kind, at the published rate and at the highest that is sustained; and the fifth case, for which it
 * has no figures.
 */
final class StudyReplay {
    private static final String SCSI = DeviceProfile.SCSI_15K_BBWC.toString();
    private static final String SATA = DeviceProfile.SATA_7200.toString();
    private static final String SATA_UNSAFE = DeviceProfile.SATA_7200_CACHE.toString();
    private static final double[] SIZES_KB = {57, 80};

    private final Results results;
    private final ScenarioNames names;

    private StudyReplay(Results results, ScenarioNames names) {
        this.results = results;
        this.names = names;
    }

    /** {@return the study beside what was measured} */
    static List<Block> blocks(Results results, ScenarioNames names) {
        StudyReplay replay = new StudyReplay(results, names);
        return List.of(
                replay.table("At the published rate: what does the same work cost now?", false),
                replay.table(
                        "At the highest rate that is sustained: what does this machine hold?",
                        true),
                replay.fifth(),
                replay.ratios());
    }

    private Block table(String caption, boolean highest) {
        Map<Block.Heading, List<TableCell>> columns = new LinkedHashMap<>();
        for (String device : List.of(SCSI, SATA)) {
            for (double size : SIZES_KB) {
                int place = find(device, size, highest);
                Block.Heading head = new Block.Heading(
                        List.of(device.equals(SCSI) ? "SCSI" : "SATA", ScenarioNames.size(size)),
                        Block.Side.OURS,
                        marks(place));
                columns.put(head, ours(place));
                columns.put(
                        new Block.Heading(head.lines(), Block.Side.PUBLISHED, List.of()),
                        published(published(device, size)));
            }
        }
        return grid(caption, columns);
    }

    private Block fifth() {
        Map<Block.Heading, List<TableCell>> columns = new LinkedHashMap<>();
        for (boolean highest : new boolean[] {false, true}) {
            for (double size : SIZES_KB) {
                int place = find(SATA_UNSAFE, size, highest);
                // Also where it wasn't measured: the case is what is unsafe.
                Block.Mark unsafe = new Block.Mark(ScenarioNames.UNSAFE, Block.Tone.DANGER);
                List<Block.Mark> marks = new ArrayList<>(marks(place));
                marks.remove(unsafe);
                marks.addFirst(unsafe);
                columns.put(
                        new Block.Heading(
                                List.of(
                                        ScenarioNames.size(size),
                                        highest ? "highest rate" : "published rate"),
                                Block.Side.OURS,
                                marks),
                        ours(place));
            }
        }
        return grid(
                "The fifth case, which was not published: SATA with the disks' write cache on."
                        + " A power loss takes acknowledged mail",
                columns);
    }

    private static Block.Grid grid(String caption, Map<Block.Heading, List<TableCell>> columns) {
        List<Block.Heading> heads = new ArrayList<>(List.of(Block.Heading.of("")));
        heads.addAll(columns.keySet());
        List<List<TableCell>> lines = new ArrayList<>();
        for (int i = 0; i <= Figure.STUDY.size(); i++) {
            String label = i == 0 ? "Limited by" : Figure.STUDY.get(i - 1).heading();
            List<TableCell> line = new ArrayList<>(List.of(TableCell.text(label)));
            for (List<TableCell> column : columns.values()) {
                line.add(column.get(i));
            }
            lines.add(line);
        }
        return new Block.Grid(caption, heads, lines, Set.of());
    }

    private List<Block.Mark> marks(int place) {
        return place < 0 ? List.of() : names.head(place).marks();
    }

    /** {@return where it stands among ours; -1 when it was not measured} */
    private int find(String device, double sizeKb, boolean highest) {
        for (int i = 0; i < names.scenarios().size(); i++) {
            Scenario scenario = names.scenarios().get(i);
            if (device.equals(scenario.conditions().get(Condition.DEVICE_PROFILE))
                    && scenario.messageSizeKb() == sizeKb
                    && (scenario.isClosedLoop() || scenario.conditions().rateSearched())
                            == highest) {
                return i;
            }
        }
        return -1;
    }

    private static HubStudy.Published published(String device, double sizeKb) {
        String server = device.equals(SCSI) ? "scsi" : "sata";
        return HubStudy.published().scenarios().stream()
                .filter(column ->
                        column.server().equals(server) && column.messageSizeKb() == sizeKb)
                .findFirst()
                .orElseThrow();
    }

    private static List<TableCell> published(HubStudy.Published column) {
        List<TableCell> cells = new ArrayList<>();
        cells.add(text(column.values().get("limiting_resource")));
        for (Column figure : Figure.STUDY) {
            Double value = column.figures().get(figure.key());
            cells.add(text(value == null ? null : Digits.plain(value)));
        }
        return cells;
    }

    private List<TableCell> ours(int place) {
        List<TableCell> cells = new ArrayList<>();
        Scenario scenario = place < 0 ? null : names.scenarios().get(place);
        cells.add(text(scenario == null ? null : limit(scenario.limiting().words())));
        for (Column figure : Figure.STUDY) {
            cells.add(
                    scenario == null
                            ? TableCell.UNKNOWN
                            : DocumentReport.cell(
                                    results.document(), scenario.table(), scenario.row(), figure));
        }
        return cells;
    }

    /** What limits is said shorter than elsewhere: eight columns have to stand side by side. */
    private static @Nullable String limit(@Nullable String words) {
        return words == null
                ? null
                : switch (words) {
                    case "log volume" -> "I/O log";
                    case "queue volume" -> "I/O queue";
                    default -> words;
                };
    }

    private static TableCell text(@Nullable Object value) {
        return value == null ? TableCell.UNKNOWN : TableCell.text(value.toString());
    }

    private Block ratios() {
        List<List<String>> lines = new ArrayList<>();
        for (double size : SIZES_KB) {
            lines.add(List.of(
                    ScenarioNames.size(size),
                    ratio(find(SATA, size, true), find(SCSI, size, true)),
                    text(publishedRate(SATA, size) / publishedRate(SCSI, size)),
                    ratio(find(SATA_UNSAFE, size, true), find(SCSI, size, true)),
                    "said to reach SCSI"));
        }
        return new Block.Grid(
                "Throughput of SATA / throughput of SCSI",
                List.of(
                        "SATA / SCSI, highest rate",
                        "ours",
                        "published",
                        "ours, cache on (UNSAFE)",
                        "published"),
                lines);
    }

    private static double publishedRate(String device, double size) {
        return Objects.requireNonNull(
                published(device, size).figures().get(Figure.THROUGHPUT_MSGS_PER_S.key()));
    }

    private String ratio(int of, int to) {
        Double rate = of < 0 ? null : rate(of);
        Double base = to < 0 ? null : rate(to);
        return rate == null || base == null || base == 0 ? Cells.UNKNOWN : text(rate / base);
    }

    private @Nullable Double rate(int place) {
        return names.scenarios().get(place).get(Figure.THROUGHPUT_MSGS_PER_S);
    }

    private static String text(double ratio) {
        return String.format(Locale.ROOT, "%.2f", ratio);
    }
}
