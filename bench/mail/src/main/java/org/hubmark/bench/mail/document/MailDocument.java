package org.hubmark.bench.mail.document;

import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.kit.document.Estimate;
import org.hubmark.bench.kit.document.Form;
import org.hubmark.bench.kit.document.JsonFile;
import org.hubmark.bench.kit.document.Kind;
import org.hubmark.bench.kit.document.Name;
import org.hubmark.bench.kit.page.Charts;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
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

    static final Name DRIVER_WARMUP = Name.note("driver_warmup", "");

    /** Where the counters of the volumes come from. */
    public static final Name COUNTER_SOURCE = Name.note("counter_source", "");

    /** What the log's syncs covered. */
    public static final Name GROUPS = Name.note("groups", "");

    /** What was open at the end of the measured time. */
    public static final Name OPEN_AT_END = Name.note("open_at_end", "");

    /** What the comparison of all messages found. */
    public static final Name AUDIT = Name.note("audit", "");

    /** Whether the measured time is made of whole ones. */
    public static final Name CHECKPOINT_CYCLES = Name.note("checkpoint_cycles", "");

    static final Name NOTES = Name.note("notes", "");

    /** What else the machine did, with the caller's knowledge. */
    public static final Name DISTURBANCES = Name.note("disturbances", "");

    /** The rate that the search of a repeat found. */
    public static final Name SUSTAINED_RATE = Name.note("sustained_rate", "");

    /** Number of a step, from 1. */
    public static final Name STEP = Name.of("step", "");

    /** The rate that was asked for at the begin of a step. */
    public static final Name FROM = Name.note("from_msgs_per_s", "");

    /** The same at its end. */
    public static final Name TO = Name.note("to_msgs_per_s", "");

    /** The mean of both. */
    public static final Name INTENDED = Name.note("intended_msgs_per_s", "");

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

    /** The steps of a rate that changes, parts of a repeat. */
    public static final Form STEPS = new Form(
            "steps",
            "",
            "",
            List.of(STEP, FROM, TO, INTENDED),
            Figure.OF_STEPS,
            Estimate.Rule.MEDIAN_ALONE,
            "repeats",
            List.of(),
            List.of());

    /** The scenarios. */
    public static final Form SCENARIOS = new Form(
            "scenarios",
            "Scenarios",
            "",
            ofScenario(),
            List.of(new Form.Group("Scenarios", Figure.OF_SCENARIOS)),
            Estimate.Rule.MEDIAN_ALONE,
            "repeats",
            ofRepeat(),
            List.of(STEPS),
            derived());

    /** What these documents are. */
    public static final Kind KIND = new Kind(
            "mail",
            Results.FILE,
            List.of(COST_MODELS, EFFECTS, PUBLISH, SERVER_ENVIRONMENT, TARGET_WATCH, HUB_SETTINGS),
            List.of(SCENARIOS),
            Set.of(),
            document -> new Results(document).findings(),
            document -> List.of(),
            document -> new Charts(List.of()));

    private MailDocument() {}

    private static List<Name> notes(String... keys) {
        return Arrays.stream(keys).map(key -> Name.note(key, "")).toList();
    }

    private static List<Name> ofScenario() {
        List<Name> names = new ArrayList<>(List.of(ID, SIZE));
        names.addAll(notes(
                Arrays.stream(Condition.values()).map(Condition::key).toArray(String[]::new)));
        names.addAll(notes("unsafe", "unsafe_reason"));
        names.addAll(List.of(LOG_DEVICE, LATENCY_AT));
        return names;
    }

    /** What a repeat has of its scenario and of a single rate too is there so that it is a whole row. */
    private static List<Name> ofRepeat() {
        List<Name> names = new ArrayList<>(List.of(REPEAT, STARTED_AT));
        names.addAll(notes("warmup_s", "steady", "steady_reason", "rate_drift"));
        names.addAll(List.of(
                DRIVER_WARMUP,
                COUNTER_SOURCE,
                GROUPS,
                OPEN_AT_END,
                AUDIT,
                CHECKPOINT_CYCLES,
                NOTES,
                DISTURBANCES,
                SUSTAINED_RATE));
        names.addAll(flat(Limiting.KEYS));
        names.addAll(flat(ClockRate.KEYS));
        names.addAll(flat(Validity.KEYS));
        names.addAll(flat(Spread.KEYS.subList(0, 2)));
        names.addAll(List.of(ID, SIZE));
        names.addAll(notes(Condition.DURABILITY.key(), Condition.INTAKE.key()));
        return names;
    }

    private static List<Name> flat(List<String> keys) {
        return notes(keys.toArray(String[]::new));
    }

    private static List<Form.Derived> derived() {
        List<Form.Derived> all = new ArrayList<>();
        Limiting.KEYS.forEach(key -> all.add(part(key, Scenario::limiting)));
        ClockRate.KEYS.forEach(key -> all.add(part(key, Scenario::clock)));
        Spread.KEYS.forEach(key -> all.add(part(key, Scenario::spread)));
        Validity.KEYS.forEach(key -> all.add(part(key, Scenario::validity)));
        all.add(derived(COUNTER_SOURCE, Scenario::counterSource));
        all.add(derived(GROUPS, Scenario::groups));
        all.add(derived(OPEN_AT_END, Scenario::openAtEnd));
        all.add(derived(AUDIT, Scenario::audit));
        all.add(derived(SUSTAINED_RATE, Scenario::sustainedRate));
        all.add(derived(Name.note("ceilings.log_device_percent", ""), scenario -> {
            Ceilings ceilings = scenario.ceilings();
            return ceilings == null ? null : ceilings.logDevicePercent();
        }));
        return all;
    }

    private static Form.Derived derived(Name name, Function<Scenario, @Nullable Object> of) {
        return new Form.Derived(
                name, (document, row) -> of.apply(new Scenario(document.table(SCENARIOS), row)));
    }

    private static Form.Derived part(String key, Function<Scenario, Object> of) {
        return derived(
                Name.note(key, ""),
                scenario -> JsonFile.tree(of.apply(scenario)).get(key));
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

    /**
     * {@return the results in a file}
     *
     * @throws IOException if it can't be read or is of another form; the message says which
     */
    public static Results read(Path file) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        return new Results(DocumentFile.read(Objects.requireNonNull(folder), KIND));
    }
}
