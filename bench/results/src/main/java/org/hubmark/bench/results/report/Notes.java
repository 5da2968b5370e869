package org.hubmark.bench.results.report;

import com.fasterxml.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What has to be known to read the tables: remarks on single rows first, then on the whole. */
final class Notes {
    private final List<String> texts = new ArrayList<>();
    private final Map<String, Integer> numbers = new HashMap<>();

    Notes(Study study, JsonNode results) {
        for (Row row : study.rows()) {
            study.note(row.field()).ifPresent(text -> add(row.field(), "Published: " + text + "."));
        }
        watched(results.path("target_watch"));
        ofRepeats(results);
        evidence(results);
        sharedDevice(results);
        unproven(results);
        engineCounters(results);
        texts.add(
                "%CPU and Msg Cost (MCyc/msg) count the whole machine with the kernel, less the load"
                        + " driver's own processes; cycles are CPU time x the clock of the busy cores;"
                        + " cycles_source says where that clock comes from. Msg Cost is no count: it"
                        + " is computed from %CPU, clock and throughput of the same row, its interval"
                        + " from those of each repeat.");
        texts.add("1 KB = 1000 bytes. A dash is a figure that is not known, never a zero.");
        if (!study.columns().isEmpty()) {
            texts.add("Published columns: " + study.source() + "; other hardware, SCSI+BBWC is"
                    + " 15,000 rpm SCSI behind a battery-backed write cache, SATA 7,200 rpm without"
                    + " write caching.");
        }
    }

    /** {@return the number of the note on a field; 0 if there is none} */
    int numberOf(String field) {
        return numbers.getOrDefault(field, 0);
    }

    /** {@return all, the numbered ones first} */
    List<String> texts() {
        return List.copyOf(texts);
    }

    private void add(String field, String text) {
        texts.add(text);
        numbers.put(field, texts.size());
    }

    /** What is counted elsewhere is counted at another time, too. */
    private void watched(JsonNode watch) {
        if (!watch.isObject()) {
            return;
        }
        JsonNode error = watch.path("alignment_error_ms");
        texts.add("The server ran on another machine, whose counters were read by "
                + watch.path("source").asText() + " at " + watch.path("address").asText()
                + (error.isNumber()
                        ? String.format(
                                Locale.ROOT,
                                "; the time in which they were counted began and ended at most %.1f"
                                        + " ms beside the measured time.",
                                error.asDouble())
                        : "."));
        if (watch.path("counts").asText().equals("machine")) {
            texts.add("CPU figures of the server are those of its whole machine: nobody counted the"
                    + " server's own processes.");
        }
    }

    private void ofRepeats(JsonNode results) {
        for (JsonNode scenario : results.path("scenarios")) {
            for (JsonNode repeat : scenario.path("repeats")) {
                for (JsonNode note : repeat.path("notes")) {
                    texts.add(scenario.path("id").asText() + ", repeat "
                            + repeat.path("repeat").asText() + ": " + note.asText() + ".");
                }
            }
        }
    }

    private void evidence(JsonNode results) {
        Map<String, Set<String>> scenarios = new LinkedHashMap<>();
        for (JsonNode scenario : results.path("scenarios")) {
            Dimensions.evidence(scenario)
                    .ifPresent(words -> scenarios
                            .computeIfAbsent(words, key -> new TreeSet<>())
                            .add(scenario.path("id").asText()));
        }
        scenarios.forEach((words, ids) -> texts.add("Whether the server of "
                + String.join(", ", ids) + " loses acknowledged mail: " + words + "."));
    }

    private void sharedDevice(JsonNode results) {
        Map<String, List<String>> rolesByDevice = new HashMap<>();
        for (JsonNode volume : new Machines(results).volumes()) {
            if (volume.path("device").isTextual()) {
                rolesByDevice
                        .computeIfAbsent(
                                volume.path("device").asText(), device -> new ArrayList<>())
                        .add(volume.path("role").asText());
            }
        }
        rolesByDevice.forEach((device, roles) -> {
            // In a matrix a role stands there once for each place that it had.
            boolean once = Set.copyOf(roles).size() == roles.size();
            if (roles.size() > 1 && once && !matrix(results)) {
                texts.add("The volumes " + String.join(", ", roles) + " share the device " + device
                        + ": they wait for each other, and the device's counters cannot tell them"
                        + " apart.");
            }
        });
    }

    private static boolean matrix(JsonNode results) {
        return new Machines(results).volumes().size() > 3;
    }

    /** What is neither safe nor known to be unsafe. */
    private void unproven(JsonNode results) {
        Map<String, Set<String>> rolesByReason = new TreeMap<>();
        for (JsonNode volume : new Machines(results).volumes()) {
            if (volume.path("sync_verdict").asText("").startsWith("unknown")) {
                rolesByReason
                        .computeIfAbsent(
                                volume.path("sync_reason").asText(""), reason -> new TreeSet<>())
                        .add(volume.path("role").asText());
            }
        }
        rolesByReason.forEach((reason, roles) -> texts.add(
                "Whether a sync of the " + String.join(" and the ", roles) + " volume survives a"
                        + " power loss can't be told from this machine. " + reason));
    }

    private void engineCounters(JsonNode results) {
        var engine = new TreeSet<String>();
        for (JsonNode scenario : results.path("scenarios")) {
            scenario.path("counter_source").properties().forEach(source -> {
                if (source.getValue().asText().equals("engine")) {
                    engine.add(source.getKey());
                }
            });
        }
        if (!engine.isEmpty()) {
            texts.add(
                    "Disk figures of " + String.join(" and ", engine) + " are counted by the store"
                            + " itself (writes it asked for), not by the device.");
        }
    }
}
