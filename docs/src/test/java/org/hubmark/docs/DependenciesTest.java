package org.hubmark.docs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Proves that docs/dependencies.md gives a reason for each library that a pom names, and that
 * src/release/libraries.txt lists what is packed, by version. The class path of this module has what
 * the lab packs, and what tests use. Who adds or updates a library runs .ci/dependencies.
 */
class DependenciesTest {
    private static final Path ROOT = Path.of(System.getProperty("hubmark.root"));
    private static final Path REPOSITORY = Path.of(System.getProperty("hubmark.repository"));
    /** A jar in the local repository: group, artifact, version. */
    private static final Pattern JAR =
            Pattern.compile("(.+)/([^/]+)/([^/]+)/\\2-\\3(-[^/]*)?\\.jar");

    private static final Pattern DEPENDENCY =
            Pattern.compile("<dependency>\\s*<groupId>(?!org\\.hubmark)[^<]+</groupId>\\s*"
                    + "<artifactId>([^<]+)</artifactId>");

    @Test
    void eachLibraryOfAPomHasAReason() throws IOException {
        Set<String> direct = new TreeSet<>();
        try (Stream<Path> files = Files.walk(ROOT, 3)) {
            for (Path pom : files.filter(file -> file.endsWith("pom.xml"))
                    .filter(file -> !file.toString().contains("/target/")
                            && !file.startsWith(ROOT.resolve("queue-pulsar"))
                            && !file.startsWith(ROOT.resolve("docs/examples"))
                            && !file.equals(ROOT.resolve("pom.xml")))
                    .toList()) {
                direct.addAll(artifacts(pom));
            }
        }
        Set<String> named = Pattern.compile("(?m)^\\| (`.*) \\| \\S.* \\|$")
                .matcher(Files.readString(ROOT.resolve("docs/dependencies.md")))
                .results()
                .flatMap(row -> Stream.of(row.group(1).replace("`", "").split(", ", -1)))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(direct).hasSizeGreaterThan(20);
        assertThat(named).containsAll(direct);
        // JUnit is in the pom of all modules.
        direct.addAll(artifacts(ROOT.resolve("pom.xml")));
        assertThat(direct).containsAll(named);
    }

    @Test
    void eachPackedLibraryIsInUseByItsVersion() throws IOException {
        Set<String> used = new TreeSet<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            Path path = Path.of(entry);
            if (!path.startsWith(REPOSITORY)) {
                continue;
            }
            Matcher jar = JAR.matcher(REPOSITORY.relativize(path).toString());
            if (jar.matches() && !jar.group(1).startsWith("org/hubmark")) {
                used.add(jar.group(1).replace('/', '.') + ":" + jar.group(2) + " " + jar.group(3));
            }
        }
        assertThat(used).hasSizeGreaterThan(50);
        List<String> packed = Files.readAllLines(ROOT.resolve("src/release/libraries.txt"));
        assertThat(packed).hasSizeGreaterThan(30).allMatch(line -> line.matches("\\S+ \\S+ \\S.*"));
        assertThat(packed.stream().map(line -> line.replaceFirst("(\\S+ \\S+) .*", "$1")))
                .as("run .ci/dependencies after a change of the dependencies")
                .allMatch(used::contains);
    }

    private static Set<String> artifacts(Path pom) throws IOException {
        return DEPENDENCY
                .matcher(Files.readString(pom))
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
