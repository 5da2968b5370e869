package org.hubmark.bench.users.compare;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;

import org.hubmark.bench.kit.page.Cells;
import org.hubmark.bench.users.result.Task;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * One number of users in two results.
 *
 * @param a null where A did not play it
 * @param b null where B did not play it
 * @param figures by the name of {@link LevelFigure} in lower case; those that neither has are left out
 * @param tasks those that either has
 * @param devices those that either has
 */
public record LevelPair(
        int users,
        @Nullable Side a,
        @Nullable Side b,
        Map<String, Paired> figures,
        List<TaskPair> tasks,
        List<DevicePair> devices) {
    /**
     * What is said of a level of one of the two.
     *
     * @param passes null when no run was played to its end
     * @param runs how many were counted
     * @param reasons why it does not pass
     */
    public record Side(@Nullable Boolean passes, int runs, List<String> reasons) {
        /** Copies. */
        public Side {
            reasons = List.copyOf(reasons);
        }

        private static @Nullable Side of(JsonNode level) {
            JsonNode passes = level.path("passes");
            return level.isMissingNode()
                    ? null
                    : new Side(
                            passes.isBoolean() ? (Boolean) passes.asBoolean() : null,
                            level.path("runs").asInt(),
                            Cells.texts(level.path("reasons")));
        }
    }

    /** The latency of one task. */
    public record TaskPair(Task task, Paired p95Ms, Paired meanMs) {
        private static TaskPair of(JsonNode a, JsonNode b, Task task) {
            return new TaskPair(
                    task,
                    Paired.of(a, b, figure(task, "p95_ms")),
                    Paired.of(a, b, figure(task, "mean_ms")));
        }

        private static Function<JsonNode, JsonNode> figure(Task task, String key) {
            return part -> {
                for (JsonNode one : part.path("tasks")) {
                    if (one.path("task").asText().equals(task.name())) {
                        return one.path(key);
                    }
                }
                return MissingNode.getInstance();
            };
        }

        private boolean isKnown() {
            return p95Ms.a() != null || p95Ms.b() != null;
        }
    }

    /** Copies. */
    public LevelPair {
        figures = Collections.unmodifiableMap(new LinkedHashMap<>(figures));
        tasks = List.copyOf(tasks);
        devices = List.copyOf(devices);
    }

    /** {@return all levels that either has} */
    static List<LevelPair> of(JsonNode a, JsonNode b) {
        TreeSet<Integer> levels = new TreeSet<>();
        a.path("levels").forEach(level -> levels.add(level.path("users").asInt()));
        b.path("levels").forEach(level -> levels.add(level.path("users").asInt()));
        List<LevelPair> pairs = new ArrayList<>();
        for (int users : levels) {
            pairs.add(of(users, LevelTrees.of(a, users), LevelTrees.of(b, users)));
        }
        return pairs;
    }

    private static LevelPair of(int users, JsonNode a, JsonNode b) {
        Map<String, Paired> figures = new LinkedHashMap<>();
        for (LevelFigure figure : LevelFigure.values()) {
            Paired paired = Paired.of(a, b, figure::of);
            if (paired.a() != null || paired.b() != null) {
                figures.put(figure.key(), paired);
            }
        }
        return new LevelPair(
                users,
                Side.of(a),
                Side.of(b),
                figures,
                Arrays.stream(Task.values())
                        .map(task -> TaskPair.of(a, b, task))
                        .filter(TaskPair::isKnown)
                        .toList(),
                DevicePair.of(a, b));
    }

    /** {@return a figure, or null when neither has it} */
    public @Nullable Paired figure(LevelFigure figure) {
        return figures.get(figure.key());
    }
}
