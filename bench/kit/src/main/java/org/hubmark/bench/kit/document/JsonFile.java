package org.hubmark.bench.kit.document;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;

import org.hubmark.core.OutputFile;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Results as files of JSON, whichever command they are of: names in snake case, a line for each value,
 * written whole or not at all. Any thread.
 */
public final class JsonFile {
    /** The form of all results files. */
    public static final int SCHEMA = 2;

    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .enable(SerializationFeature.INDENT_OUTPUT)
            .build();
    private static final ObjectMapper LENIENT =
            MAPPER.copy().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    static {
        LENIENT.configOverride(List.class)
                .setSetterInfo(JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY));
    }

    private JsonFile() {}

    /** {@return the content of a file} */
    public static String text(Object results) {
        try {
            return MAPPER.writeValueAsString(results);
        } catch (JacksonException e) {
            throw new IllegalStateException("can't be written as JSON: " + results, e);
        }
    }

    /** {@return results, or a part of them, as they stand in a file} */
    public static JsonNode tree(@Nullable Object part) {
        return MAPPER.valueToTree(part);
    }

    /** Writes results into a file; one that is there is replaced. */
    public static void write(Object results, Path file) throws IOException {
        OutputFile.write(file, out -> MAPPER.writeValue(out, results));
    }

    /**
     * {@return what stands in a file}
     *
     * @throws IOException also when that is no JSON
     */
    public static JsonNode read(Path file) throws IOException {
        try {
            return MAPPER.readTree(file.toFile());
        } catch (JacksonException e) {
            throw new IOException(file + " is not JSON: " + e.getOriginalMessage(), e);
        }
    }

    /**
     * Refuses results of another form.
     *
     * @throws IOException that says so, and what to do
     */
    public static void requireSchema(JsonNode results, Path file) throws IOException {
        int schema = results.path("schema").asInt();
        if (schema != SCHEMA) {
            throw new IOException(file + " has schema " + schema + "; this version reads " + SCHEMA
                    + ": measure again, or use the version that wrote it (0.1.0 wrote 1)");
        }
    }

    /** {@return a part of what stands in a file} */
    public static <T> T read(JsonNode part, Class<T> type) throws IOException {
        return MAPPER.treeToValue(part, type);
    }

    /** {@return what a part says under the keys that a type names} Other keys are passed over, and
     * a list that is not there is empty. */
    public static <T> T readNamed(JsonNode part, Class<T> type) throws IOException {
        return LENIENT.treeToValue(part, type);
    }
}
