package org.hubmark.bench.users.result;

import org.hubmark.bench.kit.check.MachineFindings;
import org.hubmark.bench.kit.check.MachineMeter;
import org.hubmark.bench.kit.check.MachineUse;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Findings;
import org.hubmark.bench.kit.document.Kind;
import org.hubmark.bench.kit.document.MachineSections;
import org.hubmark.bench.kit.document.Name;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.statistics.Digits;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/** users.json: what is said of it beside its levels. */
public final class UsersResult {
    /** The profile, as it was read, with what is ours marked. */
    public static final Name PROFILE = Name.note("profile", "");

    /** What the source of the profile says of the load of a day; null for one's own. */
    public static final Name PUBLISHED = Name.note("published_per_user_day", "");

    /** {@link MailSystem}. */
    public static final Name TARGET = Name.note("target", "");

    /** {@link LevelLimits}. */
    public static final Name LIMITS = Name.note("limits", "");

    /** {@link Pace}. */
    public static final Name PACE = Name.note("pace", "");

    /** What users writes. */
    public static final Kind KIND = new Kind(
            "users",
            "users.json",
            List.of(
                    PROFILE,
                    PUBLISHED,
                    TARGET,
                    LIMITS,
                    PACE,
                    MachineSections.SERVER,
                    MachineSections.WATCH),
            List.of(LevelForm.LEVELS),
            Set.of("compress", "day", "limit", "profile", "send-limit"),
            UsersResult::findings,
            UserSections::of,
            UserCharts::of);

    private static final String EMBEDDED =
            "these figures say how the tool works, not what a real mail system holds";

    private UsersResult() {}

    /**
     * How the day was played.
     *
     * @param profile its name
     * @param day of a user, as the option has it
     * @param compress how many times faster than a real one it went by
     * @param isSharedMachine whether others use the machine with the caller's knowledge
     */
    public record Pace(String profile, String day, double compress, boolean isSharedMachine) {
        /** {@return the users of a level, as sessions and the load that they play where the day is faster} */
        String load(int users) {
            return compress == 1
                    ? String.format(Locale.ROOT, "%,d users", users)
                    : String.format(
                            Locale.ROOT,
                            "%,d sessions, the load of %,d users",
                            users,
                            Math.round(users * compress));
        }
    }

    /** {@return what a level may need at most} */
    public static LevelLimits limits(Document document) {
        return Objects.requireNonNull(document.fact(LIMITS, LevelLimits.class), LIMITS.key());
    }

    /** {@return how the day was played} */
    public static Pace pace(Document document) {
        return Objects.requireNonNull(document.fact(PACE, Pace.class), PACE.key());
    }

    /** {@return what was measured; null where it was not reached} */
    public static @Nullable MailSystem target(Document document) {
        return document.fact(TARGET, MailSystem.class);
    }

    /** {@return the most users of all levels that passed; null when none did} */
    public static @Nullable Integer usersPassed(Document document) {
        return LevelForm.levels(document).stream()
                .filter(level -> Boolean.TRUE.equals(Judgement.passes(document, level)))
                .map(LevelForm::users)
                .reduce((less, more) -> more)
                .orElse(null);
    }

    private static Findings findings(Document document) {
        List<Row> levels = LevelForm.levels(document);
        Integer passed = usersPassed(document);
        Pace pace = pace(document);
        MachineFindings machine = machine(document, pace.isSharedMachine);
        // Fewer users than those that did not pass may have been held, which nobody could judge.
        boolean isUnknown = passed == null
                && !levels.isEmpty()
                && Judgement.passes(document, levels.getFirst()) == null;
        List<String> reasons = new ArrayList<>();
        if (passed == null) {
            String why = levels.stream()
                    .flatMap(level -> Judgement.reasons(document, level).stream())
                    .findFirst()
                    .map(reason -> ": " + reason)
                    .orElse("");
            reasons.add(isUnknown ? "no level could be judged to pass" + why : "no level passed");
        }
        // A level that is too slow is an answer; errors and lost mail are not.
        for (Row level : levels) {
            Stream.of(Judgement.failed(level), Judgement.lost(document, level))
                    .flatMap(List::stream)
                    .forEach(reason -> reasons.add(LevelForm.text(level) + ": " + reason));
        }
        reasons.addAll(machine.reasons());
        List<String> warnings = new ArrayList<>(machine.warnings());
        for (Row level : levels) {
            Judgement.leftOut(document, level)
                    .forEach(line -> warnings.add(LevelForm.text(level) + ": " + line));
            LimitingResource limit = LimitingResource.of(document, level);
            if (LimitingResource.DRIVER.equals(limit.resource())) {
                // Such a driver begins tasks late, and their latency is its own.
                warnings.add(LevelForm.text(level) + ": " + limit.reason()
                        + ", which may be the limit: run the driver elsewhere, or on more cores");
            }
        }
        return Findings.of(
                "Users held, " + pace.profile + " profile: "
                        + (passed != null ? pace.load(passed) : isUnknown ? "not known" : "none"),
                answer(document, pace, passed, reasons),
                reasons,
                warnings,
                Collections.singletonMap("users_passed", passed));
    }

    private static String answer(
            Document document, Pace pace, @Nullable Integer passed, List<String> reasons) {
        MailSystem target = target(document);
        boolean embedded = target != null && target.embedded();
        String answer = passed == null
                ? reasons.getFirst()
                : (embedded ? "the embedded server in memory" : "the mail system") + " holds "
                        + pace.load(passed) + " of the profile " + pace.profile + ", their day "
                        + Digits.plain(pace.compress) + " times as fast; "
                        + beyond(document, passed);
        return answer.substring(0, 1).toUpperCase(Locale.ROOT)
                + answer.substring(1)
                + (embedded ? "; " + EMBEDDED : "");
    }

    /** {@return what is known of more users than passed} */
    private static String beyond(Document document, int passed) {
        return LevelForm.levels(document).stream()
                .filter(level -> LevelForm.users(level) > passed
                        && Boolean.FALSE.equals(Judgement.passes(document, level)))
                .findFirst()
                .map(level -> String.format(Locale.ROOT, "%,d did not pass", LevelForm.users(level))
                        + LimitingResource.of(document, level).beside())
                .orElse("more were not tried");
    }

    /** What follows from the server's machine and the driver, run by run. */
    private static MachineFindings machine(Document document, boolean isShared) {
        List<MachineFindings.One> all = new ArrayList<>();
        for (Row level : LevelForm.levels(document)) {
            for (Repeat run : level.counted()) {
                String where = LevelForm.text(level)
                        + (level.counted().size() > 1 ? ", run " + run.name(LevelForm.RUN) : "");
                MachineFindings.One one = MachineMeter.found(where, run);
                all.add(new MachineFindings.One(
                        where,
                        one.use(),
                        MachineUse.stoodStill(
                                run.count(MachineMeter.STANDSTILL_NS),
                                run.count(LevelForm.MEASURED_NS)),
                        one.others()));
            }
        }
        return MachineFindings.of(all, isShared);
    }
}
