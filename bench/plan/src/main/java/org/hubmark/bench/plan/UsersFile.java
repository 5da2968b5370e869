package org.hubmark.bench.plan;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.core.Durations;
import org.hubmark.core.UserError;

import java.nio.file.Path;

/** What a plan takes from users.json: the messages of a user and day. */
final class UsersFile {
    private static final double MINUTES_PER_H = 60;

    private UsersFile() {}

    /** Reads it: of the level that passed with the most users, else of the last. */
    static void read(Path file, JsonNode results, Collected into) {
        JsonNode levels = results.path("levels");
        if (!levels.isArray() || levels.isEmpty()) {
            throw UserError.usage(file + " has no levels; plan reads what users wrote");
        }
        JsonNode level = levels.get(levels.size() - 1);
        for (JsonNode one : levels) {
            if (one.path("users").equals(results.path("users_passed"))) {
                level = one;
            }
        }
        Source source =
                Source.measured(file + ", level of " + level.path("users").asText() + " users");
        JsonNode day = level.path("per_user_day");
        number(into, "messages_sent_per_user_day", day.path("sent"), source);
        number(into, "messages_received_per_user_day", day.path("received"), source);
        JsonNode length = results.at("/settings/day");
        if (length.isTextual()) {
            try {
                into.put(
                        "day_h",
                        Durations.parse(length.asText()).toMinutes() / MINUTES_PER_H,
                        Source.given("as users was told, " + file));
            } catch (IllegalArgumentException e) {
                throw UserError.usage(file + ": settings, day: " + e.getMessage());
            }
        }
        for (JsonNode one : levels) {
            if (one.path("passes").isBoolean() && !one.path("passes").asBoolean()) {
                into.note(file + ": " + one.path("users").asText() + " users did not pass; only the"
                        + " messages of a user and day are taken from it");
            }
        }
        if (results.path("verdict").asText().equals("not valid")) {
            into.note(
                    file + " is not valid; only the messages of a user and day are taken from it");
        }
    }

    static void number(Collected into, String name, JsonNode value, Source source) {
        if (value.isNumber()) {
            into.put(name, value.asDouble(), source);
        }
    }
}
