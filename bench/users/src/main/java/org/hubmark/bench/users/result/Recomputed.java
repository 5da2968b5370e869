package org.hubmark.bench.users.result;

import com.fasterxml.jackson.databind.JsonNode;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.kit.document.JsonFile;
import org.hubmark.bench.kit.document.TreeComparison;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Whether the figures of users.json follow from the raw files beside it, and from each other: those of a
 * run from its histograms and counts, those of a level from its runs, the answer from the levels.
 *
 * @param cells how many were computed again
 * @param mismatches those that come out otherwise, a line each
 */
public record Recomputed(int cells, List<String> mismatches) {
    /** Copies. */
    public Recomputed {
        mismatches = List.copyOf(mismatches);
    }

    /** Computes all of them again. */
    public static Recomputed of(JsonNode results, Path folder) throws IOException {
        TreeComparison comparison = new TreeComparison(TreeComparison.THREE_DIGITS);
        Limits limits = JsonFile.read(results.path("limits"), Limits.class);
        List<Level> levels = new ArrayList<>();
        for (JsonNode written : results.path("levels")) {
            Level again = level(written, limits, folder, comparison);
            comparison.compare(again.users() + " users", written, JsonFile.tree(again));
            levels.add(again);
        }
        Integer passed = UsersResults.usersPassed(levels);
        comparison.compare("users_passed", results.path("users_passed"), JsonFile.tree(passed));
        comparison.compare(
                "invalid_reasons",
                results.path("invalid_reasons"),
                JsonFile.tree(UsersResults.invalidReasons(levels, passed)));
        return new Recomputed(comparison.cells(), comparison.mismatches());
    }

    private static Level level(
            JsonNode written, Limits limits, Path folder, TreeComparison comparison)
            throws IOException {
        int users = written.path("users").asInt();
        List<UserRun> runs = new ArrayList<>();
        for (JsonNode one : written.path("repeats")) {
            UserRun run = JsonFile.read(one, UserRun.class);
            Map<String, Histogram> raw = RawLatencies.read(folder, users, run.run());
            if (raw.isEmpty()) {
                comparison.mismatch(users + " users, run " + run.run() + ": no raw latencies");
            }
            runs.add(raw.isEmpty() ? run : run(run, raw));
        }
        JsonNode expected = written.path("expected_per_user_day");
        return Level.of(
                users,
                runs,
                expected.isObject() ? JsonFile.read(expected, PerUserDay.class) : null,
                limits);
    }

    private static UserRun run(UserRun run, Map<String, Histogram> raw) {
        Map<Task, TaskCounts> tasks = new EnumMap<>(Task.class);
        Map<Task, Double> weights = new EnumMap<>(Task.class);
        for (TaskFigures task : run.tasks()) {
            weights.put(task.task(), task.weight());
            tasks.put(
                    task.task(),
                    new TaskCounts(
                            task.planned(),
                            task.late(),
                            task.failures(),
                            histogram(raw, task.task().name())));
        }
        return UserRun.of(
                new PlayedRun(
                        run.run(),
                        run.complete(),
                        run.startedAt(),
                        run.finishedAt(),
                        run.measuredS(),
                        tasks,
                        run.accounting(),
                        run.day(),
                        histogram(raw, RawLatencies.ARRIVAL),
                        run.resources(),
                        run.notes()),
                weights);
    }

    private static Histogram histogram(Map<String, Histogram> raw, String tag) {
        return raw.getOrDefault(tag, new Histogram(3));
    }
}
