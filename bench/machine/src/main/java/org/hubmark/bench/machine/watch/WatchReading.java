package org.hubmark.bench.machine.watch;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;

import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.machine.MachineReading;
import org.jspecify.annotations.Nullable;

import java.io.IOException;

/**
 * First line of {@code hubmark watch --stdio}, as JSON. The lines after it are a {@link MachineReading} each.
 *
 * @param watch the version of this form; {@link #VERSION}
 * @param hubmark the version of the program
 * @param ofProcesses whether the CPU time of a server's own processes is among the counters
 * @param counters now
 * @param machine as it was when the watch began
 */
record WatchReading(
        int watch,
        String hubmark,
        boolean ofProcesses,
        @JsonUnwrapped MachineReading counters,
        Environment machine) {
    /** Of this form; a counter more makes it another. */
    static final int VERSION = 7;

    /** How the line begins. */
    static final String BEGIN = "{\"watch\"";

    /**
     * Version by which a line of another form is recognised.
     *
     * @param watch the version of its form
     * @param hubmark the version of the program
     */
    record Form(int watch, @Nullable String hubmark) {}

    static final ObjectMapper MAPPER = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            // A later program of the same form may say more.
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    /**
     * {@return a line as that type}
     *
     * @throws IOException when it is none
     */
    static <T> T parse(String line, Class<T> type) throws IOException {
        try {
            T value = MAPPER.readValue(line, type);
            if (value == null) {
                throw new IOException("it writes no counters");
            }
            return value;
        } catch (JacksonException e) {
            throw new IOException("it writes no such line: " + e.getOriginalMessage(), e);
        }
    }
}
