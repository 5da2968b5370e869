package org.hubmark.bench.plan;

import org.hubmark.bench.kit.document.Formula.Input;
import org.hubmark.bench.kit.document.JsonFile;
import org.hubmark.core.Durations;
import org.hubmark.core.FileErrors;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/** What a plan takes from users.json: the messages of a user and day. */
record UsersFile(
        @Nullable Machine environment,
        @Nullable Machine serverEnvironment,
        @Nullable Settings settings,
        @Nullable Integer usersPassed,
        List<Level> levels) {
    private static final double MINUTES_PER_H = 60;

    /** Octets of a MiB, in MB. */
    private static final double MIB = 1.048576;

    private static final double PERCENT = 100;

    private record Machine(@Nullable Integer logicalCores) {}

    private record Settings(@Nullable String day, @Nullable Double compress) {}

    private record Resources(
            @Nullable Double serverCpuPercent, @Nullable Double availableMemoryMb) {}

    private record Level(
            @Nullable Integer users,
            @Nullable Boolean passes,
            @Nullable PerUserDay perUserDay,
            @Nullable Resources resources) {}

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
            into.measured(
                    PlanInputs.MESSAGES_SENT_PER_USER_DAY,
                    day.sent,
                    source);
            into.measured(
                    PlanInputs.MESSAGES_RECEIVED_PER_USER_DAY,
                    day.received,
                    source);
        }
        String length = all.settings == null ? null : all.settings.day;
        if (length != null) {
            into.measured(
                    PlanInputs.DAY_H,
                    hours(file, length),
                    Source.given("as users was told, " + file));
        }
        all.readServer(file, into);
        for (Level one : levels) {
            if (Boolean.FALSE.equals(one.passes)) {
                into.warn(file + ": " + one.users + " users did not pass; only the messages of a"
                        + " user and day are taken from it");
            }
        }
    }

    /**
     * Takes what a user adds, from the levels with the fewest and the most users. A day that is played faster takes as much more CPU.
     */
    private void readServer(Path file, Collected into) {
        List<Level> counted = levels.stream()
                .filter(level -> level.users != null && level.resources != null)
                .sorted(Comparator.comparing(level -> Objects.requireNonNull(level.users)))
                .toList();
        if (counted.size() < 2) {
            return;
        }
        Level few = counted.getFirst();
        Level many = counted.getLast();
        int more = Objects.requireNonNull(many.users) - Objects.requireNonNull(few.users);
        Resources less = Objects.requireNonNull(few.resources);
        Resources most = Objects.requireNonNull(many.resources);
        Source source =
                Source.measured(file + ", from " + few.users + " to " + many.users + " users");
        Machine machine = serverEnvironment == null ? environment : serverEnvironment;
        Integer cores = machine == null ? null : machine.logicalCores;
        Double compress = settings == null ? null : settings.compress;
        if (more > 0 && cores != null && compress != null && compress > 0) {
            difference(
                    PlanInputs.SERVER_CORES_PER_USER,
                    most.serverCpuPercent,
                    less.serverCpuPercent,
                    cores / PERCENT / compress / more,
                    source,
                    into);
        }
        if (serverEnvironment == null && less.availableMemoryMb != null) {
            into.warn(file + ": the driver was on the server's machine; its memory is in the memory"
                    + " of a mailbox");
        }
        if (more > 0) {
            difference(
                    PlanInputs.SERVER_MEMORY_MB_PER_USER,
                    less.availableMemoryMb,
                    most.availableMemoryMb,
                    MIB / more,
                    source,
                    into);
        }
    }

    private static void difference(
            Input input,
            @Nullable Double higher,
            @Nullable Double lower,
            double factor,
            Source source,
            Collected into) {
        if (higher == null || lower == null) {
            return;
        }
        if (higher <= lower) {
            into.warn(source.where() + ": no more was used by more users; " + input.label()
                    + " is not known");
        }
        into.measured(input, (higher - lower) * factor, source);
    }

    private static double hours(Path file, String day) {
        try {
            return Durations.parse(day).toMinutes() / MINUTES_PER_H;
        } catch (IllegalArgumentException e) {
            throw UserError.usage(file + ": settings, day: " + e.getMessage());
        }
    }
}
