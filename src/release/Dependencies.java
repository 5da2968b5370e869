import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes src/release/libraries.txt, the libraries that the lab packs, from the bill of materials of the whole
 * build. .ci/dependencies starts it from the source: {@code java Dependencies.java ROOT BOM}.
 */
final class Dependencies {
    /** Where an artifact may be taken under several licences, or names one loosely: the one that we take. */
    private static final Map<String, String> LICENCES = Map.of(
            "ch.qos.logback", "EPL-2.0",
            "org.eclipse.angus", "EPL-2.0",
            "jakarta.mail", "EPL-2.0",
            "org.rocksdb", "Apache-2.0",
            "org.hdrhistogram", "BSD-2-Clause",
            "org.openjdk.jmh", "GPL-2.0 with Classpath Exception");

    private Dependencies() {}

    public static void main(String[] arguments) throws IOException {
        Path root = Path.of(arguments[0]);
        Set<String> packed = jars(root.resolve("bench/cli/target/lib"));
        Set<String> lines = new TreeSet<>();
        for (JsonNode component :
                new ObjectMapper().readTree(Path.of(arguments[1]).toFile()).get("components")) {
            String group = component.path("group").asText();
            String artifact = component.path("name").asText();
            String version = component.path("version").asText();
            String file = artifact + "-" + version;
            if (!group.equals("org.hubmark")
                    && packed.stream().anyMatch(jar -> jar.equals(file) || jar.startsWith(file + "-linux"))) {
                lines.add(group + ":" + artifact + " " + version + " " + licence(group, component));
            }
        }
        Files.write(root.resolve("src/release/libraries.txt"), lines);
    }

    private static Set<String> jars(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString().replaceFirst("\\.jar$", ""))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    private static String licence(String group, JsonNode component) throws IOException {
        List<String> names = new ArrayList<>();
        for (JsonNode one : component.path("licenses")) {
            JsonNode licence = one.path("license");
            names.add(licence.has("id") ? licence.get("id").asText() : licence.path("name").asText());
        }
        String licence = LICENCES.getOrDefault(group, String.join(", ", names));
        if (licence.isEmpty()) {
            throw new IOException("no licence is known of " + group);
        }
        return licence;
    }
}
