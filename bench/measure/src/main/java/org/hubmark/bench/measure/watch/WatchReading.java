package org.hubmark.bench.measure.watch;

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
 * Answer of {@code hubmark watch}, as JSON. A driver asks for all of it once, and then for
 * {@link #COUNTERS} alone.
 *
 * @param watch the version of this form; {@link #VERSION}
 * @param hubmark the version of the program
 * @param ofProcesses whether the CPU time of a server's own processes is among the counters
 * @param cyclesSource where cycles come from, in a few words
 * @param counters now
 * @param machine as it was when the watch began
 */
record WatchReading(
        int watch,
        String hubmark,
        boolean ofProcesses,
        @Nullable String cyclesSource,
        @JsonUnwrapped MachineReading counters,
        Environment machine) {
    static final int VERSION = 3;

    /** Where it is asked for. */
    static final String PATH = "/reading";

    /**
     * Where the counters are, without what takes longer and is not wanted often: the processes' I/O, memory,
     * paging and network.
     */
    static final String COUNTERS = PATH + "/counters";

    /**
     * Error over a pipe in place of an answer.
     *
     * @param error why there is none; null in an answer
     */
    record Failure(@Nullable String error) {}

    /**
     * Version by which an answer of another form is recognised.
     *
     * @param watch the version of its form; 0 in what is no answer of a watch
     * @param hubmark the version of the program
     */
    record Form(int watch, @Nullable String hubmark) {}

    static final ObjectMapper MAPPER = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            // A later program of the same form may say more.
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    /**
     * {@return an answer as that type}
     *
     * @throws IOException when it is none
     */
    static <T> T parse(String answer, Class<T> type) throws IOException {
        try {
            T value = MAPPER.readValue(answer, type);
            if (value == null) {
                throw new IOException("it sends nothing");
            }
            return value;
        } catch (JacksonException e) {
            throw new IOException("it sends no such answer: " + e.getOriginalMessage(), e);
        }
    }
}
