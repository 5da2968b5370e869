package org.hubmark.bench.mail.report;

import org.hubmark.bench.kit.page.Block;
import org.hubmark.bench.kit.page.Cells;
import org.hubmark.bench.kit.page.TableCell;
import org.hubmark.bench.machine.volumes.DeviceProfile;
import org.hubmark.bench.mail.document.Condition;
import org.hubmark.bench.mail.document.Conditions;
import org.hubmark.bench.mail.document.HubStudy;
import org.hubmark.bench.mail.document.Results;
import org.hubmark.bench.mail.document.Scenario;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * The hub study measured again: its four columns, each beside ours on an emulated device of the same
 * kind, at the published rate and at the highest that is sustained; and the fifth case, for which it
 * has no figures.
 */
final class StudyReplay {
    /** The preset of a matrix that measures these cases. */
    private static final String PRESET = "hub-study";

    private static final String SCSI = DeviceProfile.SCSI_15K_BBWC.toString();
    private static final String SATA = DeviceProfile.SATA_7200.toString();
    private static final String SATA_UNSAFE = DeviceProfile.SATA_7200_CACHE.toString();
    private static final double[] SIZES_KB = {57, 80};
    private static final String HIGHEST = "max";
    private static final ScenarioRow RATE = new ScenarioRow(Fields.RATE, "", 2);

    private final PublishedStudy study;
    private final ScenarioTables ours;
    private final Notes notes;

    private StudyReplay(PublishedStudy study, ScenarioTables ours, Notes notes) {
        this.study = study;
        this.ours = ours;
        this.notes = notes;
    }

    /** {@return the study beside what was measured; empty where that is something else} */
    static List<Block> of(PublishedStudy study, Results results, ScenarioTables ours, Notes notes) {
        return PRESET.equals(results.provenance().settings().get("preset"))
                ? new StudyReplay(study, ours, notes).blocks()
                : List.of();
    }

    private List<Block> blocks() {
        return List.of(
                table("At the published rate: what does the same work cost now?", false),
                table("At the highest rate that is sustained: what does this machine hold?", true),
                fifth(),
                ratios());
    }

    private Block table(String caption, boolean highest) {
        List<Block.Heading> columns = new ArrayList<>();
        List<Integer> places = new ArrayList<>();
        List<HubStudy.Published> published = new ArrayList<>();
        for (String device : List.of(SCSI, SATA)) {
            for (double size : SIZES_KB) {
                int place = find(device, size, highest);
                List<String> heading = List.of(name(device), (int) size + " KB");
                columns.add(new Block.Heading(heading, Block.Side.OURS, marks(place)));
                columns.add(new Block.Heading(heading, Block.Side.PUBLISHED, List.of()));
                places.add(place);
                published.add(published(device, size));
            }
        }
        List<List<TableCell>> lines = new ArrayList<>();
        for (ScenarioRow row : study.rowsOfOurs()) {
            List<TableCell> cells = new ArrayList<>(List.of(TableCell.text(notes.marked(row))));
            for (int i = 0; i < places.size(); i++) {
                cells.add(cell(row, places.get(i)));
                cells.add(shown(row, row.published(published.get(i))));
            }
            lines.add(cells);
        }
        return ScenarioTables.grid(caption, columns, lines);
    }

    private Block fifth() {
        List<Block.Heading> columns = new ArrayList<>();
        List<Integer> places = new ArrayList<>();
        for (boolean highest : new boolean[] {false, true}) {
            for (double size : SIZES_KB) {
                int place = find(SATA_UNSAFE, size, highest);
                List<Block.Mark> marks = new ArrayList<>(marks(place));
                // Also where it wasn't measured: the case is what is unsafe.
                marks.remove(Dimensions.UNSAFE_MARK);
                marks.addFirst(Dimensions.UNSAFE_MARK);
                columns.add(new Block.Heading(
                        List.of((int) size + " KB", highest ? "highest rate" : "published rate"),
                        Block.Side.OURS,
                        marks));
                places.add(place);
            }
        }
        List<List<TableCell>> lines = new ArrayList<>();
        for (ScenarioRow row : study.rowsOfOurs()) {
            List<TableCell> cells = new ArrayList<>(List.of(TableCell.text(notes.marked(row))));
            places.forEach(place -> cells.add(cell(row, place)));
            lines.add(cells);
        }
        return ScenarioTables.grid(
                "The fifth case, which was not published: SATA with the disks' write cache on."
                        + " A power loss takes acknowledged mail",
                columns,
                lines);
    }

    private List<Block.Mark> marks(int place) {
        return place < 0 ? List.of() : ours.columns().get(place).marks();
    }

    private static String name(String device) {
        return device.equals(SCSI) ? "SCSI" : "SATA";
    }

    /** {@return where it stands among ours; -1 when it was not measured} */
    private int find(String device, double sizeKb, boolean highest) {
        for (int i = 0; i < ours.scenarios().size(); i++) {
            Scenario scenario = ours.scenarios().get(i);
            Conditions conditions = scenario.conditions();
            if (device.equals(conditions.get(Condition.DEVICE_PROFILE))
                    && scenario.messageSizeKb() == sizeKb
                    && String.valueOf(conditions.get(Condition.ASKED_RATE)).startsWith(HIGHEST)
                            == highest) {
                return i;
            }
        }
        return -1;
    }

    private HubStudy.Published published(String device, double sizeKb) {
        String server = device.equals(SCSI) ? "scsi" : "sata";
        return study.columns().stream()
                .filter(column ->
                        column.server().equals(server) && column.messageSizeKb() == sizeKb)
                .findFirst()
                .orElseThrow();
    }

    private TableCell cell(ScenarioRow row, int place) {
        return place < 0 ? TableCell.UNKNOWN : shown(row, ours.cell(row, place));
    }

    /** What limits is said shorter than elsewhere: eight columns have to stand side by side. */
    private static TableCell shown(ScenarioRow row, TableCell cell) {
        return row.field().equals(Fields.LIMIT) && cell.isKnown()
                ? cell.as(limit(cell.text()))
                : cell;
    }

    private static String limit(@Nullable String resource) {
        String words = ScenarioRow.shown(resource, null).text();
        return switch (words) {
            case "log volume" -> "I/O log";
            case "queue volume" -> "I/O queue";
            default -> words;
        };
    }

    private Block ratios() {
        List<List<String>> lines = new ArrayList<>();
        for (double size : SIZES_KB) {
            double safe = publishedRate(SATA, size) / publishedRate(SCSI, size);
            lines.add(List.of(
                    (int) size + " KB",
                    ratio(find(SATA, size, true), find(SCSI, size, true)),
                    text(safe),
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

    private double publishedRate(String device, double size) {
        return Objects.requireNonNull(
                published(device, size).figures().get(RATE.field().key()));
    }

    private String ratio(int of, int to) {
        if (of < 0 || to < 0 || rate(ours.scenarios().get(to)) == 0) {
            return Cells.UNKNOWN;
        }
        return text(rate(ours.scenarios().get(of)) / rate(ours.scenarios().get(to)));
    }

    private static double rate(Scenario scenario) {
        Double rate = RATE.field().number(scenario);
        return rate == null ? 0 : rate;
    }

    private static String text(double ratio) {
        return String.format(Locale.ROOT, "%.2f", ratio);
    }
}
