package org.hubmark.bench.users.compare;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;

import org.hubmark.bench.kit.page.Cells;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * The devices of both that hold the same of the server.
 *
 * @param holds its roles; the device's name where these are not known
 * @param deviceA null where A has none
 * @param deviceB null where B has none
 */
public record DevicePair(
        String holds,
        @Nullable String deviceA,
        @Nullable String deviceB,
        Paired queueLength,
        Paired readsPerS,
        Paired writesPerS) {
    static List<DevicePair> of(JsonNode a, JsonNode b) {
        Set<String> held = new LinkedHashSet<>(held(a));
        held.addAll(held(b));
        return held.stream().map(holds -> of(a, b, holds)).toList();
    }

    private static DevicePair of(JsonNode a, JsonNode b, String holds) {
        return new DevicePair(
                holds,
                device(a, holds),
                device(b, holds),
                Paired.of(a, b, of(holds, "queue_length")),
                Paired.of(a, b, of(holds, "reads_per_s")),
                Paired.of(a, b, of(holds, "writes_per_s")));
    }

    private static Function<JsonNode, JsonNode> of(String holds, String key) {
        return part -> disk(part, holds).path(key);
    }

    private static @Nullable String device(JsonNode part, String holds) {
        JsonNode device = disk(part, holds).path("device");
        return device.isTextual() ? device.asText() : null;
    }

    private static JsonNode disk(JsonNode part, String holds) {
        for (JsonNode disk : disks(part)) {
            if (holds(disk, part).equals(holds)) {
                return disk;
            }
        }
        return MissingNode.getInstance();
    }

    private static List<String> held(JsonNode part) {
        List<String> all = new ArrayList<>();
        disks(part).forEach(disk -> all.add(holds(disk, part)));
        return all;
    }

    /** Where several hold the same, each has its name too. */
    private static String holds(JsonNode disk, JsonNode part) {
        String device = disk.path("device").asText();
        if (disk.path("roles").isEmpty()) {
            return device;
        }
        int alike = 0;
        for (JsonNode other : disks(part)) {
            alike += other.path("roles").equals(disk.path("roles")) ? 1 : 0;
        }
        String roles = String.join(", ", Cells.texts(disk.path("roles")));
        return alike > 1 ? roles + " on " + device : roles;
    }

    private static JsonNode disks(JsonNode part) {
        return part.at("/resources/disks");
    }
}
