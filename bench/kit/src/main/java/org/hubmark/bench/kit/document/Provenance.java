package org.hubmark.bench.kit.document;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;

import org.hubmark.bench.machine.Environment;
import org.jspecify.annotations.Nullable;

import java.util.Map;

/**
 * Provenance of a document.
 *
 * @param startedAt ISO 8601, UTC
 * @param finishedAt ISO 8601, UTC; of an unfinished one when it was last written
 * @param command the command line as it was given
 * @param settings every effective option, by its name without dashes
 * @param environment the machine
 */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonPropertyOrder({"tool", "startedAt", "finishedAt", "command", "environment", "settings"})
public record Provenance(
        Tool tool,
        String startedAt,
        String finishedAt,
        String command,
        Map<String, @Nullable Object> settings,
        Environment environment) {
    private static final String SHARED_MACHINE = "shared-machine";

    /** {@return the same of another machine} */
    public Provenance with(Environment other) {
        return new Provenance(tool, startedAt, finishedAt, command, settings, other);
    }

    /** {@return whether others use the machine with the caller's knowledge} */
    public boolean onSharedMachine() {
        return Boolean.TRUE.equals(settings.get(SHARED_MACHINE));
    }
}
