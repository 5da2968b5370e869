package org.hubmark.bench.plan;

import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.document.Table;
import org.hubmark.bench.users.result.Judgement;
import org.hubmark.bench.users.result.LevelForm;
import org.hubmark.bench.users.result.UsersResult;
import org.hubmark.core.Durations;
import org.hubmark.core.UserError;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** What a plan takes from users.json: the messages of a user and day. */
final class UserMessages {
    private static final double MINUTES_PER_H = 60;

    private UserMessages() {}

    /** Reads it: of the level that passed with the most users, else of the last. */
    static void read(Path file, Document document, Collected into) {
        Table table = document.table(LevelForm.LEVELS);
        List<Row> levels = table.rows();
        if (levels.isEmpty()) {
            throw UserError.usage(file + " has no levels; plan reads what users wrote");
        }
        Integer passed = UsersResult.usersPassed(document);
        Row level = levels.stream()
                .filter(one -> Objects.equals(LevelForm.users(one), passed))
                .findFirst()
                .orElse(levels.getLast());
        Source source = Source.measured(file + ", level of " + LevelForm.users(level) + " users");
        into.measured(
                PlanInputs.MESSAGES_SENT_PER_USER_DAY,
                table.estimate(level, LevelForm.SENT_A_DAY).value(),
                source);
        into.measured(
                PlanInputs.MESSAGES_RECEIVED_PER_USER_DAY,
                table.estimate(level, LevelForm.RECEIVED_A_DAY).value(),
                source);
        into.measured(
                PlanInputs.DAY_H,
                Durations.parse(UsersResult.pace(document).day()).toMinutes() / MINUTES_PER_H,
                Source.given("as users was told, " + file));
        for (Row one : levels) {
            if (Boolean.FALSE.equals(Judgement.passes(document, one))) {
                into.warn(file + ": " + LevelForm.users(one) + " users did not pass; only the"
                        + " messages of a user and day are taken from it");
            }
        }
    }
}
