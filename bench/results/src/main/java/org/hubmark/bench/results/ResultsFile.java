package org.hubmark.bench.results;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Writes and reads results.json. Any thread. */
final class ResultsFile {
    static final ObjectMapper MAPPER = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .enable(SerializationFeature.INDENT_OUTPUT)
            // A later version of the same schema may say more.
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    private ResultsFile() {}

    static void write(Results results, Path file) throws IOException {
        Path part = file.resolveSibling(file.getFileName() + ".part");
        MAPPER.writeValue(part.toFile(), results);
        Files.move(part, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    /** {@return a record of results in the form of the file} */
    static String json(Object results) {
        try {
            return MAPPER.writeValueAsString(results);
        } catch (JacksonException e) {
            throw new IllegalStateException("not to be written as JSON: " + results, e);
        }
    }

    static Results read(Path file) throws IOException {
        try {
            JsonNode tree = MAPPER.readTree(file.toFile());
            int schema = tree.path("schema").asInt();
            if (schema < 1 || schema > Results.SCHEMA) {
                throw new IOException(file + " has schema " + schema + "; this version reads 1 to "
                        + Results.SCHEMA);
            }
            if (schema == 1 && tree instanceof ObjectNode results) {
                FirstSchema.upgrade(results);
            }
            if (schema <= 2 && tree instanceof ObjectNode results) {
                SecondSchema.upgrade(results);
            }
            if (schema <= 3 && tree instanceof ObjectNode results) {
                ThirdSchema.upgrade(results);
            }
            return MAPPER.treeToValue(tree, Results.class);
        } catch (JacksonException e) {
            throw new IOException(
                    file + " is not a results file of schema " + Results.SCHEMA + ": "
                            + e.getOriginalMessage(),
                    e);
        }
    }
}
