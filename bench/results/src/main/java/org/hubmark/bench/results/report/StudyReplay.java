package org.hubmark.bench.results.report;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.machine.volumes.DeviceProfile;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

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
    private static final Row RATE = new Row("throughput_msgs_per_s", "", 2);
    private static final Row COST = new Row("cpu_cost_mcycles_per_msg", "", 2);

    private final Study study;
    private final JsonNode results;
    private final ScenarioTables ours;
    private final Notes notes;

    private StudyReplay(Study study, JsonNode results, ScenarioTables ours, Notes notes) {
        this.study = study;
        this.results = results;
        this.ours = ours;
        this.notes = notes;
    }

    /** {@return the study beside what was measured; empty where that is something else} */
    static Optional<Replay> of(Study study, JsonNode results, ScenarioTables ours, Notes notes) {
        if (!results.path("settings").path("preset").asText().equals(PRESET)) {
            return Optional.empty();
        }
        return Optional.of(new StudyReplay(study, results, ours, notes).replay());
    }

    private Replay replay() {
        return new Replay(
                List.of(
                        table("At the published rate: what does the same work cost now?", false),
                        table(
                                "At the highest rate that is sustained: what does this machine hold?",
                                true),
                        fifth()),
                limits(),
                ratios(),
                remarks());
    }

    private Table table(String caption, boolean highest) {
        List<Table.Column> columns = new ArrayList<>();
        List<Integer> places = new ArrayList<>();
        List<JsonNode> published = new ArrayList<>();
        for (String device : List.of(SCSI, SATA)) {
            for (double size : SIZES_KB) {
                int place = find(device, size, highest);
                List<String> heading = List.of(name(device), (int) size + " KB");
                columns.add(column(heading, place));
                columns.add(new Table.Column(heading, true, true, false, List.of()));
                places.add(place);
                published.add(published(device, size));
            }
        }
        List<Table.Line> lines = new ArrayList<>();
        for (Row row : rows()) {
            List<TableCell> cells = new ArrayList<>();
            for (int i = 0; i < places.size(); i++) {
                cells.add(cell(row, places.get(i)));
                cells.add(shown(row, published.get(i), row.published(published.get(i))));
            }
            lines.add(new Table.Line(row.label(), notes.numberOf(row.field()), cells));
        }
        return new Table(caption, columns, lines);
    }

    private Table fifth() {
        List<Table.Column> columns = new ArrayList<>();
        List<Integer> places = new ArrayList<>();
        for (boolean highest : new boolean[] {false, true}) {
            for (double size : SIZES_KB) {
                int place = find(SATA_UNSAFE, size, highest);
                Table.Column own = column(
                        List.of((int) size + " KB", highest ? "highest rate" : "published rate"),
                        place);
                // Also where it wasn't measured: the case is what is unsafe.
                columns.add(
                        new Table.Column(own.heading(), false, own.valid(), true, own.warnings()));
                places.add(place);
            }
        }
        List<Table.Line> lines = new ArrayList<>();
        for (Row row : rows()) {
            lines.add(new Table.Line(
                    row.label(),
                    notes.numberOf(row.field()),
                    places.stream().map(place -> cell(row, place)).toList()));
        }
        return new Table(
                "The fifth case, which was not published: SATA with the disks' write cache on."
                        + " A power loss takes acknowledged mail",
                columns,
                lines);
    }

    /** The study's, and what a message costs the server alone: the machine has other work too. */
    private List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (Row row : study.rows()) {
            rows.add(row);
            if (row.field().equals(COST.field())) {
                rows.add(new Row(
                        "cpu_cost_process_mcycles_per_msg", "  server alone (MCyc/msg)", 2));
            }
        }
        return rows;
    }

    private Table.Column column(List<String> heading, int place) {
        Table.Column own = place < 0 ? null : ours.columns().get(place);
        return new Table.Column(
                heading,
                false,
                own == null || own.valid(),
                own != null && own.unsafe(),
                own == null ? List.of() : own.warnings());
    }

    private static String name(String device) {
        return device.equals(SCSI) ? "SCSI" : "SATA";
    }

    /** {@return where it stands among ours; -1 when it was not measured} */
    private int find(String device, double sizeKb, boolean highest) {
        for (int i = 0; i < ours.scenarios().size(); i++) {
            JsonNode scenario = ours.scenarios().get(i);
            if (scenario.path("device_profile").asText().equals(device)
                    && scenario.path("message_size_kb").asDouble() == sizeKb
                    && scenario.path("asked_rate").asText().startsWith(HIGHEST) == highest) {
                return i;
            }
        }
        return -1;
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

    private TableCell cell(Row row, int place) {
        return place < 0
                ? new TableCell("-", false)
                : shown(row, ours.scenarios().get(place), ours.cell(row, place));
    }

    /** What limits is said shorter than elsewhere: eight columns have to stand side by side. */
    private static TableCell shown(Row row, JsonNode scenario, TableCell cell) {
        return row.field().equals("limiting_resource") && cell.known()
                ? new TableCell(limit(scenario), true, cell.derivation(), cell.mismatch())
                : cell;
    }

    private static String limit(JsonNode scenario) {
        JsonNode name = scenario.path("limiting_resource");
        return switch (name.asText("")) {
            case "log_volume" -> "I/O log";
            case "queue_volume" -> "I/O queue";
            default -> TableCell.of(name, null).text();
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

    private String limit(String device, double size, JsonNode scenario) {
        JsonNode published = device.equals(SATA_UNSAFE) ? null : published(device, size);
        StringBuilder text = new StringBuilder(name(device))
                .append(device.equals(SATA_UNSAFE) ? " with its cache on (UNSAFE), " : ", ")
                .append((int) size)
                .append(" KB: ")
                .append(limit(scenario));
        if (published == null) {
            text.append(" (not published)");
        } else {
            text.append(" (published: ").append(limit(published)).append(')');
        }
        String reason = scenario.path("limiting_reason").asText("");
        if (scenario.path("limiting_reason").isTextual() && !reason.isEmpty()) {
            text.append(". ").append(capital(reason));
        }
        String searched = scenario.path("sustained_rate").path("reason").asText("");
        if (!searched.isEmpty()) {
            text.append(". The search: ").append(searched);
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
    private static String difference(JsonNode published, JsonNode scenario) {
        String theirs = published.path("limiting_resource").asText();
        String limit = scenario.path("limiting_resource").asText("");
        if (theirs.equals("cpu") && limit.endsWith("_volume")) {
            return ". It differs since a message costs "
                    + COST.cell(scenario).text() + " MCycles here and "
                    + COST.published(published).text()
                    + " there: the CPU is not what ends first";
        }
        if (theirs.equals("io") && limit.equals("log_volume")) {
            Row latency = new Row("avg_queue_write_latency_ms", "", 0);
            Row writes = new Row("queue_writes_per_msg", "", 2);
            return ". There it was the queue volume above all ("
                    + writes.published(published).text() + " writes a message, "
                    + latency.published(published).text() + " ms each); here "
                    + writes.cell(scenario).text()
                    + ", since mail that is delivered in time never moves there";
        }
        if (theirs.equals("io") && limit.equals("cpu")) {
            return ". It differs since "
                    + new Row("log_writes_per_msg", "", 2).cell(scenario).text()
                    + " log writes a message wait for the device here, "
                    + new Row("log_writes_per_msg", "", 2).published(published).text() + " there";
        }
        return "";
    }

    private Sheet.Grid ratios() {
        List<List<TableCell>> lines = new ArrayList<>();
        for (double size : SIZES_KB) {
            double safe = rate(published(SATA, size)) / rate(published(SCSI, size));
            lines.add(List.of(
                    new TableCell((int) size + " KB", true),
                    ratio(find(SATA, size, true), find(SCSI, size, true)),
                    text(safe),
                    ratio(find(SATA_UNSAFE, size, true), find(SCSI, size, true)),
                    new TableCell("said to reach SCSI", true)));
        }
        return new Sheet.Grid(
                List.of(
                        "SATA / SCSI, highest rate",
                        "ours",
                        "published",
                        "ours, cache on (UNSAFE)",
                        "published"),
                lines);
    }

    private TableCell ratio(int of, int to) {
        if (of < 0 || to < 0 || rate(ours.scenarios().get(to)) == 0) {
            return new TableCell("-", false);
        }
        return text(rate(ours.scenarios().get(of)) / rate(ours.scenarios().get(to)));
    }

    private static double rate(JsonNode scenario) {
        return scenario.path(RATE.field()).asDouble();
    }

    private static TableCell text(double ratio) {
        return new TableCell(String.format(Locale.ROOT, "%.2f", ratio), true);
    }

    private List<String> remarks() {
        List<String> remarks = new ArrayList<>();
        remarks.add("Ours: this machine's CPU and memory, and devices of which the answer to a sync"
                + " is emulated: when it comes, and how many bytes a second it takes ("
                + bandwidth(DeviceProfile.SCSI_15K_BBWC) + ", "
                + bandwidth(DeviceProfile.SATA_7200)
                + "); reads through the page cache are this machine's. The queue of"
                + " SATA is on two devices as RAID 0; checkpoint depth 128 MB; 32 connections.");
        remarks.add(devices());
        remarks.add(
                "%CPU and Msg Cost count the whole machine less the load driver. At the published"
                        + " rate a machine of today is nearly idle, and what else it does is a part of them:"
                        + " 'server alone' is what the server's process takes. It is more than at the highest"
                        + " rate: each message has a sync of its own and wakes threads for itself, and what the"
                        + " process does every second, whatever comes, falls to few messages.");
        int steady = 0;
        for (JsonNode scenario : ours.scenarios()) {
            boolean all = true;
            for (JsonNode repeat : scenario.path("repeats")) {
                all &= repeat.path("steady").asBoolean(false);
            }
            steady += all ? 1 : 0;
        }
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
        boolean loops = true;
        for (JsonNode volume : new Machines(results).volumes()) {
            loops &= volume.path("device").asText("").startsWith("loop");
        }
        return loops
                ? "Each volume has a loop device of its own, and all their images lie on one disk of"
                        + " this machine: counters and emulated answers are each device's own, the real"
                        + " disk below is shared."
                : "The volumes are not loop devices: whether they share a disk of this machine stands"
                        + " with the volumes. Emulated answers are each volume's own.";
    }
}
