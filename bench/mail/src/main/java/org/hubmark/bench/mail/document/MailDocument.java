package org.hubmark.bench.mail.document;

import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Estimate;
import org.hubmark.bench.kit.document.Form;
import org.hubmark.bench.kit.document.JsonFile;
import org.hubmark.bench.kit.document.MachineSections;
import org.hubmark.bench.kit.document.Name;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * Results of run, load and matrix as a document: a row for each scenario, with what each repeat counted.
 * {@link Scenario} and {@link Scenario.Repeat} read what else it says.
 */
public final class MailDocument {
    /** The scenario's id. */
    public static final Name ID = Name.of("id", "");

    /** Octets of content / 1000. */
    public static final Name SIZE = Name.note("message_size_kb", "");

    /** Messages a second that the log device holds by itself. */
    public static final Name LOG_DEVICE = Name.note("ceilings.log_device_msgs_per_s", "");

    /** The latency at a lower rate. */
    public static final Name LATENCY_AT = Name.note("latency_at", "");

    /** Number of a repeat, from 1. */
    public static final Name REPEAT = Name.note("repeat", "");

    /** Begin of the measured time, ISO 8601, UTC. */
    public static final Name STARTED_AT = Name.note("started_at", "");

    /** Where the counters of the volumes come from. */
    public static final Name COUNTER_SOURCE = Name.note("counter_source", "");

    /** What the log's syncs covered. */
    public static final Name GROUPS = Name.note("groups", "");

    /** What the comparison of all messages found. */
    public static final Name AUDIT = Name.note("audit", "");

    static final Name NOTES = Name.note("notes", "");

    /** What else the machine did, with the caller's knowledge. */
    public static final Name DISTURBANCES = Name.note("disturbances", "");

    /** The rate that the search of a repeat found. */
    public static final Name SUSTAINED_RATE = Name.note("sustained_rate", "");

    /** Effects of the factors of a matrix. */
    public static final Name EFFECTS = Name.note("effects", "");

    /** What was done and found so that the results can be published. */
    public static final Name PUBLISH = Name.note("publish", "");

    /** Settings that the hubs were given with --set. */
    public static final Name HUB_SETTINGS = Name.note("hub_settings", "");

    /** What a document says beside the scenarios. */
    public static final List<Name> FACTS =
            List.of(EFFECTS, PUBLISH, MachineSections.SERVER, MachineSections.WATCH, HUB_SETTINGS);

    /** Conditions that a repeat has too. */
    static final List<Condition> OF_REPEATS = List.of(Condition.DURABILITY, Condition.INTAKE);

    /** The scenarios. */
    public static final Form SCENARIOS = new Form(
            "scenarios",
            "Scenarios",
            "In a closed loop (--rate max) a connection waits for its answer before it sends the next"
                    + " message: accept latency is the response time there, and not what mail from"
                    + " outside sees. 1 KB = 1000 bytes. A dash is a figure that is not known, never"
                    + " a zero. Published figures are of other hardware.",
            ofScenario(),
            List.of(
                    new Form.Group("Scenarios", Figure.FIRST, ScenarioTexts.FIRST),
                    new Form.Group("The rows of the hub study", Figure.STUDY),
                    new Form.Group(
                            "Latency at a share of the rate", List.of(), ScenarioTexts.BESIDE),
                    new Form.Group("Latency, time in the queue, lateness", Figure.TIMES),
                    new Form.Group(
                            "Processor, network and volumes", Figure.OTHERS, ScenarioTexts.SOURCES),
                    new Form.Group("Messages", Figure.ACCOUNTS, ScenarioTexts.MESSAGES)),
            Estimate.Rule.MEDIAN_ALONE,
            "repeats",
            ofRepeat(),
            List.of(),
            derived(),
            ScenarioNames.heads());

    private MailDocument() {}

    private static List<Name> ofScenario() {
        List<Name> names = new ArrayList<>(List.of(ID, SIZE));
        names.addAll(Conditions.NAMES);
        names.addAll(List.of(LOG_DEVICE, LATENCY_AT));
        return names;
    }

    /** What a repeat has of its scenario and of a single rate too is there so that it is a whole row. */
    private static List<Name> ofRepeat() {
        List<Name> names = new ArrayList<>(List.of(REPEAT, STARTED_AT));
        names.addAll(flat(WarmUp.NONE));
        names.addAll(List.of(COUNTER_SOURCE, GROUPS, AUDIT, NOTES, DISTURBANCES, SUSTAINED_RATE));
        names.addAll(flat(Limiting.UNKNOWN, Validity.FULL));
        names.addAll(Spread.ENDS);
        names.addAll(List.of(ID, SIZE));
        OF_REPEATS.forEach(condition -> names.add(Name.note(condition.key(), "")));
        return names;
    }

    /** {@return the names of the components of records, which stand flat in a file} */
    private static List<Name> flat(Object... parts) {
        return names(parts).keySet().stream().map(key -> Name.note(key, "")).toList();
    }

    private static List<Form.Derived> derived() {
        List<Form.Derived> all = new ArrayList<>();
        all.addAll(parts(Limiting.UNKNOWN, Scenario::limiting));
        Spread none = Spread.of(new double[0], 0, false);
        all.addAll(parts(none, Scenario::spread));
        all.addAll(parts(Validity.FULL, Scenario::validity));
        all.add(derived(COUNTER_SOURCE, Scenario::counterSource));
        all.add(derived(GROUPS, Scenario::groups));
        all.add(derived(AUDIT, Scenario::audit));
        all.add(derived(SUSTAINED_RATE, Scenario::sustainedRate));
        all.add(derived(Name.note("ceilings.log_device_percent", ""), Scenario::logDevicePercent));
        return all;
    }

    private static Form.Derived derived(Name name, Function<Scenario, @Nullable Object> of) {
        return new Form.Derived(
                name, (document, row) -> of.apply(new Scenario(document.table(SCENARIOS), row)));
    }

    private static List<Form.Derived> parts(Object like, Function<Scenario, Object> of) {
        return flat(like).stream()
                .map(name -> derived(
                        name, scenario -> JsonFile.tree(of.apply(scenario)).get(name.key())))
                .toList();
    }

    /** {@return the components of records, which stand flat in a file, by key} */
    public static Map<String, @Nullable Object> names(Object... parts) {
        Map<String, @Nullable Object> names = new LinkedHashMap<>();
        for (Object one : parts) {
            Map<?, ?> flat = Document.typed(JsonFile.tree(one), Map.class);
            Objects.requireNonNull(flat).forEach((key, value) -> names.put(key.toString(), value));
        }
        return names;
    }

    /** {@return a number that is known; else null} */
    static @Nullable Double known(double number) {
        return Double.isFinite(number) ? (Double) number : null;
    }

    /** {@return where a scenario stands in a document} */
    public static Map<Name, Object> id(String scenario) {
        return Map.of(ID, scenario);
    }
}
