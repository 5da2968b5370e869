package org.hubmark.bench.mail.report;

import org.hubmark.bench.kit.page.Block;
import org.hubmark.bench.kit.page.TableCell;
import org.hubmark.bench.kit.page.TerminalText;
import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.hubmark.bench.mail.document.Ceilings;
import org.hubmark.bench.mail.document.Condition;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.Figures.Limiting;
import org.hubmark.bench.mail.document.Remedy;
import org.hubmark.bench.mail.document.Results;
import org.hubmark.bench.mail.document.Safety;
import org.hubmark.bench.mail.document.Scenario;
import org.hubmark.bench.mail.document.Warnings;
import org.jspecify.annotations.Nullable;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What one wants to know first, on a terminal in a screenful: how much, how fast, at what cost, what
 * limits it, whether it is safe and valid. All else is in {@link TerminalTable} and in the report.
 */
public final class Answer {
    /** Of more scenarios it is told how many there are. */
    private static final int NAMES_MAX = 4;

    /** What a load that is not steady asks of its reader. */
    private static final String STEADIER = ". What to do: take the interval as the answer; for a"
            + " narrower one stop what else runs here, or give a longer --warmup-max";

    private static final Pattern REPEAT = Pattern.compile("^repeat \\d+: ");
    private static final Pattern NUMBER = Pattern.compile("[+-]?\\d[\\d.]*");

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
        say("Latency", this::noLatency);
        sayAlike("Limit", this::limit);
        say("Volumes", this::volumes);
        say("Safe", this::safety);
        say("Steady", Answer::unsteady);
        Warnings.ofAll(results).forEach(warning -> say("Warning", List.of(), warning));
        sayAlike(
                "Warning",
                scenario -> Warnings.of(scenario).stream()
                        .filter(warning -> warning.cause() != Warnings.Cause.NOT_STEADY)
                        .map(Warnings.Warning::words)
                        .toList());
        sayAlike("NOT VALID", Answer::problems);
        out.flush();
    }

    /** {@return in how many repeats the load was not shown to be steady, the first reason, and what to do} */
    private static String unsteady(Scenario scenario) {
        List<Scenario.Repeat> unsteady = scenario.repeats().stream()
                .filter(repeat -> !Boolean.TRUE.equals(repeat.warmUp().steady()))
                .toList();
        if (unsteady.isEmpty()) {
            return "";
        }
        String reason = unsteady.getFirst().warmUp().reason();
        return "not shown in " + unsteady.size() + " of " + scenario.repeats().size() + " repeats: "
                + (reason == null ? "there was no warm-up" : reason) + STEADIER;
    }

    /** {@return why a scenario is not valid and what to do, in one line; none if it is valid} */
    private static List<String> problems(Scenario scenario) {
        if (scenario.validity().valid()) {
            return List.of();
        }
        List<String> reasons = scenario.validity().reasons();
        List<String> remedies = Remedy.of(reasons);
        return List.of((reasons.isEmpty()
                        ? "no reason given"
                        : String.join("; ", ofRepeats(reasons)))
                + (remedies.isEmpty() ? "" : ". What to do: " + String.join("; ", remedies)));
    }

    /** {@return reasons, of which those that repeats have in common are told once} */
    private static Collection<String> ofRepeats(List<String> reasons) {
        Map<String, List<String>> alike = new LinkedHashMap<>();
        for (String reason : reasons) {
            String words = REPEAT.matcher(reason).replaceFirst("");
            alike.computeIfAbsent(shape(words), key -> new ArrayList<>()).add(reason);
        }
        return alike.values().stream()
                .map(same -> same.size() == 1
                        ? same.getFirst()
                        : REPEAT.matcher(same.getFirst()).replaceFirst("") + " (in " + same.size()
                                + " repeats; figures of the first)")
                .toList();
    }

    /** {@return a sentence without its figures} */
    private static String shape(String sentence) {
        return NUMBER.matcher(sentence).replaceAll("#");
    }

    /** Says each sentence once; of scenarios whose sentences differ in figures alone, that of the first. */
    private void sayAlike(String label, Function<Scenario, List<String>> sentences) {
        Map<String, Set<String>> texts = new LinkedHashMap<>();
        Map<String, List<String>> names = new LinkedHashMap<>();
        for (int i = 0; i < tables.scenarios().size(); i++) {
            for (String sentence : sentences.apply(tables.scenarios().get(i))) {
                String shape = shape(sentence);
                texts.computeIfAbsent(shape, key -> new LinkedHashSet<>()).add(sentence);
                names.computeIfAbsent(shape, key -> new ArrayList<>())
                        .add(tables.names().get(i));
            }
        }
        texts.forEach((shape, same) -> {
            List<String> who = Objects.requireNonNull(names.get(shape));
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
        lines.add(line("  geometric mean and its 95 % interval", this::interval));
        if (results.scenarios().stream().anyMatch(one -> one.capacity().sustainedRate() != null)) {
            lines.add(line("Metric", Fields.METRIC, null));
            lines.add(line("  sustained in 95 % of the trials (msg/s)", this::sustained));
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

    private TableCell interval(int i) {
        TableCell low = tables.cell(new ScenarioRow(Fields.RATE_LOW, "", 2), i);
        TableCell high = tables.cell(new ScenarioRow(Fields.RATE_HIGH, "", 2), i);
        TableCell mean = tables.cell(new ScenarioRow(Fields.RATE_MEAN, "", 2), i);
        if (!mean.isKnown()) {
            return TableCell.UNKNOWN;
        }
        boolean hasInterval = low.isKnown() && high.isKnown();
        return mean.as(
                mean.text() + ", " + (hasInterval ? low.text() + " to " + high.text() : "-"));
    }

    private TableCell sustained(int i) {
        TableCell rate = tables.cell(new ScenarioRow(Fields.SUSTAINED_95, "", 2), i);
        TableCell low = tables.cell(new ScenarioRow(Fields.SUSTAINED_95_LOW, "", 2), i);
        TableCell high = tables.cell(new ScenarioRow(Fields.SUSTAINED_95_HIGH, "", 2), i);
        return rate.isKnown() && low.isKnown() && high.isKnown()
                ? rate.as(rate.text() + ", " + low.text() + " to " + high.text())
                : rate;
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

    /** Says each thing once, with the scenarios that it is said of where it isn't said of all. */
    private void say(String label, Function<Scenario, String> words) {
        Map<String, List<String>> byWords = new LinkedHashMap<>();
        for (int i = 0; i < tables.scenarios().size(); i++) {
            byWords.computeIfAbsent(
                            words.apply(tables.scenarios().get(i)), key -> new ArrayList<>())
                    .add(tables.names().get(i));
        }
        byWords.remove("");
        byWords.forEach((text, names) -> say(label, names, text));
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
    private List<String> limit(Scenario scenario) {
        Limiting limiting = scenario.figures().limiting();
        String resource = Objects.requireNonNullElse(limiting.limitingResource(), "");
        String reason = tables.scenarios().size() > NAMES_MAX
                ? resource.replace('_', ' ')
                : Objects.requireNonNullElse(limiting.limitingReason(), "");
        String lift = Objects.requireNonNullElse(limiting.limitingLift(), "");
        String words = lift.isEmpty() ? reason : reason + ". What would lift it: " + lift;
        return words.isEmpty() ? List.of() : List.of(words);
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
        Safety safety = scenario.conditions().safety();
        if (safety.unsafe() == null) {
            return "not known of this server: nothing here shows what its answers promise";
        }
        if (safety.unsafe()) {
            return "NO, a power loss may take acknowledged mail: " + safety.unsafeReason();
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
