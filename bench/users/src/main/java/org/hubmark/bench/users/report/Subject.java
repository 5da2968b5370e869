package org.hubmark.bench.users.report;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.kit.page.Cells;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Results that are drawn, alone or beside others.
 *
 * @param name in front of its lines: A or B; empty where it is alone
 * @param results as they stand in users.json
 */
record Subject(String name, JsonNode results) {
    private static final double ONE = 1;

    /** {@return what a line of it is called} */
    String line(String line) {
        if (name.isEmpty()) {
            return line;
        }
        return line.isEmpty() ? name : name + ": " + line;
    }

    /** {@return what each level has at a place, where it is known} */
    List<List<Double>> points(String pointer) {
        return points(pointer, ONE);
    }

    /** {@return the same, times a factor} */
    List<List<Double>> points(String pointer, double factor) {
        List<List<Double>> points = new ArrayList<>();
        for (JsonNode level : results.path("levels")) {
            JsonNode value = level.at(pointer);
            if (value.isNumber()) {
                points.add(List.of(users(level), factor * value.asDouble()));
            }
        }
        return points;
    }

    /** {@return the scores, with their intervals where there are} */
    List<List<Double>> scores() {
        List<List<Double>> points = new ArrayList<>();
        for (JsonNode level : results.path("levels")) {
            if (level.path("score_ms").isNumber()) {
                List<Double> point = new ArrayList<>(
                        List.of(users(level), level.path("score_ms").asDouble()));
                JsonNode interval = level.path("score_ci95_ms");
                if (interval.isObject()) {
                    point.add(interval.path("low").asDouble());
                    point.add(interval.path("high").asDouble());
                }
                points.add(point);
            }
        }
        return points;
    }

    /**
     * {@return the points of a line for each device and key, by what it is called}
     *
     * @param words for each key what follows the name of the device
     */
    Map<String, List<List<Double>>> devices(Map<String, String> words) {
        Map<String, List<List<Double>>> lines = new LinkedHashMap<>();
        for (JsonNode level : results.path("levels")) {
            for (JsonNode disk : level.at("/resources/disks")) {
                words.forEach((key, word) -> {
                    if (disk.path(key).isNumber()) {
                        lines.computeIfAbsent(
                                        line(device(disk) + word), unused -> new ArrayList<>())
                                .add(List.of(users(level), disk.path(key).asDouble()));
                    }
                });
            }
        }
        return lines;
    }

    /** {@return a device by what it holds and its name, "mailboxes (sda)"} */
    private static String device(JsonNode disk) {
        String device = disk.path("device").asText();
        List<String> roles = Cells.texts(disk.path("roles"));
        return roles.isEmpty() ? device : String.join(", ", roles) + " (" + device + ")";
    }

    private static double users(JsonNode level) {
        return level.path("users").asDouble();
    }
}
