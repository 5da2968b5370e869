package org.hubmark.bench.cli;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.kit.document.JsonFile;
import org.hubmark.core.FileErrors;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Results of users that are named on the command line.
 *
 * @param name for messages
 * @param results as they stand in users.json
 */
record UsersArgument(Path name, JsonNode results) {
    private static final String FILE = "users.json";

    /** {@return what a users.json has, or the one in a folder; null where it is something else} */
    static @Nullable UsersArgument of(Path given) {
        Path file = Files.isDirectory(given) ? given.resolve(FILE) : given;
        if (!Files.isRegularFile(file) || !file.toString().endsWith(".json")) {
            return null;
        }
        if (!file.equals(given) && Files.exists(given.resolve("results.json"))) {
            throw UserError.usage(
                    given + " has results.json and " + FILE + "; name the file that is meant");
        }
        try {
            JsonNode results = JsonFile.read(file);
            if (!results.has("users_passed")) {
                return null;
            }
            JsonFile.requireSchema(results, file);
            return new UsersArgument(given, results);
        } catch (IOException e) {
            throw UserError.failed(FileErrors.reason(e));
        }
    }
}
