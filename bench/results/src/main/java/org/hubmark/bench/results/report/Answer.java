package org.hubmark.bench.results.report;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.results.Ceilings;
import org.hubmark.bench.results.Condition;
import org.hubmark.bench.results.Results;
import org.jspecify.annotations.Nullable;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * What one wants to know first, on a terminal in a screenful: how much, how fast, at what cost, what
 * limits it, whether it is safe and valid. All else is in {@link TerminalTable} and in the report.
 */
public final class Answer {
    /** Of more scenarios it is told how many there are. */
    private static final int NAMES_MAX = 4;

    private final JsonNode results;
    private final Sheet sheet;
    private final ScenarioTables tables;
    private final TerminalWriter out;

    private Answer(Results results, PrintStream out) {
        this.results = Report.tree(results);
        this.sheet = SheetBuilder.of(this.results, RawFiles.none());
        this.tables = new ScenarioTables(
                Study.beside(this.results),
                this.results,
                RawFiles.none(),
                SelfCheck.of(this.results, RawFiles.none()));
        this.out = new TerminalWriter(out);
    }

    /** Prints it. */
    public static void print(Results results, PrintStream out) {
        new Answer(results, out).print();
    }

    private void print() {
        out.line(sheet.title());
        out.wrap("", sheet.subtitle());
        TerminalTable all = new TerminalTable(out);
        all.printPublication(sheet);
        if (sheet.replay() != null) {
            all.print(sheet.replay());
        } else if (!sheet.effects().rows().isEmpty()) {
            matrix();
        } else if (sheet.isWide()) {
            out.grid(sheet.overview());
        } else {
            out.table(table());
        }
        all.printCostModels(sheet);
        out.space();
        say("Latency", this::noLatency);
        say("Limit", this::limit);
        say("Safe", this::safety);
        sheet.warnings().forEach(warning -> out.wrap("Warning       ", warning));
        sheet.problems().forEach(problem -> out.wrap("NOT VALID     ", problem));
        out.flush();
    }

    private void matrix() {
        out.grid(sheet.grid().rows().isEmpty() ? sheet.overview() : sheet.grid());
        out.space();
        out.line("Effect of each factor, all else equal");
        out.grid(sheet.effects());
        published();
    }

    /** The published columns once, not beside each cell. */
    private void published() {
        Table study = sheet.studyTable();
        List<Integer> places = new ArrayList<>();
        for (int i = 0; i < study.columns().size(); i++) {
            if (study.columns().get(i).published()) {
                places.add(i);
            }
        }
        if (!places.isEmpty()) {
            out.table(new Table(
                    "Published",
                    places.stream().map(study.columns()::get).toList(),
                    study.lines().stream()
                            .map(line -> new Table.Line(
                                    line.label(),
                                    0,
                                    places.stream().map(line.cells()::get).toList()))
                            .toList()));
        }
    }

    private Table table() {
        List<Table.Line> lines = new ArrayList<>();
        lines.add(line("Rate (msg/s)", this::rate));
        lines.add(line("  95 % interval", this::interval));
        lines.add(line("Accept latency p99 (ms)", this::latency));
        lines.add(line("Server CPU per message (us)", "server_cpu_us_per_msg", 1));
        lines.add(line(
                "CPU cycles per message, whole machine (millions)", "cpu_cost_mcycles_per_msg", 3));
        lines.add(line("Disk writes per message: log, queue", this::writes));
        lines.add(line("Limited by", "limiting_resource", null));
        lines.add(line("Share of the log device's maximum (%)", this::logDevice));
        lines.add(line("Can lose acknowledged mail", "unsafe", null));
        lines.add(line("Valid", "valid", null));
        return new Table("", tables.columns(), lines);
    }

    private Table.Line line(String label, String field, @Nullable Integer decimals) {
        return line(label, i -> tables.cell(new Row(field, label, decimals), i));
    }

    private Table.Line line(String label, IntFunction<TableCell> cell) {
        List<TableCell> cells = new ArrayList<>();
        for (int i = 0; i < tables.scenarios().size(); i++) {
            cells.add(cell.apply(i));
        }
        return new Table.Line(label, 0, cells);
    }

    private TableCell rate(int i) {
        return Warnings.headline(
                tables.scenarios().get(i), tables.cell(new Row("throughput_msgs_per_s", "", 2), i));
    }

    private TableCell interval(int i) {
        TableCell low = tables.cell(new Row("throughput_ci95_msgs_per_s.low", "", 2), i);
        TableCell high = tables.cell(new Row("throughput_ci95_msgs_per_s.high", "", 2), i);
        return low.known() && high.known()
                ? new TableCell(low.text() + " to " + high.text(), true)
                : low;
    }

    /** At a stated rate: what a closed loop sees is no latency of mail that comes from outside. */
    private TableCell latency(int i) {
        JsonNode scenario = tables.scenarios().get(i);
        JsonNode beside = scenario.path(SelfCheck.LATENCY_AT);
        if (beside.path("valid").asBoolean()) {
            return at(
                    new Row("latency_at.accept_latency_ms.p99", "", 2).cell(scenario),
                    new Row("latency_at.rate_msgs_per_s", "", 0).cell(scenario));
        }
        return ScenarioTables.isClosedLoop(scenario)
                ? new TableCell("-", false)
                : at(
                        new Row("accept_latency_ms.p99", "", 2).cell(scenario),
                        new Row("throughput_msgs_per_s", "", 2).cell(scenario));
    }

    private static TableCell at(TableCell latency, TableCell rate) {
        return latency.known() && rate.known()
                ? new TableCell(latency.text() + " at " + rate.text() + "/s", true)
                : latency;
    }

    /** A ceiling that was mismeasured is no measure; the warnings say so. */
    private TableCell logDevice(int i) {
        JsonNode percent = tables.scenarios().get(i).at("/ceilings/log_device_percent");
        return Ceilings.isMismeasured(percent.asDouble())
                ? new TableCell("-", false)
                : tables.cell(new Row("ceilings.log_device_percent", "", 0), i);
    }

    private TableCell writes(int i) {
        TableCell log = tables.cell(new Row("log_writes_per_msg", "", 3), i);
        TableCell queue = tables.cell(new Row("queue_writes_per_msg", "", 3), i);
        return new TableCell(log.text() + ", " + queue.text(), log.known() || queue.known());
    }

    /** Says each thing once, with the scenarios that it is said of where it isn't said of all. */
    private void say(String label, Function<JsonNode, String> words) {
        Map<String, List<String>> byWords = new LinkedHashMap<>();
        for (int i = 0; i < tables.scenarios().size(); i++) {
            byWords.computeIfAbsent(
                            words.apply(tables.scenarios().get(i)), key -> new ArrayList<>())
                    .add(tables.names().get(i));
        }
        byWords.remove("");
        int all = tables.scenarios().size();
        byWords.forEach((text, names) -> out.wrap(
                label + " ".repeat(Math.max(1, 14 - label.length())),
                (names.size() == all ? "" : who(names) + ": ") + text));
    }

    private static String who(List<String> names) {
        return names.size() > NAMES_MAX ? names.size() + " scenarios" : String.join("; ", names);
    }

    /** Why there is none; nothing where there is one, or the warnings say why not. */
    private String noLatency(JsonNode scenario) {
        if (!ScenarioTables.isClosedLoop(scenario)
                || scenario.path(SelfCheck.LATENCY_AT).isObject()) {
            return "";
        }
        JsonNode settings = results.path("settings");
        // Only a hub of our own is measured once more.
        boolean beside = settings.hasNonNull("latency-at");
        String quick = Warnings.isRough(settings) ? ", which --quick leaves out," : "";
        return "not measured: a closed loop (--rate max) does not show what mail from outside would"
                + " see; " + (beside ? "--latency-at 70%" + quick + " or " : "")
                + "--rate N measures it";
    }

    /** Of many scenarios each has a reason of its own: then only the resource is told. */
    private String limit(JsonNode scenario) {
        String reason = tables.scenarios().size() > NAMES_MAX
                ? scenario.path("limiting_resource").asText("").replace('_', ' ')
                : scenario.path("limiting_reason").asText("");
        String lift = scenario.path("limiting_lift").asText("");
        return lift.isEmpty() ? reason : reason + ". What would lift it: " + lift;
    }

    private String safety(JsonNode scenario) {
        JsonNode unsafe = scenario.path("unsafe");
        if (unsafe.asBoolean()) {
            return "NO, a power loss may take acknowledged mail: "
                    + scenario.path("unsafe_reason").asText("");
        }
        String evidence = scenario.path("safety_evidence").path("words").asText("");
        if (!unsafe.isBoolean()) {
            return "not known of this server: "
                    + (evidence.isEmpty()
                            ? "nothing here shows what its answers promise"
                            : evidence);
        }
        if (!evidence.isEmpty()) {
            return "yes, as far as this shows: " + evidence;
        }
        List<String> doubts = new ArrayList<>();
        for (JsonNode volume : new Machines(results).volumes()) {
            if (volume.path("sync_verdict").asText("").startsWith("unknown")) {
                doubts.add(volume.path("role").asText());
            }
        }
        return "yes, " + scenario.path(Condition.DURABILITY.key()).asText("")
                + " before each answer"
                + (doubts.isEmpty()
                        ? ""
                        : ", as far as this machine can tell: whether a sync of the "
                                + String.join(", ", doubts) + " volume survives a power loss is not"
                                + " known");
    }
}
