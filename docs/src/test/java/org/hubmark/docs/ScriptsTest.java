package org.hubmark.docs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Proves, without any of the servers and without a release, that a shell takes the scripts of docs and of
 * the packages, that those that start servers say in one line what they were not given or do not find, and
 * that the archives are as small as the page of releases says.
 */
class ScriptsTest {
    private static final Path ROOT = Path.of(System.getProperty("hubmark.root"));
    private static final Path DOCS = ROOT.resolve("docs");
    private static final Path PACKAGE = ROOT.resolve("src/release/server");
    private static final String JUDGE = DOCS.resolve("peers/run").toString();

    @TempDir
    private Path folder;

    static List<Path> scripts() throws IOException {
        try (Stream<Path> docs = Files.walk(DOCS);
                Stream<Path> packed = Files.list(PACKAGE)) {
            return Stream.concat(docs, packed)
                    .filter(file -> file.toString().endsWith(".sh")
                            || file.toString().matches(".*/(pre|post)(inst|rm)"))
                    .filter(file -> !file.toString().contains("/target/"))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("scripts")
    void aShellTakesIt(Path script) throws Exception {
        assertThat(run("sh", "-n", script.toString())).isEqualTo(new Ended(0, "", ""));
        String text = Files.readString(script);
        if (script.startsWith(PACKAGE)) {
            assertThat(text)
                    .startsWith("#!/bin/sh\n")
                    .contains("set -e")
                    .as("nobody but its owner removes mail")
                    .doesNotContainPattern("rm -[a-z]*r");
        } else {
            assertThat(Files.isExecutable(script))
                    .as("what has a first line that names its shell can be started")
                    .isEqualTo(text.startsWith("#!/bin/sh\n"));
        }
    }

    static Stream<Path> commands() throws IOException {
        return scripts().stream()
                .filter(script -> script.startsWith(DOCS) && Files.isExecutable(script));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void wrongUsageIsOneLine(Path script) throws Exception {
        Ended ended = run(script.toString());
        assertThat(ended.code()).isEqualTo(2);
        assertThat(ended.out() + ended.err()).contains("usage: ").hasLineCount(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"haraka", "smtp-server", "james", "maddy", "aiosmtpd"})
    void aMissingServerIsNamedWithTheWayToGetIt(String server) throws Exception {
        Path data = folder.resolve("data");
        String script = DOCS.resolve("peers/" + server + ".sh").toString();
        Map<String, String> none = Map.of("PEERS", folder.resolve("none").toString());
        assertThat(Ended.of(folder, none, script, "start", "1", data.toString()))
                .isEqualTo(new Ended(
                        1,
                        "",
                        server + ".sh: " + server + " not found; docs/peers/" + server
                                + ".sh fetch gets it"));
        assertThat(data).doesNotExist();
    }

    @Test
    void anUnknownServerIsWrongUsage() throws Exception {
        Ended ended = run(DOCS.resolve("peers/on-volume.sh").toString(), "sendmale", "true");
        assertThat(ended.err()).hasLineCount(1).matches("on-volume.sh: (takes root|no server .*)");
        Ended judged = run(JUDGE, "--only", "sendmale");
        assertThat(judged.code()).isEqualTo(2);
        assertThat(judged.err()).contains("no 'sendmale'; there are postfix, exim, ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"lab", "server"})
    void anArchiveIsAsSmallAsThePageSays(String kind) throws IOException {
        var limit = Pattern.compile("limit \"hubmark-" + kind + "-.*\" (\\d+)000000")
                .matcher(Files.readString(ROOT.resolve(".ci/release")));
        assertThat(limit.find()).isTrue();
        assertThat(Files.readString(DOCS.resolve("releasing.md")))
                .containsPattern("hubmark-" + kind + "-VERSION-linux-x86_64.tar.gz.*"
                        + limit.group(1) + " MB");
    }

    /** From results as the commands write them, in what is read of them. */
    @Test
    void theTablesAreMadeOfTheResults() throws Exception {
        String results = ROOT.resolve("docs/src/test/resources/peers").toString();
        Ended ended = run(JUDGE, "--table", "--only", "exim,postfix", "--folder", results);
        assertThat(ended.code()).as("%s", ended).isZero();
        assertThat(ended.out().lines())
                .contains(
                        "| Exim | 2,000 (1,000, 3,000) | 200 (100, 300) | – | 0.50 (0.50, 0.50) | – |",
                        "| Exim | 1.2 | 3 of 12,345 (100 times), 1 corrupted | – |",
                        "| Postfix | – | – | – |",
                        "- power of exim (shipped): no power");
    }

    private Ended run(String... command) throws Exception {
        return Ended.of(folder, Map.of(), command);
    }
}
