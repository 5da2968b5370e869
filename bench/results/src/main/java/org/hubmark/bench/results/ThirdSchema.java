package org.hubmark.bench.results;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Results of schema 3, read as those of schema 4; docs/measurement.md says what changed. A figure of a
 * scenario that follows from others of its row was a median of its own; it is made of those.
 */
final class ThirdSchema {
    private ThirdSchema() {}

    /** Changes the tree in place. */
    static void upgrade(ObjectNode results) {
        results.put("schema", Results.SCHEMA);
        JsonNode environment = results.path("environment");
        for (JsonNode scenario : results.path("scenarios")) {
            List<Measured> repeats = new ArrayList<>();
            for (JsonNode repeat : scenario.path("repeats")) {
                if (repeat instanceof ObjectNode one) {
                    messageSize(one);
                }
                repeats.add(ResultsFile.MAPPER.convertValue(repeat, Measured.class));
            }
            if (scenario instanceof ObjectNode row && !repeats.isEmpty()) {
                Function<Input.Fact, @Nullable Double> facts = fact -> switch (fact) {
                    case LOGICAL_CORES, DRIVER_CORES -> number(environment.path("logical_cores"));
                    // Nobody could look at another machine.
                    case DRIVER_ON_MACHINE -> 1.0;
                };
                Measured.row(repeats, facts)
                        .known()
                        .forEach((figure, value) -> row.put(figure.key(), value));
            }
        }
    }

    /** Stood in no file; the cost of a message and that of an octet of it say it. */
    private static void messageSize(ObjectNode repeat) {
        Double message = number(repeat.path(Figure.CPU_COST_MCYCLES_PER_MSG.key()));
        Double octet = number(repeat.path(Figure.CPU_COST_CYCLES_PER_MSG_BYTE.key()));
        if (message != null && octet != null && octet > 0) {
            repeat.put(Figure.MEAN_MESSAGE_BYTES.key(), message * 1e6 / octet);
        } else {
            repeat.putNull(Figure.MEAN_MESSAGE_BYTES.key());
        }
    }

    private static @Nullable Double number(JsonNode value) {
        return value.isNumber() ? (Double) value.asDouble() : null;
    }
}
