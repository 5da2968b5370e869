package org.hubmark.bench.plan;

import org.hubmark.bench.kit.document.JsonFile;
import org.hubmark.core.Durations;
import org.hubmark.core.FileErrors;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** What a plan takes from users.json: the messages of a user and day. */
record UsersFile(@Nullable Settings settings, @Nullable Integer usersPassed, List<Level> levels) {
    private static final double MINUTES_PER_H = 60;

    private record Settings(@Nullable String day) {}

    private record Level(
            @Nullable Integer users,
            @Nullable Boolean passes,
            @Nullable PerUserDay perUserDay) {}

    private record PerUserDay(
            @Nullable Double sent, @Nullable Double received) {}

    /** Reads it: of the level that passed with the most users, else of the last. */
    static void read(Path file, Collected into) {
        UsersFile all;
        try {
            all = JsonFile.read(file, UsersFile.class);
            JsonFile.read(file, SourceWarnings.class).warn(file, into);
        } catch (IOException e) {
            throw UserError.failed(FileErrors.text(e));
        }
        List<Level> levels = all.levels;
        if (levels.isEmpty()) {
            throw UserError.usage(file + " has no levels; plan reads what users wrote");
        }
        Level level = levels.stream()
                .filter(one -> one.users != null && one.users.equals(all.usersPassed))
                .findFirst()
                .orElse(levels.getLast());
        Source source = Source.measured(file + ", level of " + level.users + " users");
        PerUserDay day = level.perUserDay;
        if (day != null) {
            into.measured(PlanInputs.MESSAGES_SENT_PER_USER_DAY, day.sent, source);
            into.measured(PlanInputs.MESSAGES_RECEIVED_PER_USER_DAY, day.received, source);
        }
        String length = all.settings == null ? null : all.settings.day;
        if (length != null) {
            into.measured(
                    PlanInputs.DAY_H,
                    hours(file, length),
                    Source.given("as users was told, " + file));
        }
        for (Level one : levels) {
            if (Boolean.FALSE.equals(one.passes)) {
                into.warn(file + ": " + one.users + " users did not pass; only the messages of a"
                        + " user and day are taken from it");
            }
        }
    }

    private static double hours(Path file, String day) {
        try {
            return Durations.parse(day).toMinutes() / MINUTES_PER_H;
        } catch (IllegalArgumentException e) {
            throw UserError.usage(file + ": settings, day: " + e.getMessage());
        }
    }
}
