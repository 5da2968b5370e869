package org.hubmark.bench.users.result;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.kit.document.JsonFile;
import org.hubmark.bench.kit.document.Tool;
import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.results.TargetWatch;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * users.json.
 *
 * @param schema the form of the file
 * @param environment of the machine of the driver
 * @param settings every option with the value that was in force
 * @param profile the profile, as it was read, with what is ours marked
 * @param publishedPerUserDay what the source of the profile says of the load of a day; null for one's own
 * @param complete false when it was interrupted
 * @param valid whether no task failed and no message is missing or doubled, and a level passed
 * @param invalidReasons why not
 * @param warnings what makes a level say less than it seems to
 * @param usersPassed the most users of all levels that passed; null when none did
 * @param serverEnvironment the server's machine, where its counters were read from elsewhere; else null
 * @param targetWatch how these were read; else null
 */
public record UsersResults(
        int schema,
        Tool tool,
        String startedAt,
        String finishedAt,
        Environment environment,
        String command,
        Map<String, Object> settings,
        JsonNode profile,
        @Nullable PerUserDay publishedPerUserDay,
        Target target,
        Limits limits,
        boolean complete,
        boolean valid,
        List<String> invalidReasons,
        List<String> warnings,
        List<Level> levels,
        @Nullable Integer usersPassed,
        @Nullable Environment serverEnvironment,
        @Nullable TargetWatch targetWatch) {
    /** Half of the machine: what is left has to do for the rest, and on one machine for the server. */
    private static final double DRIVER_CPU_PERCENT_MAX = 50;

    private static final String FILE = "users.json";
    /** Copies. */
    public UsersResults {
        invalidReasons = List.copyOf(invalidReasons);
        warnings = List.copyOf(warnings);
        levels = List.copyOf(levels);
    }

    /** {@return all of it, judged} */
    public static UsersResults of(
            Tool tool,
            String startedAt,
            String finishedAt,
            Environment environment,
            String command,
            Map<String, Object> settings,
            JsonNode profile,
            @Nullable PerUserDay publishedPerUserDay,
            Target target,
            Limits limits,
            boolean complete,
            List<Level> levels) {
        Integer passed = usersPassed(levels);
        List<String> reasons = invalidReasons(levels, passed);
        return new UsersResults(
                JsonFile.SCHEMA,
                tool,
                startedAt,
                finishedAt,
                environment,
                command,
                settings,
                profile,
                publishedPerUserDay,
                target,
                limits,
                complete,
                reasons.isEmpty(),
                reasons,
                warnings(levels),
                levels,
                passed,
                null,
                null);
    }

    /** {@return the same of a server on another machine} */
    public UsersResults watched(Environment server, TargetWatch watch) {
        return new UsersResults(
                schema,
                tool,
                startedAt,
                finishedAt,
                environment,
                command,
                settings,
                profile,
                publishedPerUserDay,
                target,
                limits,
                complete,
                valid,
                invalidReasons,
                warnings,
                levels,
                usersPassed,
                server,
                watch);
    }

    static @Nullable Integer usersPassed(List<Level> levels) {
        return levels.stream()
                .filter(level -> Boolean.TRUE.equals(level.passes()))
                .map(Level::users)
                .max(Comparator.naturalOrder())
                .orElse(null);
    }

    /** A level that is too slow is an answer; errors and lost mail are not. */
    static List<String> invalidReasons(List<Level> levels, @Nullable Integer passed) {
        List<String> reasons = new ArrayList<>();
        if (passed == null) {
            reasons.add("no level passed");
        }
        for (Level level : levels) {
            long failed = level.tasks().stream().mapToLong(TaskFigures::failed).sum();
            if (failed > 0) {
                reasons.add(level.users() + " users: " + failed + " tasks failed");
            }
            if (level.passes() != null) {
                Judgement.lost(level.accounting())
                        .forEach(reason -> reasons.add(level.users() + " users: " + reason));
            }
        }
        return reasons;
    }

    /** A driver that is short of CPU begins tasks late, and their latency is its own. */
    static List<String> warnings(List<Level> levels) {
        List<String> warnings = new ArrayList<>();
        for (Level level : levels) {
            Resources spent = level.resources();
            Double driver = spent == null ? null : spent.driverCpuPercent();
            if (driver != null && driver >= DRIVER_CPU_PERCENT_MAX) {
                warnings.add(String.format(
                        Locale.ROOT,
                        "%d users: the driver took %.0f %% of its machine's CPU, so that this may be its"
                                + " limit and not the mail system's: run it elsewhere, or on more cores",
                        level.users(),
                        driver));
            }
        }
        return warnings;
    }

    /** {@return all of it as it stands in the file} */
    public JsonNode tree() {
        return JsonFile.tree(this);
    }

    /** {@return the content of the file} */
    public String json() {
        return JsonFile.text(this);
    }

    /** Writes the file into a folder, whole or not at all. */
    public void write(Path folder) throws IOException {
        JsonFile.write(this, folder.resolve(FILE));
    }

    /** {@return what the file in a folder says, or null when there is none} */
    public static @Nullable JsonNode read(Path folder) throws IOException {
        Path file = folder.resolve(FILE);
        return Files.exists(file) ? JsonFile.read(file) : null;
    }
}
