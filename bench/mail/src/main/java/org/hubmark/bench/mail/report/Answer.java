package org.hubmark.bench.mail.report;

import org.hubmark.bench.kit.page.Block;
import org.hubmark.bench.kit.page.TableCell;
import org.hubmark.bench.kit.page.TerminalText;
import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.hubmark.bench.mail.document.Case;
import org.hubmark.bench.mail.document.Ceilings;
import org.hubmark.bench.mail.document.Condition;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.Limiting;
import org.hubmark.bench.mail.document.Reason;
import org.hubmark.bench.mail.document.Results;
import org.hubmark.bench.mail.document.Scenario;
import org.hubmark.bench.mail.document.Validity;
import org.hubmark.bench.mail.document.WarmUp;
import org.hubmark.bench.mail.document.Warnings;
import org.jspecify.annotations.Nullable;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What one wants to know first, on a terminal in a screenful: how much, how fast, at what cost, what
 * limits it, whether it is safe and valid. All else is in {@link TerminalTable} and in the report.
 */
public final class Answer {
    /** Of more scenarios it is told how many there are. */
    private static final int NAMES_MAX = 4;

    private final Results results;
    private final RunSections run;
    private final ScenarioTables tables;
    private final PrintStream out;

    private Answer(Results results, PrintStream out) {
        this.results = results;
        this.run = new RunSections(results);
        this.tables = run.scenarios();
        this.out = out;
    }

    /** Prints it. */
    public static void print(Results results, PrintStream out) {
        new Answer(results, out).print();
    }

    private void print() {
        out.println(run.title());
        TerminalText.wrap("", run.subtitle(), out);
        TerminalText.print(run.answer(), out);
        TerminalText.print(run.publication(), out);
        if (run.isReplay()) {
            TerminalText.print(List.of(run.study()), out);
        } else if (!results.effects().isEmpty()) {
            if (EffectTables.grid(tables).rows().isEmpty()) {
                print(run.overview());
            }
            TerminalText.print(run.effects(), out);
            print(published());
        } else {
            print(run.isWide() ? run.overview() : table());
        }
        TerminalText.print(run.costModels(), out);
        out.println();
        say("NOT VALID", Answer::problems);
        say(
                "UNSAFE",
                scenario -> Dimensions.unsafeReason(scenario)
                        .map(reason ->
                                Said.of("a power loss may take acknowledged mail: " + reason))
                        .orElse(List.of()));
        say("Limit", this::limit);
        Warnings.ofAll(results).forEach(warning -> say("Warning", List.of(), warning));
        say("Warning", Answer::warnings);
        say("Volumes", scenario -> Said.of(volumes(scenario)));
        say("Safe", scenario -> Said.of(safety(scenario)));
        say("Latency", scenario -> Said.of(noLatency(scenario)));
        say("Steady", this::notShown);
        out.flush();
    }

    private static List<Said> warnings(Scenario scenario) {
        return Warnings.of(scenario).stream()
                .map(warning -> new Said(
                        warning.alike(), warning.words() + Case.remedies(List.of(warning.code()))))
                .toList();
    }

    /** {@return in how many repeats it is open whether the load was steady, and the widest drift of them} */
    private List<Said> notShown(Scenario scenario) {
        List<WarmUp> open = scenario.repeats().stream()
                .map(Scenario.Repeat::warmUp)
                .filter(warmUp -> warmUp.steady() == null)
                .toList();
        if (open.isEmpty()) {
            return List.of();
        }
        WarmUp widest = Collections.max(
                open,
                Comparator.comparingDouble(
                        one -> one.drift() == null ? 0 : one.drift().furthest()));
        String words =
                "not shown in " + open.size() + " of " + scenario.repeats().size()
                        + " repeats: "
                        + Objects.requireNonNullElse(widest.reason(), "there was no warm-up")
                        + (open.size() > 1 && widest.drift() != null ? " (the widest of them)" : "")
                        + ". A longer --warmup-max tells more";
        return List.of(new Said(isMany() ? widest.drift() == null : words, words));
    }

    /** {@return why a scenario is not valid and what to do, in one line; none if it is valid} */
    private static List<Said> problems(Scenario scenario) {
        Validity validity = scenario.validity();
        if (validity.valid()) {
            return List.of();
        }
        Map<Object, List<Reason>> alike = validity.found().stream()
                .collect(Collectors.groupingBy(
                        Reason::alike, LinkedHashMap::new, Collectors.toList()));
        String words = alike.values().stream()
                .map(same -> same.getFirst().words()
                        + (same.size() == 1 ? "" : " (and " + (same.size() - 1) + " more like it)"))
                .collect(Collectors.joining("; "));
        return List.of(
                new Said(List.copyOf(alike.keySet()), words + Case.remedies(validity.cases())));
    }

    /**
     * A sentence on a scenario.
     *
     * @param alike equal where the same is said of scenarios, but for figures
     */
    private record Said(Object alike, String words) {
        /** {@return words that are alike only where they are the same; nothing where there are none} */
        static List<Said> of(String words) {
            return words.isEmpty() ? List.of() : List.of(new Said(words, words));
        }
    }

    /** Says each thing once, with the figures of the first scenario that it is said of. */
    private void say(String label, Function<Scenario, List<Said>> sentences) {
        Map<Object, Set<String>> texts = new LinkedHashMap<>();
        Map<Object, List<String>> names = new LinkedHashMap<>();
        for (int i = 0; i < tables.scenarios().size(); i++) {
            for (Said said : sentences.apply(tables.scenarios().get(i))) {
                texts.computeIfAbsent(said.alike, key -> new LinkedHashSet<>()).add(said.words);
                names.computeIfAbsent(said.alike, key -> new ArrayList<>())
                        .add(tables.names().get(i));
            }
        }
        texts.forEach((alike, same) -> {
            List<String> who = Objects.requireNonNull(names.get(alike));
            say(
                    label,
                    who,
                    same.iterator().next()
                            + (same.size() == 1 ? "" : " (figures of " + who.getFirst() + ")"));
        });
    }

    private void print(Block.Grid grid) {
        if (grid.headings().size() > 1) {
            out.println();
            TerminalText.print(grid, out);
        }
    }

    /** The published columns once, not beside each cell. */
    private Block.Grid published() {
        PublishedStudy study = PublishedStudy.beside(results);
        return ScenarioTables.grid(
                "Published",
                study.columns().stream().map(ScenarioTables::heading).toList(),
                study.rows().stream()
                        .map(row -> Stream.concat(
                                        Stream.of(TableCell.text(row.label())),
                                        study.columns().stream().map(row::published))
                                .toList())
                        .toList());
    }

    private Block.Grid table() {
        List<List<TableCell>> lines = new ArrayList<>();
        lines.add(line("Rate (msg/s)", this::rate));
        lines.add(line(
                "  geometric mean and its 95 % interval",
                i -> interval(Fields.RATE_MEAN, Fields.RATE_LOW, Fields.RATE_HIGH, i)));
        if (results.scenarios().stream().anyMatch(one -> one.sustainedRate() != null)) {
            lines.add(line("Metric", Fields.METRIC, null));
            lines.add(line(
                    "  sustained in 95 % of the trials (msg/s)",
                    i -> interval(
                            Fields.SUSTAINED_95,
                            Fields.SUSTAINED_95_LOW,
                            Fields.SUSTAINED_95_HIGH,
                            i)));
        }
        lines.add(line("Accept latency p99 (ms)", this::latency));
        lines.add(line("Server CPU per message (us)", Fields.of(Figure.SERVER_CPU_US_PER_MSG), 1));
        lines.add(line("CPU cycles per message, server alone (millions)", Fields.PROCESS_COST, 3));
        lines.add(line("CPU cycles per message, whole machine (millions)", Fields.COST, 3));
        lines.add(line("Disk writes per message: log, queue", this::writes));
        lines.add(line("Limited by", Fields.LIMIT, null));
        lines.add(line("Share of the log device's maximum (%)", this::logDevice));
        lines.add(line("Can lose acknowledged mail", Fields.UNSAFE, null));
        lines.add(line("Valid", Fields.VALID, null));
        return ScenarioTables.grid("", tables.columns(), lines);
    }

    private List<TableCell> line(String label, Field field, @Nullable Integer decimals) {
        return line(label, i -> tables.cell(new ScenarioRow(field, label, decimals), i));
    }

    private List<TableCell> line(String label, IntFunction<TableCell> cell) {
        List<TableCell> cells = new ArrayList<>(List.of(TableCell.text(label)));
        for (int i = 0; i < tables.scenarios().size(); i++) {
            cells.add(cell.apply(i));
        }
        return cells;
    }

    private TableCell rate(int i) {
        return Marks.headline(
                tables.scenarios().get(i), tables.cell(new ScenarioRow(Fields.RATE, "", 2), i));
    }

    /** {@return a figure with its interval, for which a dash stands where there is none} */
    private TableCell interval(Field value, Field low, Field high, int i) {
        List<TableCell> cells = Stream.of(value, low, high)
                .map(field -> tables.cell(new ScenarioRow(field, "", 2), i))
                .toList();
        boolean hasEnds = cells.get(1).isKnown() && cells.get(2).isKnown();
        String ends = hasEnds ? cells.get(1).text() + " to " + cells.get(2).text() : "-";
        TableCell cell = cells.getFirst();
        return cell.isKnown() ? cell.as(cell.text() + ", " + ends) : cell;
    }

    /** At a stated rate: what a closed loop sees is no latency of mail that comes from outside. */
    private TableCell latency(int i) {
        Scenario scenario = tables.scenarios().get(i);
        if (ScenarioTables.isBeside(scenario)) {
            return at(
                    new ScenarioRow(Fields.P99_BESIDE, "", 2).cell(scenario),
                    new ScenarioRow(Fields.ASKED_BESIDE, "", 0).cell(scenario));
        }
        return ScenarioTables.isClosedLoop(scenario)
                ? TableCell.UNKNOWN
                : at(
                        new ScenarioRow(Fields.P99, "", 2).cell(scenario),
                        new ScenarioRow(Fields.RATE, "", 2).cell(scenario));
    }

    private static TableCell at(TableCell latency, TableCell rate) {
        return latency.isKnown() && rate.isKnown()
                ? latency.as(latency.text() + " at " + rate.text() + "/s")
                : latency;
    }

    /** A ceiling that was mismeasured is no measure; the warnings say so. */
    private TableCell logDevice(int i) {
        Double percent = Fields.LOG_DEVICE_PERCENT.number(tables.scenarios().get(i));
        return percent != null && Ceilings.isMismeasured(percent)
                ? TableCell.UNKNOWN
                : tables.cell(new ScenarioRow(Fields.LOG_DEVICE_PERCENT, "", 0), i);
    }

    private TableCell writes(int i) {
        TableCell log = tables.cell(new ScenarioRow(Fields.LOG_WRITES, "", 3), i);
        TableCell queue = tables.cell(new ScenarioRow(Fields.QUEUE_WRITES, "", 3), i);
        return log.as(log.text() + ", " + queue.text());
    }

    private void say(String label, List<String> names, String text) {
        boolean all = names.isEmpty() || names.size() == tables.scenarios().size();
        TerminalText.wrap(
                label + " ".repeat(Math.max(1, 14 - label.length())),
                (all ? "" : who(names) + ": ") + text,
                out);
    }

    private static String who(List<String> names) {
        return names.size() > NAMES_MAX ? names.size() + " scenarios" : String.join("; ", names);
    }

    /** Why there is none; nothing where there is one, or the warnings say why not. */
    private String noLatency(Scenario scenario) {
        if (!ScenarioTables.isClosedLoop(scenario) || scenario.latencyAt() != null) {
            return "";
        }
        // Only a hub of our own is measured once more.
        boolean beside = results.provenance().settings().get("latency-at") != null;
        String quick = Warnings.isRough(results) ? ", which --quick leaves out," : "";
        return "not measured: a closed loop (--rate max) does not show what mail from outside would"
                + " see; " + (beside ? "--latency-at 70%" + quick + " or " : "")
                + "--rate N measures it";
    }

    /** Of many scenarios each has a reason of its own: then only the resource is told. */
    private List<Said> limit(Scenario scenario) {
        Limiting limiting = scenario.limiting();
        String resource = limiting.limitingResource();
        if (resource == null) {
            return List.of();
        }
        String reason = isMany() ? null : limiting.limitingReason();
        String lift = limiting.limitingLift();
        return List.of(new Said(
                new Limiting(resource, null, lift),
                (reason == null ? resource.replace('_', ' ') : reason)
                        + (lift == null ? "" : ". What would lift it: " + lift)));
    }

    private boolean isMany() {
        return tables.scenarios().size() > NAMES_MAX;
    }

    /** {@return the layout and the write caching that the figures hold for; none where nobody looked} */
    private String volumes(Scenario scenario) {
        Object flush = scenario.conditions().get(Condition.FLUSH);
        List<VolumeDisclosure> volumes = results.measured().volumes();
        // A matrix has some of each role, and names them in its columns.
        if (volumes.isEmpty()
                || volumes.stream().map(VolumeDisclosure::role).distinct().count()
                        < volumes.size()) {
            return "";
        }
        Map<String, List<String>> roles = new LinkedHashMap<>();
        for (VolumeDisclosure volume : volumes) {
            String disk = Objects.requireNonNullElse(volume.device(), "-") + ", "
                    + Objects.requireNonNullElse(volume.filesystem(), "-") + ", write cache: "
                    + Objects.requireNonNullElse(volume.disk().writeCache(), "-")
                    + (volume.emulates() == null ? "" : ", acts like " + volume.emulates());
            roles.computeIfAbsent(disk, key -> new ArrayList<>()).add(volume.role());
        }
        return roles.entrySet().stream()
                        .map(entry -> String.join(", ", entry.getValue()) + " on " + entry.getKey())
                        .collect(Collectors.joining("; "))
                + (flush == null ? "" : "; flush at a sync: " + flush);
    }

    private String safety(Scenario scenario) {
        Boolean unsafe = scenario.conditions().safety().unsafe();
        if (unsafe == null) {
            return "not known of this server: nothing here shows what its answers promise";
        }
        if (unsafe) {
            return "";
        }
        String doubts = results.measured().volumes().stream()
                .filter(Notes::isUnproven)
                .map(VolumeDisclosure::role)
                .collect(Collectors.joining(", "));
        return "yes, " + scenario.conditions().get(Condition.DURABILITY) + " before each answer"
                + (doubts.isEmpty()
                        ? ""
                        : ", as far as this machine can tell: whether a sync of the " + doubts
                                + " volume survives a power loss is not known");
    }
}
