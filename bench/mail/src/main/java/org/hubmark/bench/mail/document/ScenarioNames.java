package org.hubmark.bench.mail.document;

import org.hubmark.bench.kit.document.Heads;
import org.hubmark.bench.kit.page.Block;
import org.hubmark.bench.kit.statistics.Digits;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Names of the scenarios of a document: their size, what they differ in, and what has to be known of them. */
public final class ScenarioNames {
    /** Stands with the name of a scenario that can lose acknowledged mail, wherever that appears. */
    public static final String UNSAFE = "UNSAFE";

    private final List<Scenario> scenarios;
    private final List<Condition> varied;
    private final List<Block.Heading> heads;

    /** Takes the scenarios of a document. */
    public ScenarioNames(Results results) {
        this.scenarios = results.scenarios();
        this.varied =
                Conditions.varied(scenarios.stream().map(Scenario::conditions).toList());
        boolean isRough = Warnings.isRough(results);
        List<List<String>> names = scenarios.stream().map(this::name).toList();
        List<Block.Heading> all = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            List<String> lines = new ArrayList<>(names.get(i));
            if (Collections.frequency(names, lines) > 1) {
                lines.add(scenarios.get(i).id());
            }
            all.add(new Block.Heading(lines, Block.Side.NONE, marks(scenarios.get(i), isRough)));
        }
        this.heads = List.copyOf(all);
    }

    /** {@return the heads of the scenarios, and of the columns of the hub study beside a hub of ours} */
    static Heads heads() {
        return new Heads(
                (document, table) -> new ScenarioNames(new Results(document)).heads,
                document -> new ScenarioNames(new Results(document))
                        .published().stream()
                                .map(one -> new Heads.Published(head(one), one.values()))
                                .toList());
    }

    /** {@return what was published of a hub, which says nothing of another server} */
    public List<HubStudy.Published> published() {
        return scenarios.stream().anyMatch(ScenarioNames::isOfHub)
                ? HubStudy.published().scenarios()
                : List.of();
    }

    /** {@return the head of a column of the hub study} */
    private static Block.Heading head(HubStudy.Published column) {
        return new Block.Heading(
                List.of(size(column.messageSizeKb()), column.storage()),
                Block.Side.PUBLISHED,
                List.of());
    }

    /** {@return the scenarios in their order} */
    public List<Scenario> scenarios() {
        return scenarios;
    }

    /** {@return the conditions that have more than one value, the most telling first} */
    public List<Condition> varied() {
        return varied;
    }

    /** {@return the head of a scenario, by its place} */
    public Block.Heading head(int place) {
        return heads.get(place);
    }

    /** {@return the name of a scenario in one line, marked if it is unsafe} */
    public String text(int place) {
        return marked(heads.get(place).text(), scenarios.get(place));
    }

    /** {@return the same with a mark on what is not valid, which pictures have nowhere else} */
    public String picture(int place) {
        return text(place) + (scenarios.get(place).validity().valid() ? "" : " (NOT VALID)");
    }

    /** {@return the name of what was measured, whatever the size; never empty, and marked if it is unsafe} */
    public String line(Scenario scenario) {
        List<String> words = scenario.conditions().words(varied);
        return marked(words.isEmpty() ? kind(scenario) : String.join(", ", words), scenario);
    }

    private static String marked(String name, Scenario scenario) {
        return scenario.isUnsafe() ? name + " (" + UNSAFE + ")" : name;
    }

    private List<String> name(Scenario scenario) {
        List<String> lines = new ArrayList<>();
        double size = scenario.messageSizeKb();
        // That of a cell that failed may not be known.
        lines.add(Double.isNaN(size) ? scenario.id() : size(size));
        lines.add(kind(scenario));
        scenario.conditions().words(varied).stream()
                .filter(word -> !lines.contains(word) && !word.equals("stored"))
                .forEach(lines::add);
        return lines;
    }

    /** {@return a size of messages in words} */
    public static String size(double sizeKb) {
        return Digits.plain(sizeKb) + " KB";
    }

    /** {@return its durability class, or what stands in for one} */
    private static String kind(Scenario scenario) {
        if (isDiscard(scenario)) {
            return "discard";
        }
        return isOfHub(scenario)
                ? String.valueOf(scenario.conditions().get(Condition.DURABILITY))
                : "target";
    }

    /** {@return whether it is a hub of ours: of another server we don't know what it promises} */
    private static boolean isOfHub(Scenario scenario) {
        return scenario.conditions().get(Condition.DURABILITY) != null || isDiscard(scenario);
    }

    private static boolean isDiscard(Scenario scenario) {
        return "discard".equals(scenario.conditions().get(Condition.INTAKE));
    }

    /** {@return what has to be known of the figures of a scenario, in a word or two each} */
    private static List<Block.Mark> marks(Scenario scenario, boolean isRough) {
        List<Block.Mark> marks = new ArrayList<>();
        if (scenario.isUnsafe()) {
            marks.add(new Block.Mark(UNSAFE, Block.Tone.DANGER));
        }
        if (!scenario.validity().valid()) {
            marks.add(new Block.Mark("NOT VALID", Block.Tone.PROBLEM));
        }
        List<String> words = new ArrayList<>();
        if (isRough) {
            words.add("ROUGH");
        }
        if (scenario.repeats().stream()
                .anyMatch(one -> Boolean.FALSE.equals(one.warmUp().steady()))) {
            words.add("NOT STEADY");
        }
        Double trend = scenario.spread().throughputTrendPercent();
        if (trend != null) {
            words.add(trend > 0 ? "RATE RISES" : "RATE FALLS");
        }
        if (scenario.repeats().stream().anyMatch(one -> !one.disturbances().isEmpty())) {
            words.add("DISTURBED");
        }
        words.forEach(word -> marks.add(new Block.Mark(word, Block.Tone.WARNING)));
        return marks;
    }
}
