import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes the tables of docs/dependencies.md, from the bill of materials of the whole build and from what
 * Maven says is newest. .ci/dependencies starts it from the source: {@code java Dependencies.java ROOT BOM
 * VERSIONS}. The reasons of direct dependencies are the page's own, and stay.
 */
final class Dependencies {
    private static final Pattern ROW = Pattern.compile("(?m)^\\| ([^|]+) \\|(.*)\\|$");
    private static final Pattern NEWER =
            Pattern.compile("(?m)^\\[INFO\\] +(\\S+) \\.* *(\\S+) -> (\\S+)");
    private static final Pattern MANAGED = Pattern.compile(
            "<groupId>([^<]+)</groupId>\\s*<artifactId>([^<]+)</artifactId>\\s*<version>(?:\\$\\{([^}]+)}|([^<]+))</version>");
    private static final Pattern PLUGIN = Pattern.compile(
            "<plugin>(?:\\s*<!--.*?-->)?\\s*(?:<groupId>([^<]+)</groupId>\\s*)?<artifactId>([^<]+)</artifactId>\\s*<version>([^<$]+)</version>",
            Pattern.DOTALL);
    private static final Pattern DIRECT =
            Pattern.compile("<dependency>\\s*<groupId>([^<]+)</groupId>\\s*<artifactId>([^<]+)</artifactId>");
    /** Where an artifact may be taken under several licences, or names one loosely: the one that we take. */
    private static final Map<String, String> LICENCES = Map.of(
            "ch.qos.logback", "EPL-2.0",
            "org.eclipse.angus", "EPL-2.0",
            "jakarta.mail", "EPL-2.0",
            "org.rocksdb", "Apache-2.0",
            "org.hdrhistogram", "BSD-2-Clause",
            "org.openjdk.jmh", "GPL-2.0 with Classpath Exception",
            "org.bouncycastle", "MIT (Bouncy Castle)",
            "com.tngtech.archunit", "Apache-2.0");

    private final Path root;
    private final Path page;
    private final String poms;
    private final Map<String, String> reasons = new TreeMap<>();
    private final Map<String, String> newest = new TreeMap<>();

    private Dependencies(Path root, String versions) throws IOException {
        this.root = root;
        page = root.resolve("docs/dependencies.md");
        poms = poms(root);
        Matcher row = ROW.matcher(Files.readString(page));
        while (row.find()) {
            List<String> cells = List.of(row.group(2).split("\\|", -1));
            reasons.put(row.group(1).strip(), cells.get(cells.size() - 2).strip());
        }
        Matcher newer = NEWER.matcher(versions);
        while (newer.find()) {
            newest.putIfAbsent(newer.group(1).replaceAll("[${}]", ""), newer.group(3));
        }
    }

    public static void main(String[] arguments) throws IOException {
        Dependencies dependencies =
                new Dependencies(Path.of(arguments[0]), Files.readString(Path.of(arguments[2])));
        dependencies.write(new ObjectMapper().readTree(Path.of(arguments[1]).toFile()));
    }

    private static String poms(Path root) throws IOException {
        StringBuilder text = new StringBuilder();
        try (Stream<Path> files = Files.walk(root, 3)) {
            for (Path pom : files.filter(file -> file.endsWith("pom.xml"))
                    .filter(file -> !file.toString().contains("/target/")
                            && !file.startsWith(root.resolve("queue-pulsar"))
                            && !file.startsWith(root.resolve("docs/examples")))
                    .sorted()
                    .toList()) {
                text.append(Files.readString(pom));
            }
        }
        return text.toString();
    }

    private void write(JsonNode bom) throws IOException {
        String text = Files.readString(page);
        String dated = text.replaceFirst("as of \\d{4}-\\d{2}-\\d{2}", "as of " + LocalDate.now());
        Files.writeString(page, replaced(replaced(dated, "libraries", libraries(bom)), "plugins", plugins()));
        List<String> unknown = new ArrayList<>();
        Matcher row = Pattern.compile("(?m)^\\| (\\S+) \\|.*\\| \\? \\|[^|]*\\|$")
                .matcher(Files.readString(page));
        while (row.find()) {
            unknown.add(row.group(1));
        }
        if (!unknown.isEmpty()) {
            throw new IOException("say in docs/dependencies.md why there is " + unknown);
        }
    }

    /** Puts rows between the comments with a name. */
    private static String replaced(String text, String name, String rows) {
        String begin = "<!-- " + name + " -->\n";
        int from = text.indexOf(begin) + begin.length();
        return text.substring(0, from) + rows + text.substring(text.indexOf("<!-- end -->", from));
    }

    private String libraries(JsonNode bom) throws IOException {
        Set<String> server = jars(root.resolve("server/target/lib"));
        Set<String> lab = jars(root.resolve("bench/cli/target/lib"));
        Map<String, String> parents = parents(bom);
        Set<String> direct = DIRECT.matcher(poms)
                .results()
                .map(found -> found.group(1) + ":" + found.group(2))
                .collect(Collectors.toCollection(TreeSet::new));
        Map<String, String> rows = new TreeMap<>();
        for (JsonNode component : bom.get("components")) {
            String group = component.path("group").asText();
            String artifact = component.path("name").asText();
            String version = component.path("version").asText();
            if (group.equals("org.hubmark")) {
                continue;
            }
            String name = group + ":" + artifact;
            String file = artifact + "-" + version;
            String packed = has(server, file) ? "server, lab" : has(lab, file) ? "lab" : "tests";
            boolean ours = direct.contains(name);
            rows.put(
                    name + version,
                    "| " + name + " | " + version + " | " + licence(group, component) + " | " + packed + " | "
                            + (ours ? reasons.getOrDefault(name, "?") : "needed by " + parents.getOrDefault(name, "?"))
                            + " | " + (ours ? newest(group, artifact, version) : "") + " |\n");
        }
        return "| dependency | version | licence | packed in | why | newest |\n|---|---|---|---|---|---|\n"
                + String.join("", rows.values());
    }

    private static boolean has(Set<String> jars, String file) {
        return jars.stream().anyMatch(jar -> jar.equals(file) || jar.startsWith(file + "-linux"));
    }

    private static Set<String> jars(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString().replaceFirst("\\.jar$", ""))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    /** {@return for each component the first that names it as its dependency and isn't ours} */
    private static Map<String, String> parents(JsonNode bom) {
        Map<String, String> parents = new TreeMap<>();
        for (JsonNode node : bom.get("dependencies")) {
            String parent = name(node.path("ref").asText());
            for (JsonNode child : node.path("dependsOn")) {
                if (!parent.startsWith("org.hubmark:")) {
                    parents.putIfAbsent(name(child.asText()), parent.replaceFirst(".*:", ""));
                }
            }
        }
        return parents;
    }

    private static String name(String purl) {
        return purl.replaceFirst("pkg:maven/", "").replaceFirst("@.*", "").replace('/', ':');
    }

    private static String licence(String group, JsonNode component) {
        String ours = LICENCES.get(group);
        if (ours != null) {
            return ours;
        }
        List<String> names = new ArrayList<>();
        for (JsonNode one : component.path("licenses")) {
            JsonNode licence = one.path("license");
            names.add(licence.has("id") ? licence.get("id").asText() : licence.path("name").asText());
        }
        return names.isEmpty() ? "unknown" : String.join(", ", names);
    }

    private String newest(String group, String artifact, String version) {
        Matcher managed = MANAGED.matcher(poms);
        while (managed.find()) {
            boolean bom = managed.group(2).endsWith("-bom")
                    && (group + ".").startsWith(managed.group(1).replaceFirst("\\.jupiter$", "") + ".");
            // It is in Netty's list with a version of its own.
            if (artifact.startsWith("netty-tcnative")) {
                return "";
            }
            if (managed.group(3) != null
                    && (bom || managed.group(1).equals(group) && managed.group(2).equals(artifact))) {
                return Objects.requireNonNullElse(newest.get(managed.group(3)), version);
            }
        }
        return "";
    }

    private String plugins() {
        Map<String, String> rows = new TreeMap<>();
        Matcher plugin = PLUGIN.matcher(poms);
        while (plugin.find()) {
            String group = plugin.group(1) == null ? "org.apache.maven.plugins" : plugin.group(1);
            if (group.equals("org.hubmark")) {
                continue;
            }
            String name = group + ":" + plugin.group(2);
            String known = plugin.group(1) == null ? plugin.group(2) : name;
            rows.put(
                    name,
                    "| " + name + " | " + plugin.group(3) + " | " + reasons.getOrDefault(name, "?") + " | "
                            + newest.getOrDefault(known, plugin.group(3)) + " |\n");
        }
        return "| plugin | version | why | newest |\n|---|---|---|---|\n" + String.join("", rows.values());
    }
}
