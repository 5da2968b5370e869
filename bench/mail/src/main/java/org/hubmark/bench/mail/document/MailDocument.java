package org.hubmark.bench.mail.document;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.kit.document.Estimate;
import org.hubmark.bench.kit.document.Form;
import org.hubmark.bench.kit.document.Formula.Counter;
import org.hubmark.bench.kit.document.JsonFile;
import org.hubmark.bench.kit.document.Kind;
import org.hubmark.bench.kit.document.Name;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.document.Table;
import org.hubmark.bench.kit.document.TreeComparison;
import org.hubmark.bench.kit.page.Charts;
import org.hubmark.bench.machine.watch.TargetWatch;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Results of run, load and matrix as a document: a row for each scenario, with what each repeat counted.
 * What else is known of a scenario or a repeat stands beside as the fields of {@link Scenario} and
 * {@link Scenario.Repeat}.
 */
public final class MailDocument {
    /** The scenario's id. */
    public static final Name ID = Name.of("id", "");

    /** The rate that the search of a repeat found. */
    public static final Name SUSTAINED_RATE = Name.note("sustained_rate", "");

    /** Fitted to the scenarios of a matrix. */
    public static final Name COST_MODELS = Name.note("cost_models", "");

    /** Effects of the factors of a matrix. */
    public static final Name EFFECTS = Name.note("effects", "");

    /** What was done and found so that the results can be published. */
    public static final Name PUBLISH = Name.note("publish", "");

    /** The server's machine, where that is another. */
    public static final Name SERVER_ENVIRONMENT = Name.note("server_environment", "");

    /** How its counters were read. */
    public static final Name TARGET_WATCH = Name.note("target_watch", "");

    /** Settings that the hubs were given with --set. */
    public static final Name HUB_SETTINGS = Name.note("hub_settings", "settings of the hub");

    /** Keys of the row that a type does not know are for others. */
    private static final ObjectMapper READER =
            JsonFile.mapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    private static final double NEAR = 1e-9;
    private static final String REPEATS = "repeats";
    private static final String COUNTERS = "counters";

    /** What a repeat has of its scenario, so that it is a whole row of a table. */
    private static final List<String> OF_BOTH =
            List.of(ID.key(), "message_size_kb", "durability", "intake");

    /** The same, of a single rate. */
    private static final List<String> ENDS = List.of(
            Figure.THROUGHPUT_MSGS_PER_S.key() + "_min",
            Figure.THROUGHPUT_MSGS_PER_S.key() + "_max");

    /** The scenarios. */
    public static final Form SCENARIOS = new Form(
            "scenarios",
            "Scenarios",
            "",
            ofScenario(),
            Figure.OF_REPEATS,
            Estimate.Rule.MEDIAN_ALONE,
            REPEATS,
            ofRepeat(),
            List.of());

    /** What these documents are. */
    public static final Kind KIND = new Kind(
            Results.KIND,
            Results.FILE,
            List.of(COST_MODELS, EFFECTS, PUBLISH, SERVER_ENVIRONMENT, TARGET_WATCH, HUB_SETTINGS),
            List.of(SCENARIOS),
            Set.of(),
            document -> results(document).findings(),
            document -> List.of(),
            document -> new Charts(List.of()));

    private MailDocument() {}

    private static List<Name> ofScenario() {
        List<Name> names = new ArrayList<>(List.of(ID));
        keys(Scenario.class).stream()
                .filter(key -> !key.equals(ID.key()) && !key.equals(REPEATS))
                .forEach(key -> names.add(Name.note(key, "")));
        return names;
    }

    private static List<Name> ofRepeat() {
        List<String> keys = new ArrayList<>(keys(Scenario.Repeat.class));
        keys.remove(COUNTERS);
        keys.addAll(OF_BOTH);
        keys.addAll(ENDS);
        keys.add(SUSTAINED_RATE.key());
        return keys.stream().map(key -> Name.note(key, "")).toList();
    }

    /** {@return the keys of a type in a file, but for its figures} */
    private static List<String> keys(Class<?> type) {
        if (type.equals(Measured.class)) {
            return List.of();
        }
        if (type.equals(Setup.class)) {
            return Arrays.stream(Condition.values()).map(Condition::key).toList();
        }
        List<String> keys = new ArrayList<>();
        for (RecordComponent component : type.getRecordComponents()) {
            JsonProperty named = component.getAccessor().getAnnotation(JsonProperty.class);
            if (component.getAccessor().isAnnotationPresent(JsonUnwrapped.class)) {
                keys.addAll(keys(component.getType()));
            } else {
                keys.add(
                        named == null
                                ? new SnakeCaseStrategy().translate(component.getName())
                                : named.value());
            }
        }
        return keys;
    }

    /** {@return what is known of a scenario beside the figures of its repeats, by name} */
    public static Map<Name, @Nullable Object> known(Scenario scenario) {
        return values(JsonFile.tree(scenario), SCENARIOS.names());
    }

    /** {@return where a scenario stands in a document} */
    public static Map<Name, Object> id(String scenario) {
        return Map.of(ID, scenario);
    }

    /** {@return a repeat of a scenario, to take down what else was counted of it} */
    public static Repeat.Builder counted(Scenario.Repeat repeat, Scenario scenario) {
        ObjectNode tree = (ObjectNode) JsonFile.tree(repeat);
        JsonNode whole = JsonFile.tree(scenario);
        OF_BOTH.forEach(key -> tree.set(key, whole.get(key)));
        ENDS.forEach(key -> tree.set(key, tree.get(Figure.THROUGHPUT_MSGS_PER_S.key())));
        Repeat.Builder counted = Repeat.counted();
        values(tree, SCENARIOS.ofRepeats()).forEach(counted::name);
        repeat.counters().forEach((key, value) -> counted.count(new Counter(key), value));
        return counted;
    }

    /** What is not known any more has to go too. */
    private static Map<Name, @Nullable Object> values(JsonNode tree, List<Name> names) {
        Map<Name, @Nullable Object> values = new LinkedHashMap<>();
        for (Name name : names) {
            values.put(name, read(tree.path(name.key()), Object.class));
        }
        return values;
    }

    private static <T> @Nullable T read(JsonNode node, Class<T> type) {
        try {
            return node.isMissingNode() || node.isNull() ? null : READER.treeToValue(node, type);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return the repeat that was taken down so} */
    public static Scenario.Repeat repeat(Repeat counted) {
        return Objects.requireNonNull(read(tree(counted), Scenario.Repeat.class));
    }

    private static ObjectNode tree(Repeat counted) {
        ObjectNode tree = tree(counted.names());
        tree.set(COUNTERS, JsonFile.tree(counted.counters()));
        for (Column figure : Figure.OF_REPEATS) {
            put(tree, figure, figure.value(counted));
        }
        return tree;
    }

    private static ObjectNode tree(Map<String, @Nullable Object> names) {
        ObjectNode tree = JsonNodeFactory.instance.objectNode();
        names.forEach((key, value) -> tree.set(key, JsonFile.tree(value)));
        return tree;
    }

    private static void put(ObjectNode tree, Column figure, double value) {
        tree.put(figure.key(), Double.isFinite(value) ? (Double) value : null);
    }

    private static Scenario scenario(Table table, Row row) {
        ObjectNode tree = tree(row.names());
        for (Column figure : Figure.OF_REPEATS) {
            put(tree, figure, table.estimate(row, figure).value());
        }
        ArrayNode repeats = tree.putArray(REPEATS);
        row.counted().forEach(counted -> repeats.add(tree(counted)));
        return Objects.requireNonNull(read(tree, Scenario.class));
    }

    /**
     * {@return the results in a file}
     *
     * @throws IOException if it can't be read or is of another form; the message says which
     */
    public static Results read(Path file) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        return results(DocumentFile.read(Objects.requireNonNull(folder), KIND));
    }

    /** {@return the results that a document has} */
    public static Results results(Document document) {
        Table scenarios = document.table(SCENARIOS);
        ObjectNode facts = tree(document.facts());
        return new Results(
                document.provenance(),
                scenarios.rows().stream().map(row -> scenario(scenarios, row)).toList(),
                all(facts.path(COST_MODELS.key()), CostModel.class),
                all(facts.path(EFFECTS.key()), FactorEffect.class),
                read(facts.path(PUBLISH.key()), Publication.class),
                document.rawFiles(),
                read(
                        facts.path(SERVER_ENVIRONMENT.key()),
                        org.hubmark.bench.machine.Environment.class),
                read(facts.path(TARGET_WATCH.key()), TargetWatch.class));
    }

    /** {@return the row of a scenario} */
    public static Row row(Document document, Scenario scenario) {
        return document.table(SCENARIOS).rows().stream()
                .filter(row -> row.name(ID).equals(scenario.id()))
                .findFirst()
                .orElseThrow();
    }

    /**
     * {@return whether the file says what follows from what was counted} The scatter of the repeats and the
     * latencies stand beside the figures of the form, and are made again here.
     */
    public static DocumentFile.Check check(Path folder, Document document) throws IOException {
        DocumentFile.Check figures = DocumentFile.check(folder, document);
        TreeComparison beside = new TreeComparison(NEAR);
        Table scenarios = document.table(SCENARIOS);
        for (Row row : scenarios.rows()) {
            Scenario scenario = scenario(scenarios, row);
            List<Scenario.Repeat> repeats = scenario.repeats();
            String where = Results.FILE + ", " + scenario.id();
            beside.compare(
                    where,
                    JsonFile.tree(scenario.spread()),
                    JsonFile.tree(Spread.of(repeats, scenario.rateAsked())));
            latencies(where, scenario.figures(), row.counted(), beside);
            for (int i = 0; i < repeats.size(); i++) {
                latencies(
                        where + ", repeat " + repeats.get(i).repeat(),
                        repeats.get(i).figures(),
                        List.of(row.counted().get(i)),
                        beside);
            }
        }
        return figures.with(beside);
    }

    private static void latencies(
            String where, Figures figures, List<Repeat> counted, TreeComparison beside) {
        Histogram accept = new Histogram(3);
        Histogram uncorrected = new Histogram(3);
        for (Repeat repeat : counted) {
            accept.add(repeat.times(Figure.ACCEPT));
            uncorrected.add(repeat.times(Figure.UNCORRECTED));
        }
        if (accept.getTotalCount() > 0) {
            beside.compare(
                    where,
                    JsonFile.tree(figures.latencies()),
                    JsonFile.tree(Latencies.of(accept, uncorrected)));
        }
    }

    private static <T> List<T> all(JsonNode list, Class<T> type) {
        List<T> all = new ArrayList<>();
        list.forEach(one -> all.add(Objects.requireNonNull(read(one, type))));
        return all;
    }

    /** {@return the document of results, without the times of their repeats} */
    public static Document of(Results results) {
        Map<String, @Nullable Object> facts = new LinkedHashMap<>();
        facts.put(COST_MODELS.key(), results.costModels());
        facts.put(EFFECTS.key(), results.effects());
        facts.put(PUBLISH.key(), results.publish());
        facts.put(SERVER_ENVIRONMENT.key(), results.serverEnvironment());
        facts.put(TARGET_WATCH.key(), results.targetWatch());
        return new Document(
                KIND,
                results.provenance(),
                true,
                facts,
                List.of(new Table(
                        SCENARIOS,
                        results.scenarios().stream().map(MailDocument::row).toList())),
                results.rawFiles());
    }

    private static Row row(Scenario scenario) {
        Map<String, @Nullable Object> names = new LinkedHashMap<>();
        known(scenario).forEach((name, value) -> names.put(name.key(), value));
        return new Row(
                names,
                scenario.repeats().stream()
                        .map(repeat -> counted(repeat, scenario).made())
                        .toList());
    }
}
