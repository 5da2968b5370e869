package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The form of a results.json: which keys each object has and what type each value is of, as recorded
 * in a file of these tests. Programs of others read these keys, so that a change of the form has to
 * be meant. What was found is left in target/results-form, to be copied over the record when it is.
 */
final class ResultsForm {
    /** Their keys are the kernel's, those of the counters that a machine has, or of settings that were given. */
    private static final Set<String> MAPS = Set.of(
            "/hub_settings",
            "/scenarios[]/repeats[]/counters",
            "/environment/disclosure/processor/mitigations",
            "/environment/disclosure/processor/numa_nodes",
            "/server_environment/disclosure/processor/mitigations",
            "/server_environment/disclosure/processor/numa_nodes");

    private static final String ABSENT = "absent";
    private static final Path FOUND = Path.of("target/results-form");

    private final Map<String, Set<String>> types = new TreeMap<>();
    private final Set<String> unknown;

    private ResultsForm(Set<String> unknown) {
        this.unknown = unknown;
    }

    /** Fails where the file has another form than the one recorded under that name. */
    static void check(Path file, String name) throws IOException {
        check(file, name, Set.of());
    }

    /** The same of hubs in this JVM, of which a process's figures are null or not there. */
    static void checkInJvm(Path file, String name) throws IOException {
        check(file, name, HubsInJvm.UNKNOWN);
    }

    private static void check(Path file, String name, Set<String> unknown) throws IOException {
        JsonNode tree = new ObjectMapper().readTree(file.toFile());
        if (unknown.isEmpty()) {
            ResultsForm found = new ResultsForm(unknown);
            found.add("", tree);
            Files.createDirectories(FOUND);
            Files.write(FOUND.resolve(name + ".form"), found.lines());
        }
        ResultsForm recorded = recorded(name, unknown);
        List<String> differences = new ArrayList<>();
        recorded.compare("", tree, differences);
        assertThat(differences).as("differs from %s.form", name).isEmpty();
    }

    private static ResultsForm recorded(String name, Set<String> unknown) throws IOException {
        ResultsForm form = new ResultsForm(unknown);
        try (InputStream in = ResultsForm.class.getResourceAsStream(name + ".form")) {
            assertThat(in).as("the record %s.form", name).isNotNull();
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            text.lines()
                    .map(line -> line.split(" ", 2))
                    .forEach(parts -> form.types.put(
                            parts[0].equals(".") ? "" : parts[0],
                            Set.of(parts[1].split("\\|", -1))));
        }
        return form;
    }

    private void add(String path, JsonNode node) {
        types.computeIfAbsent(path, p -> new TreeSet<>()).add(type(node));
        if (!MAPS.contains(path)) {
            node.properties().forEach(entry -> add(path + "/" + entry.getKey(), entry.getValue()));
        }
        if (node.isArray()) {
            node.forEach(element -> add(path + "[]", element));
        }
    }

    private List<String> lines() {
        List<String> lines = new ArrayList<>();
        types.forEach((path, found) ->
                lines.add((path.isEmpty() ? "." : path) + " " + String.join("|", found)));
        return lines;
    }

    private void compare(String path, JsonNode node, List<String> differences) {
        Set<String> wanted = types.getOrDefault(path, Set.of());
        if (!wanted.contains(type(node))) {
            differences.add(path + " is " + type(node) + ", not " + wanted);
            return;
        }
        if (node.isObject() && !MAPS.contains(path)) {
            Map<String, JsonNode> left = new HashMap<>();
            node.properties().forEach(entry -> left.put(entry.getKey(), entry.getValue()));
            for (String key : keys(path)) {
                JsonNode value = left.remove(key);
                if (unknown.contains(key) && (value == null || value.isNull())) {
                    continue;
                }
                if (value == null && isOptional(path + "/" + key)) {
                    continue;
                }
                if (value == null) {
                    differences.add(path + "/" + key + " is gone");
                } else {
                    compare(path + "/" + key, value, differences);
                }
            }
            left.keySet().forEach(key -> differences.add(path + "/" + key + " is new"));
        }
        if (node.isArray()) {
            node.forEach(element -> compare(path + "[]", element, differences));
        }
    }

    /** Of what depends on the machine: a device that counts its flushes, and one that doesn't. */
    private boolean isOptional(String path) {
        return types.getOrDefault(path, Set.of()).contains(ABSENT);
    }

    private Set<String> keys(String path) {
        Set<String> keys = new TreeSet<>();
        for (String other : types.keySet()) {
            if (other.startsWith(path + "/")) {
                keys.add(other.substring(path.length() + 1).replaceFirst("[\\[/].*", ""));
            }
        }
        return keys;
    }

    private static String type(JsonNode node) {
        return switch (node.getNodeType()) {
            case OBJECT -> "object";
            case ARRAY -> "list";
            case STRING -> "text";
            case NUMBER -> "number";
            case BOOLEAN -> "truth";
            case NULL -> "null";
            case BINARY, MISSING, POJO -> throw new IllegalArgumentException(node.toString());
        };
    }
}
