package org.hubmark.bench.users.result;

import org.hubmark.bench.kit.check.MachineFindings;
import org.hubmark.bench.kit.check.MachineMeter;
import org.hubmark.bench.kit.check.MachineUse;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Estimate;
import org.hubmark.bench.kit.document.Findings;
import org.hubmark.bench.kit.document.Kind;
import org.hubmark.bench.kit.document.MachineSections;
import org.hubmark.bench.kit.document.Name;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.statistics.Digits;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
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

    /** Half of the machine: what is left has to do for the rest, and on one machine for the server. */
    static final double DRIVER_CPU_PERCENT_MAX = 50;

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
        Integer passed = usersPassed(document);
        Pace pace = pace(document);
        MachineFindings machine = machine(document, pace.isSharedMachine);
        List<String> reasons = new ArrayList<>();
        boolean isUnknown = passed == null && isUnknown(document);
        if (passed == null) {
            reasons.add(isUnknown ? "no level could be judged to pass" : "no level passed");
        }
        // A level that is too slow is an answer; errors and lost mail are not.
        for (Row level : LevelForm.levels(document)) {
            Stream.of(Judgement.failed(level), Judgement.lost(document, level))
                    .flatMap(List::stream)
                    .forEach(reason -> reasons.add(LevelForm.text(level) + ": " + reason));
        }
        reasons.addAll(machine.reasons());
        List<String> warnings = new ArrayList<>(machine.warnings());
        for (Row level : LevelForm.levels(document)) {
            warnings(document, level)
                    .forEach(line -> warnings.add(LevelForm.text(level) + ": " + line));
        }
        Map<String, @Nullable Object> facts = new LinkedHashMap<>();
        facts.put("users_passed", passed);
        return Findings.of(
                "Users held, " + pace.profile + " profile: "
                        + (passed != null ? pace.load(passed) : isUnknown ? "not known" : "none"),
                answer(document, pace, passed, isUnknown)
                        + MachineUse.beside(machine.disturbances()),
                reasons,
                warnings,
                facts);
    }

    /** {@return whether fewer users than those that did not pass may have been held, which nobody could judge} */
    private static boolean isUnknown(Document document) {
        List<Row> levels = LevelForm.levels(document);
        return !levels.isEmpty() && Judgement.passes(document, levels.getFirst()) == null;
    }

    private static String answer(
            Document document, Pace pace, @Nullable Integer passed, boolean isUnknown) {
        MailSystem target = target(document);
        boolean embedded = target != null && target.embedded();
        String system = embedded ? "The embedded server in memory" : "The mail system";
        if (passed == null) {
            String why = isUnknown
                    ? LevelForm.levels(document).stream()
                            .flatMap(level -> Judgement.reasons(document, level).stream())
                            .findFirst()
                            .map(reason -> ": " + reason)
                            .orElse("")
                    : "";
            return (isUnknown ? "No level could be judged to pass" + why : "No level passed")
                    + (embedded ? "; " + EMBEDDED : "");
        }
        return system + " holds " + pace.load(passed)
                + " of the profile " + pace.profile + ", their day " + Digits.plain(pace.compress)
                + " times as fast; " + beyond(document, passed)
                + (embedded ? "; " + EMBEDDED : "");
    }

    /** {@return what is known of more users than passed} */
    private static String beyond(Document document, int passed) {
        for (Row level : LevelForm.levels(document)) {
            if (LevelForm.users(level) > passed
                    && Boolean.FALSE.equals(Judgement.passes(document, level))) {
                return String.format(Locale.ROOT, "%,d did not pass", LevelForm.users(level))
                        + LimitingResource.of(document, level).beside();
            }
        }
        return "more were not tried";
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

    /** {@return that the server used one core and no more: it may be able to use no other} */
    static Optional<String> fullCore(Row level) {
        return level.counted().stream()
                .map(run -> MachineUse.fullCore(ResourceForm.SERVER_CORES.value(run)))
                .filter(Objects::nonNull)
                .findFirst();
    }

    private static List<String> warnings(Document document, Row level) {
        List<String> warnings = new ArrayList<>();
        fullCore(level).ifPresent(warnings::add);
        warnings.addAll(Judgement.leftOut(document, level));
        Estimate driver = document.table(LevelForm.LEVELS).estimate(level, ResourceForm.DRIVER_CPU);
        // Such a driver begins tasks late, and their latency is its own.
        if (driver.isKnown() && driver.value() >= DRIVER_CPU_PERCENT_MAX) {
            warnings.add(String.format(
                    Locale.ROOT,
                    "the driver took %.0f %% of its machine's CPU, so that this may be its limit and"
                            + " not the mail system's: run it elsewhere, or on more cores",
                    driver.value()));
        }
        return warnings;
    }
}
