package org.hubmark.docs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Proves that docs/dependencies.md lists each library that we use, with its version, licence and
 * reason. The class path of this module has what the lab packs, and what tests use. Who adds or
 * updates a library runs .ci/dependencies.
 */
class DependenciesTest {
    private static final Path ROOT = Path.of(System.getProperty("hubmark.root"));
    private static final Path REPOSITORY = Path.of(System.getProperty("hubmark.repository"));
    /** A jar in the local repository: group, artifact, version. */
    private static final Pattern JAR =
            Pattern.compile("(.+)/([^/]+)/([^/]+)/\\2-\\3(-[^/]*)?\\.jar");

    private static final Pattern ROW = Pattern.compile(
            "(?m)^\\| (\\S+:\\S+) \\| (\\S+) \\| ([^|]+) \\| (server, lab|lab|tests) \\| ([^|]+) \\|");

    @Test
    void everyLibraryIsListedWithItsLicenceAndReason() throws IOException {
        Set<String> used = Arrays.stream(
                        System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry -> Path.of(entry).startsWith(REPOSITORY))
                .map(entry -> JAR.matcher(REPOSITORY.relativize(Path.of(entry)).toString()))
                .filter(jar -> jar.matches() && !jar.group(1).startsWith("org/hubmark"))
                .map(jar ->
                        jar.group(1).replace('/', '.') + ":" + jar.group(2) + " " + jar.group(3))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(used).hasSizeGreaterThan(50);
        Set<String> listed = new TreeSet<>();
        Matcher row = ROW.matcher(Files.readString(ROOT.resolve("docs/dependencies.md")));
        while (row.find()) {
            String library = row.group(1) + " " + row.group(2);
            listed.add(library);
            assertThat(row.group(3).strip())
                    .as("licence of %s", library)
                    .isNotIn("", "?", "unknown");
            assertThat(row.group(5).strip()).as("reason for %s", library).isNotIn("", "?");
            // What is packed must be in use still.
            assertThat(row.group(4).equals("tests") || used.contains(library))
                    .as(library)
                    .isTrue();
        }
        assertThat(listed)
                .as("run .ci/dependencies after a change of the dependencies")
                .containsAll(used);
    }
}
