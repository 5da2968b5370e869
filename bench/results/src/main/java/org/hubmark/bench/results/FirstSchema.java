package org.hubmark.bench.results;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.hubmark.bench.machine.volumes.DeviceProfile;
import org.hubmark.bench.machine.volumes.Flush;
import org.hubmark.bench.machine.volumes.VolumeInspection;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Results of schema 1, read as those of schema 2; docs/measurement.md says what changed. The write
 * cache of a device was on where a flush was sent, or where none was, by which command had looked:
 * where the kernel's own word for the log's device is in the file, it decides.
 */
final class FirstSchema {
    private static final String CACHE = "device_write_cache";
    private static final String RATE = "sustained_rate_msgs_per_s.";
    private static final String REASON = "sustained_rate_reason.";

    private final ObjectNode results;

    private FirstSchema(ObjectNode results) {
        this.results = results;
    }

    /** Changes the tree in place. */
    static void upgrade(ObjectNode results) {
        new FirstSchema(results).upgrade();
    }

    private void upgrade() {
        results.put("schema", 2);
        for (JsonNode scenario : results.path("scenarios")) {
            if (scenario instanceof ObjectNode one) {
                flush(one);
                safety(one);
                sustainedRate(one);
            }
        }
        for (JsonNode model : results.path("cost_models")) {
            if (model.path("where") instanceof ObjectNode where) {
                flush(where);
            }
        }
    }

    private void flush(ObjectNode of) {
        Flush flush =
                flush(of.path("device_profile").asText(null), of.path(CACHE).asText(null));
        of.remove(CACHE);
        of.put("flush", flush == null ? null : flush.label());
    }

    private @Nullable Flush flush(@Nullable String profile, @Nullable String cache) {
        if (cache == null) {
            return null;
        }
        if (profile != null) {
            return emulated(profile);
        }
        Set<Flush> states = new LinkedHashSet<>();
        for (JsonNode volume : results.at("/environment/volumes")) {
            if (volume.path("role").asText().equals("log")) {
                states.add(flush(volume));
            }
        }
        if (states.size() == 1) {
            return states.iterator().next();
        }
        // Only a matrix that was told to set it saw more than one: on was the cache that answers.
        return cache.equals("on") ? Flush.SUPPRESSED : Flush.SENT;
    }

    private static @Nullable Flush emulated(String profile) {
        for (DeviceProfile known : DeviceProfile.values()) {
            if (known.toString().equals(profile)) {
                return Flush.of(known);
            }
        }
        return null;
    }

    private static Flush flush(JsonNode volume) {
        List<String> options = new ArrayList<>();
        volume.path("mount_options").forEach(option -> options.add(option.asText()));
        boolean sent = volume.path("write_cache").asText().equals("write back")
                && VolumeInspection.barriers(options);
        return sent ? Flush.SENT : Flush.SUPPRESSED;
    }

    /** The first files did not say it. */
    private static void safety(ObjectNode scenario) {
        boolean stored = scenario.path("intake").asText().equals("store");
        String durability = scenario.path("durability").asText(null);
        if (!scenario.has("unsafe") && stored && durability != null) {
            Safety safety = Safety.of(durability);
            scenario.put("unsafe", safety.unsafe()).put("unsafe_reason", safety.unsafeReason());
        }
    }

    private void sustainedRate(ObjectNode scenario) {
        if (!(results.path("settings") instanceof ObjectNode settings)) {
            return;
        }
        String id = scenario.path("id").asText();
        JsonNode rate = settings.remove(RATE + id);
        JsonNode reason = settings.remove(REASON + id);
        if (rate != null && reason != null) {
            ObjectNode found = scenario.putObject("sustained_rate");
            found.set("msgs_per_s", rate);
            found.set("reason", reason);
        }
    }
}
