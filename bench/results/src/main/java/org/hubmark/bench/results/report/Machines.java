package org.hubmark.bench.results.report;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.results.Input;
import org.jspecify.annotations.Nullable;

/**
 * What a results file tells of the driver's machine and the server's, which are one unless the server's
 * counters were read from elsewhere.
 */
record Machines(JsonNode results) {
    /** {@return a fact; null if it is not known} */
    @Nullable
    Double fact(Input.Fact fact) {
        return switch (fact) {
            case LOGICAL_CORES -> Repeat.number(environment().path("logical_cores"));
            case DRIVER_CORES -> Repeat.number(results.at("/environment/logical_cores"));
            case DRIVER_ON_MACHINE -> elsewhere() ? 0.0 : 1.0;
        };
    }

    /** {@return the server's machine} */
    JsonNode environment() {
        return results.path(elsewhere() ? "server_environment" : "environment");
    }

    /** {@return the server's volumes, as far as they are known} */
    JsonNode volumes() {
        return environment().path("volumes");
    }

    private boolean elsewhere() {
        return results.path("server_environment").isObject();
    }
}
