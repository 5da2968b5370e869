package org.hubmark.bench.results.report;

import org.hubmark.bench.kit.page.Block;
import org.hubmark.bench.kit.page.Cells;
import org.hubmark.bench.kit.page.TableCell;
import org.hubmark.bench.machine.volumes.DeviceProfile;
import org.hubmark.bench.results.Condition;
import org.hubmark.bench.results.Conditions;
import org.hubmark.bench.results.Figure;
import org.hubmark.bench.results.Figures.Limiting;
import org.hubmark.bench.results.HubStudy;
import org.hubmark.bench.results.Results;
import org.hubmark.bench.results.Scenario;
import org.hubmark.bench.results.SustainedRate;
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
    private static final ScenarioRow COST = new ScenarioRow(Fields.COST, "", 2);
    private static final ScenarioRow LOG_WRITES = new ScenarioRow(Fields.LOG_WRITES, "", 2);
    private static final ScenarioRow QUEUE_WRITES = new ScenarioRow(Fields.QUEUE_WRITES, "", 2);

    private final PublishedStudy study;
    private final Results results;
    private final ScenarioTables ours;
    private final Notes notes;

    private StudyReplay(PublishedStudy study, Results results, ScenarioTables ours, Notes notes) {
        this.study = study;
        this.results = results;
        this.ours = ours;
        this.notes = notes;
    }

    /** {@return the study beside what was measured; empty where that is something else} */
    static List<Block> of(PublishedStudy study, Results results, ScenarioTables ours, Notes notes) {
        return PRESET.equals(results.provenance().settings().get("preset"))
                ? new StudyReplay(study, results, ours, notes).blocks()
                : List.of();
    }

    private List<Block> blocks() {
        return List.of(
                table("At the published rate: what does the same work cost now?", false),
                table("At the highest rate that is sustained: what does this machine hold?", true),
                fifth(),
                new Block.Text("What limits at the highest rate that is sustained, by our data:"),
                new Block.Items(limits(), false),
                ratios(),
                new Block.Items(remarks(), false));
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

    private List<String> limits() {
        List<String> limits = new ArrayList<>();
        for (String device : List.of(SCSI, SATA, SATA_UNSAFE)) {
            for (double size : SIZES_KB) {
                int place = find(device, size, true);
                if (place >= 0) {
                    limits.add(limit(device, size, ours.scenarios().get(place)));
                }
            }
        }
        return limits;
    }

    private String limit(String device, double size, Scenario scenario) {
        Limiting limiting = scenario.figures().limiting();
        HubStudy.Published published = device.equals(SATA_UNSAFE) ? null : published(device, size);
        StringBuilder text = new StringBuilder(name(device))
                .append(device.equals(SATA_UNSAFE) ? " with its cache on (UNSAFE), " : ", ")
                .append((int) size)
                .append(" KB: ")
                .append(limit(limiting.limitingResource()));
        if (published == null) {
            text.append(" (not published)");
        } else {
            text.append(" (published: ")
                    .append(limit(published.limitingResource()))
                    .append(')');
        }
        String reason = limiting.limitingReason();
        if (reason != null && !reason.isEmpty()) {
            text.append(". ").append(capital(reason));
        }
        SustainedRate searched = scenario.capacity().sustainedRate();
        if (searched != null && !searched.reason().isEmpty()) {
            text.append(". The search: ").append(searched.reason());
        }
        if (published != null) {
            text.append(difference(published, scenario));
        }
        return text.append('.').toString();
    }

    private static String capital(String sentence) {
        return sentence.substring(0, 1).toUpperCase(Locale.ROOT) + sentence.substring(1);
    }

    /** {@return why another resource limits than what was published; empty where it is the same} */
    private static String difference(HubStudy.Published published, Scenario scenario) {
        String theirs = published.limitingResource();
        String limit = String.valueOf(scenario.figures().limiting().limitingResource());
        if (theirs.equals("cpu") && limit.endsWith("_volume")) {
            return ". It differs since a message costs "
                    + COST.cell(scenario).text() + " MCycles here and "
                    + COST.published(published).text()
                    + " there: the CPU is not what ends first";
        }
        if (theirs.equals("io") && limit.equals("log_volume")) {
            ScenarioRow latency =
                    new ScenarioRow(Fields.of(Figure.AVG_QUEUE_WRITE_LATENCY_MS), "", 0);
            return ". There it was the queue volume above all ("
                    + QUEUE_WRITES.published(published).text() + " writes a message, "
                    + latency.published(published).text() + " ms each); here "
                    + QUEUE_WRITES.cell(scenario).text()
                    + ", since mail that is delivered in time never moves there";
        }
        if (theirs.equals("io") && limit.equals("cpu")) {
            return ". It differs since "
                    + LOG_WRITES.cell(scenario).text()
                    + " log writes a message wait for the device here, "
                    + LOG_WRITES.published(published).text() + " there";
        }
        return "";
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

    private List<String> remarks() {
        List<String> remarks = new ArrayList<>();
        remarks.add("Ours: this machine's CPU and memory, and devices of which the answer to a sync"
                + " is emulated: when it comes, and how many bytes a second it takes ("
                + bandwidth(DeviceProfile.SCSI_15K_BBWC) + ", "
                + bandwidth(DeviceProfile.SATA_7200)
                + "); reads through the page cache are this machine's. The queue of"
                + " SATA is on two devices as RAID 0; 32 connections.");
        remarks.add(
                "The study's mail waited, and was written to the queue volume 0.66 to 2.87 times a"
                        + " message. At the published rates all mail waits here (delivery hold, checkpoint depth"
                        + " 16 MB), so that the queue volume is written: the queue's length and size are those"
                        + " of all that was held since the start. At the highest rates mail is"
                        + " delivered at once (checkpoint depth 128 MB, as the study's cache) and never written"
                        + " there: held, it would fill the volume.");
        remarks.add(devices());
        remarks.add(
                "%CPU and Msg Cost count the whole machine less the load driver. At the published"
                        + " rate a machine of today is nearly idle, and what else it does is a part of them:"
                        + " 'server alone' is what the server's process takes, and stands first; where others take"
                        + " more than the server, the machine has no cost of a message. It is more than at the highest"
                        + " rate: each message has a sync of its own and wakes threads for itself, and what the"
                        + " process does every second, whatever comes, falls to few messages.");
        long steady = ours.scenarios().stream()
                .filter(scenario -> scenario.repeats().stream()
                        .allMatch(repeat -> Boolean.TRUE.equals(repeat.warmUp().steady())))
                .count();
        if (steady < ours.scenarios().size()) {
            remarks.add(ours.scenarios().size() - steady + " of "
                    + ours.scenarios().size() + " cases were not shown to be steady before"
                    + " they were measured: a longer --warmup and --warmup-max would tell.");
        }
        return remarks;
    }

    private static String bandwidth(DeviceProfile profile) {
        Long bytes = profile.bytesPerSecond();
        return name(profile.toString())
                + (bytes == null ? " not limited" : " " + bytes / 1_000_000 + " MB/s a device");
    }

    /** Loop devices of test volumes have their images in one folder, so on one disk. */
    private String devices() {
        boolean loops = results.measured().volumes().stream()
                .allMatch(volume -> volume.device() != null && volume.device().startsWith("loop"));
        return loops
                ? "Each volume has a loop device of its own, and all their images lie on one disk of"
                        + " this machine: counters and emulated answers are each device's own, the real"
                        + " disk below is shared."
                : "The volumes are not loop devices: whether they share a disk of this machine stands"
                        + " with the volumes. Emulated answers are each volume's own.";
    }
}
