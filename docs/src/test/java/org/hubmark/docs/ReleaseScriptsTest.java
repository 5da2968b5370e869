package org.hubmark.docs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Proves that the scripts of a release, its documents and the parts that they put together agree,
 * without making one: that takes minutes, and is `.ci/release` itself.
 */
class ReleaseScriptsTest {
    private static final Path ROOT = Path.of(System.getProperty("hubmark.root"));

    @ParameterizedTest
    @ValueSource(strings = {"release", "release-check", "release-twice", "version", "dependencies"})
    void bashTakesItAndItIsDocumented(String name) throws Exception {
        Path script = ROOT.resolve(".ci").resolve(name);
        assertThat(Files.isExecutable(script)).isTrue();
        assertThat(run("bash", "-n", script.toString())).isEqualTo(new Ended(0, ""));
        assertThat(read("docs/releasing.md")).contains("`.ci/" + name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"release", "version"})
    void wrongUsageIsOneLine(String name) throws Exception {
        for (String given : List.of("--nothing", "one.two")) {
            Ended ended = run(ROOT.resolve(".ci").resolve(name).toString(), given);
            assertThat(ended.code()).isEqualTo(2);
            assertThat(ended.said())
                    .startsWith("usage: .ci/" + name + " VERSION")
                    .hasLineCount(1);
        }
    }

    @Test
    void theLimitsOfTheArchivesAreThoseOfTheDocuments() throws IOException {
        String script = read(".ci/release");
        String page = read("docs/releasing.md");
        for (String kind : List.of("lab", "server")) {
            var limit = Pattern.compile("limit \"hubmark-" + kind + "-.*\" (\\d+)000000")
                    .matcher(script);
            assertThat(limit.find()).isTrue();
            assertThat(page)
                    .containsPattern("hubmark-" + kind + "-VERSION-linux-x86_64.tar.gz.*"
                            + limit.group(1) + " MB");
        }
    }

    /** The unit of the package is that of docs/ops, at other places. */
    @Test
    void theUnitHasWhatThePackageReplaces() throws IOException {
        assertThat(read("docs/ops/hubmark.service"))
                .contains(
                        "\nExecStart=/opt/hubmark/hubmark serve --config /etc/hubmark/serve.properties")
                .contains("\nUser=hubmark\n")
                .startsWith("# A hub as a service");
    }

    @ParameterizedTest
    @ValueSource(strings = {"preinst", "postinst", "prerm", "postrm"})
    void aShellTakesTheScriptsOfThePackage(String name) throws Exception {
        Path script = ROOT.resolve("src/release/server").resolve(name);
        assertThat(run("sh", "-n", script.toString())).isEqualTo(new Ended(0, ""));
        assertThat(Files.readString(script)).startsWith("#!/bin/sh\n").contains("set -e");
    }

    /** Mail is removed by nobody but its owner. */
    @Test
    void nothingRemovesMail() throws IOException {
        try (Stream<Path> scripts = Files.list(ROOT.resolve("src/release/server"))) {
            for (Path script : scripts.toList()) {
                assertThat(Files.readString(script)).doesNotContainPattern("rm -[a-z]*r");
            }
        }
    }

    /** What others get is what Maven Central takes: the poms say who, where and under what licence. */
    @Test
    void thePomsSayWhatMavenCentralAsksFor() throws IOException {
        assertThat(read("pom.xml"))
                .contains("<name>", "<description>", "<url>", "<licenses>", "<developers>", "<scm");
        for (String module : List.of(
                "transport-core",
                "smtp-receiver",
                "queue-store",
                "hub",
                "hub-testkit",
                "hubmark-bom")) {
            assertThat(read(module + "/pom.xml")).contains("<name>", "<description>");
        }
    }

    private static String read(String file) throws IOException {
        return Files.readString(ROOT.resolve(file));
    }

    private record Ended(int code, String said) {}

    private static Ended run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.outputWriter().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(process.waitFor(), said.strip());
    }
}
