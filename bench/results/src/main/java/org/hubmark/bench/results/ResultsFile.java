package org.hubmark.bench.results;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.hubmark.bench.kit.document.JsonFile;

import java.io.IOException;
import java.nio.file.Path;

/** Writes and reads results.json. Any thread. */
final class ResultsFile {
    /** A later version of the same schema may say more. */
    static final ObjectMapper MAPPER =
            JsonFile.mapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    private ResultsFile() {}

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
