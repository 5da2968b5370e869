package org.hubmark.bench.results.report;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.results.Counter;
import org.hubmark.bench.results.Figure;
import org.hubmark.bench.results.Input;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One repeat of a scenario with what samples.csv keeps of it.
 *
 * @param number counts from 1
 * @param stated the repeat as in results.json
 * @param counters the last row of its samples, or of a step the growth; empty if there is none
 * @param machines of driver and server
 */
record Repeat(int number, JsonNode stated, Map<String, String> counters, Machines machines) {
    /** {@return the repeats of a scenario in the order measured} */
    static List<Repeat> of(JsonNode scenario, Machines machines, RawFiles raw) {
        var samples = raw.samples(scenario.path("id").asText());
        List<Repeat> repeats = new ArrayList<>();
        for (JsonNode stated : scenario.path("repeats")) {
            int number = stated.path("repeat").asInt();
            List<Map<String, String>> rows = samples.getOrDefault(number, List.of());
            repeats.add(new Repeat(
                    number, stated, rows.isEmpty() ? Map.of() : rows.getLast(), machines));
        }
        return repeats;
    }

    /**
     * {@return the latency at a rate beside, which was measured as the only repeat of its own files}
     *
     * @param stated as in results.json
     */
    static Repeat ofLatencyAt(JsonNode stated, String scenario, Machines machines, RawFiles raw) {
        List<Map<String, String>> rows = raw.samples(scenario).getOrDefault(1, List.of());
        return new Repeat(1, stated, rows.isEmpty() ? Map.of() : rows.getLast(), machines);
    }

    /**
     * {@return one step of the repeats of a scenario, as far as they have it: the figures of the step,
     * and by how much the counters grew in it}
     */
    static List<Repeat> ofStep(JsonNode scenario, int step, Machines machines, RawFiles raw) {
        List<Repeat> repeats = new ArrayList<>();
        for (Repeat repeat : of(scenario, machines, raw)) {
            for (JsonNode stated : repeat.stated.path("steps")) {
                if (stated.path("step").asInt() == step) {
                    repeats.add(new Repeat(
                            repeat.number,
                            stated,
                            raw.growth(scenario.path("id").asText(), repeat.number, step),
                            machines));
                }
            }
        }
        return repeats;
    }

    /** {@return a counter, or a fact of the machine; null if it is not known} */
    @Nullable
    Double input(Input input) {
        return switch (input) {
            case Input.Fact fact -> machines.fact(fact);
            case Counter counter -> counter(counter);
            // Made of the others, never asked for.
            case Figure figure -> null;
        };
    }

    /** Files of before the clock was sampled have one of the machine: as if for one tick. */
    private @Nullable Double counter(Counter counter) {
        boolean sampled = counters.containsKey(Counter.CLOCK_MCYCLES.key());
        if (!sampled && counter == Counter.CLOCK_MCYCLES) {
            Double clock = number(machines.environment().path("cpu_clock_mhz"));
            return clock == null ? null : (Double) (clock / 100);
        }
        if (!sampled && counter == Counter.CLOCK_TICKS) {
            return 1.0;
        }
        return RawFiles.number(counters, counter.key());
    }

    /** {@return what results.json has in a field; null for what is not known} */
    @Nullable
    Double stated(String field) {
        return number(at(stated, field));
    }

    /** {@return whether samples.csv has the repeat's counters} */
    boolean hasCounters() {
        return RawFiles.number(counters, Counter.MEASURED_NS.key()) != null;
    }

    static @Nullable Double number(JsonNode value) {
        return value.isNumber() ? (Double) value.asDouble() : null;
    }

    /** {@return the value of a field; a dot leads into an object} */
    static JsonNode at(JsonNode object, String field) {
        return object.at("/" + field.replace('.', '/'));
    }
}
