package org.hubmark.bench.mail;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A case of a test, of a text beside the test: a line with its name, and below it indented lines, each with a key,
 * a colon and a value.
 */
public record TestCase(String name, List<Map.Entry<String, String>> lines) {
    /** {@return those of a file beside a test, which have no other keys than these} */
    public static List<TestCase> of(Class<?> test, String file, String... keys) throws IOException {
        List<TestCase> cases = new ArrayList<>();
        try (InputStream in = Objects.requireNonNull(test.getResourceAsStream(file))) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            for (String line : text.lines().toList()) {
                if (line.isBlank() || line.strip().startsWith("#")) {
                    continue;
                }
                if (line.startsWith(" ")) {
                    String[] parts = line.strip().split(": *", 2);
                    if (!List.of(keys).contains(parts[0])) {
                        throw new IllegalArgumentException(file + " has no such key: " + line);
                    }
                    cases.getLast().lines.add(Map.entry(parts[0], parts[1]));
                } else {
                    cases.add(new TestCase(line, new ArrayList<>()));
                }
            }
        }
        return cases;
    }

    /** {@return the values of all lines with a key} */
    public List<String> all(String key) {
        return lines.stream()
                .filter(line -> line.getKey().equals(key))
                .map(Map.Entry::getValue)
                .toList();
    }

    /** {@return the words of all lines with a key, each a name, an equals sign and a value} */
    public Map<String, String> words(String key) {
        return words(all(key));
    }

    /** {@return the words of texts} */
    public static Map<String, String> words(List<String> texts) {
        Map<String, String> words = new HashMap<>();
        for (String word : String.join(" ", texts).split(" +", -1)) {
            int at = word.indexOf('=');
            if (at > 0) {
                words.put(word.substring(0, at), word.substring(at + 1));
            }
        }
        return words;
    }

    @Override
    public String toString() {
        return name;
    }
}
