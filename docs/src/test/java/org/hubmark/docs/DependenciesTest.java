package org.hubmark.docs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
    void everyLibraryIsListed() throws IOException {
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
        Set<String> listed = rows().stream()
                .map(row -> row.get(0) + " " + row.get(1))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(listed)
                .as("run .ci/dependencies after a change of the dependencies")
                .containsAll(used);
        // What is packed must be in use still.
        assertThat(rows().stream()
                        .filter(row -> !row.get(3).equals("tests"))
                        .map(row -> row.get(0) + " " + row.get(1)))
                .allMatch(used::contains);
    }

    @Test
    void eachHasALicenceAndAReason() throws IOException {
        for (List<String> row : rows()) {
            assertThat(row.get(2)).as("licence of %s", row.get(0)).isNotIn("", "?", "unknown");
            assertThat(row.get(4)).as("reason for %s", row.get(0)).isNotIn("", "?");
        }
    }

    private static List<List<String>> rows() throws IOException {
        List<List<String>> rows = new ArrayList<>();
        Matcher row = ROW.matcher(Files.readString(ROOT.resolve("docs/dependencies.md")));
        while (row.find()) {
            List<String> cells = new ArrayList<>();
            for (int i = 1; i <= row.groupCount(); i++) {
                cells.add(row.group(i).strip());
            }
            rows.add(cells);
        }
        return rows;
    }
}
