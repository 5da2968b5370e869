package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.hubmark.bench.cli.CommandProcess.Ended;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Proves that the script hubmark takes a JDK that is new enough, leaves one that is not, gives each
 * only the flags that it knows, and keeps to the caller's directory. The JDKs are folders with a
 * release file and a java that prints how it was started.
 */
class ScriptTest {
    private static final Path SCRIPT =
            Path.of(System.getProperty("hubmark.root")).resolve("hubmark");

    private static final Path FLOCK = Path.of("/usr/bin/flock");
    private static final String FIRST =
            "building hubmark ... (the first time, Maven may download for some minutes)";

    @TempDir
    Path folder;

    private Path jdk;

    @BeforeEach
    void make() throws IOException {
        folder = folder.toRealPath();
        jdk = jdk("jdk", "21.0.2");
    }

    @ParameterizedTest
    @CsvSource({"21.0.2, true, home", "17.0.9, true, path", "25.0.1, false, path"})
    void takesTheJdkOfJavaHomeIfItIsOneAndNewEnough(
            String version, boolean hasCompiler, String taken) throws Exception {
        Path home = jdk("home", version);
        Path path = jdk("path", "24");
        if (!hasCompiler) {
            Files.delete(home.resolve("bin/javac"));
        }
        Map<String, String> user = Map.of(
                "JAVA_HOME", home.toString(), "PATH", path + "/bin:" + System.getenv("PATH"));
        assertThat(started(SCRIPT, user, "run", "--sizes", "57KB"))
                .contains(folder.resolve(taken) + "/bin/java")
                .contains("-jar " + SCRIPT.resolveSibling("bench/cli/target/hubmark.jar"))
                .endsWith("run --sizes 57KB");
    }

    /** A hub gets a small heap that the user may change; a watch runs beside a server that is measured. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            21.0.2   | -                   | serve | ' -Xmx256m ,-Xmx1g -Xint -jar '         | -Xmx64m
            21.0.2   | -                   | load  | ' -Xmx1g -Xint -jar '                   | -Xmx256m
            21.0.2   | -                   | load  | -jar                                    | -XX:TieredStopAtLevel=1
            21.0.2   | -                   | watch | ' -XX:TieredStopAtLevel=1 ,-Xmx64m ,-jar ' | -Xmx256m
            21.0.2   | -                   | load  | -jar | --sun-misc-unsafe-memory-access=allow
            25.0.1+9 | -                   | load  | --sun-misc-unsafe-memory-access=allow   | -Xmx256m
            21.0.2   | jdk.incubator.vector jdk.net | serve | ' --add-modules=jdk.incubator.vector ' | -Xmx64m
            21.0.2   | jdk.incubator.vector jdk.net | load | -jar                            | --add-modules
            21.0.2   | jdk.net             | serve | ' -Xmx256m '                            | --add-modules
            21.0.2   | jdk.incubator.vectors | serve | ' -Xmx256m '                          | --add-modules
            21.0.2   | -                   | serve | ' -Xmx256m '                            | --add-modules
            """)
    void givesEachJvmTheFlagsThatItKnows(
            String version, @Nullable String modules, String command, String has, String lacks)
            throws Exception {
        Path home = jdk("home", version);
        if (modules != null) {
            Files.writeString(
                    home.resolve("release"),
                    "JAVA_VERSION=\"" + version + "\"\nMODULES=\"java.base " + modules + "\"\n");
        }
        Map<String, String> user =
                Map.of("JAVA_HOME", home.toString(), "HUBMARK_JAVA_OPTS", "-Xmx1g -Xint");
        assertThat(started(SCRIPT, user, command))
                .containsSubsequence(has.split(",", -1))
                .doesNotContain(lacks);
    }

    @Test
    void worksThroughALinkAndStaysInTheCallersDirectory() throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("link"), SCRIPT);
        assertThat(started(link, Map.of("JAVA_HOME", jdk.toString()), "a b"))
                .contains("in " + folder + ":")
                .contains("-jar " + SCRIPT.resolveSibling("bench/cli/target/hubmark.jar"))
                .endsWith(" a b");
    }

    /** In the locale C, and in one that is not installed, a JVM has no file names but those in ASCII. */
    @ParameterizedTest
    @CsvSource({
        "C, '', C.UTF-8",
        "'', POSIX, C.UTF-8",
        "xx_XX.UTF-8, C.UTF-8, C.UTF-8",
        "'', xx_XX.UTF-8, C.UTF-8",
        "'', C.UTF-8, ''",
        "C.utf8, C, C.utf8"
    })
    void aLocaleWithoutUtf8IsReplaced(String all, String lang, String seen) throws Exception {
        executable(jdk.resolve("bin/java"), "echo \"$LC_ALL\"");
        Map<String, String> user =
                Map.of("JAVA_HOME", jdk.toString(), "LC_ALL", all, "LC_CTYPE", "", "LANG", lang);
        assertThat(started(SCRIPT, user)).isEqualTo(seen);
    }

    /** As it is unpacked: with a runtime, and without sources. */
    @Test
    void aPackageRunsOnItsOwnRuntime() throws Exception {
        Path home = makePackage("hubmark.jar", "lib/server-1.0.jar");
        Files.delete(home.resolve("runtime/bin/javac"));
        Path script = home.resolve("hubmark");
        Map<String, String> user = Map.of("JAVA_HOME", jdk("other", "25").toString());
        assertThat(started(script, user, "serve"))
                .contains(home + "/runtime/bin/java ")
                .contains(" -Xmx256m ", " -Djava.library.path=" + home + "/lib/native ")
                .contains(" -jar " + home + "/lib/lib/server-1.0.jar serve");
        assertThat(started(script, user, "run")).contains(" -jar " + home + "/lib/hubmark.jar run");
        for (String command : List.of("test", "package")) {
            refused(1, command + " needs the sources", script, command);
        }
    }

    /** It has one jar of ours to start, whatever the command. */
    @Test
    void aPackageOfAServerStartsTheServer() throws Exception {
        Path home = makePackage("server-1.0.jar");
        for (String command : List.of("serve", "queue", "volumes", "qualify")) {
            assertThat(started(home.resolve("hubmark"), Map.of(), command))
                    .contains(" -jar " + home + "/lib/server-1.0.jar " + command);
        }
    }

    private Path makePackage(String... jars) throws IOException {
        Path home = folder.resolve("a package");
        Path options = Files.createDirectories(home.resolve("lib/jvm"));
        Files.createDirectories(home.resolve("lib/lib"));
        for (String jar : jars) {
            Files.createFile(home.resolve("lib").resolve(jar));
        }
        copy(SCRIPT, home);
        for (String name : List.of("java.options", "serve.options")) {
            copy(SCRIPT.resolveSibling("bench/hub/src/main/resources/jvm").resolve(name), options);
        }
        Files.move(jdk, home.resolve("runtime"));
        return home;
    }

    private static void copy(Path file, Path into) throws IOException {
        Files.copy(file, into.resolve(file.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
    }

    @Test
    void aPathWithAColonIsNamed() throws Exception {
        Path copy = scriptsIn("10:30");
        refused(1, "the path " + copy + " has a colon", copy.resolve("hubmark"), "--version");
    }

    @Test
    void aWorkingFolderThatIsGoneIsNamed() throws Exception {
        String gone = "mkdir gone && cd gone && rmdir ../gone && exec \"$0\" --version";
        Ended ended =
                ended(builder(Path.of("sh"), "-c", gone, SCRIPT.toString()).start());
        assertThat(ended.exitCode()).isEqualTo(1);
        // A shell says that, too.
        assertThat(ended.errors())
                .contains("hubmark: the working folder has been removed; change to one that is"
                        + " there");
    }

    /** There is a file in the place of the folder of the build. */
    @Test
    void aCheckoutThatCannotBeWrittenIsNotBuilt() throws Exception {
        Path copy = scriptsIn("copy");
        Files.createFile(copy.resolve("target"));
        Ended ended = ended(building(copy, "exit 0", "--version").start());
        assertThat(ended.exitCode()).isEqualTo(1);
        assertThat(ended.complaint())
                .startsWith("hubmark: " + copy + "/target can't be written by this user")
                .hasLineCount(1);
    }

    /** The jar of a version stays where it was built when the sources become those of another one. */
    @Test
    void aBuildLeavesNoLibraryOfAnotherVersion() throws Exception {
        Path copy = scriptsIn("copy");
        Files.writeString(copy.resolve("pom.xml"), "<revision>2.0</revision>\n");
        Path lib = Files.createDirectories(copy.resolve("bench/cli/target/lib"));
        Files.createFile(lib.resolve("server-1.0.jar"));
        String build = "mkdir -p '" + lib + "' && : >'" + lib + "/server-2.0.jar'";
        Ended ended = ended(building(copy, build, "serve", "--help").start());
        assertThat(ended.exitCode()).as("%s", ended).isZero();
        assertThat(ended.printed()).contains("/server-2.0.jar serve --help");
    }

    /** The build ends with Maven, which says that it failed. */
    @Test
    void whoWaitsForAnotherBuildIsToldAtOnce() throws Exception {
        assumeTrue(Files.isExecutable(FLOCK), () -> "there is no " + FLOCK);
        Path copy = scriptsIn("a copy");
        Path target = Files.createDirectory(copy.resolve("target"));
        Path lock = Files.writeString(target.resolve("hubmark.lock"), "4711\n");
        Process holder = new ProcessBuilder(FLOCK.toString(), lock.toString(), "cat").start();
        try (BufferedReader held = holder.inputReader(StandardCharsets.UTF_8)) {
            // It has the lock when it gives back what it was given.
            holder.outputWriter(StandardCharsets.UTF_8).append("held\n").flush();
            assertThat(held.readLine()).isEqualTo("held");
            Process waiting = building(copy, "exit 1", "--version").start();
            try (BufferedReader said = waiting.errorReader(StandardCharsets.UTF_8)) {
                assertThat(said.readLine())
                        .isEqualTo("waiting for another build, process 4711 ...");
                holder.outputWriter(StandardCharsets.UTF_8).close();
                assertThat(said.lines())
                        .startsWith(FIRST)
                        .anyMatch(line -> line.startsWith("hubmark: the build failed"));
            }
            assertThat(waiting.waitFor()).isEqualTo(1);
        } finally {
            holder.destroy();
        }
    }

    /** Whoever reads what is said reads its end, and the next one builds: no process holds output or lock. */
    @Test
    void anInterruptedBuildLeavesNeitherItsOutputNorItsLock() throws Exception {
        assumeTrue(Files.isExecutable(FLOCK), () -> "there is no " + FLOCK);
        Path copy = scriptsIn("a copy");
        String maven = "[ ! -e begun ] || exit 1\n: >begun\nexec sleep 60";
        ProcessBuilder builder = building(copy, maven, "--version");
        List<String> script = List.copyOf(builder.command());
        // A group of its own, which hears SIGINT as from a terminal, whoever started this test.
        builder.command(new ArrayList<>(List.of("env", "--default-signal=INT", "setsid")));
        builder.command().addAll(script);
        long began = System.nanoTime();
        Process interrupted = builder.start();
        await().atMost(Duration.ofMinutes(1)).until(() -> Files.exists(copy.resolve("begun")));
        assertThat(new ProcessBuilder("kill", "-INT", "--", "-" + interrupted.pid())
                        .start()
                        .waitFor())
                .isZero();
        Ended first = ended(interrupted);
        assertThat(first.exitCode()).isEqualTo(130);
        assertThat(first.complaint()).contains("building hubmark ...");
        Ended next = ended(builder.command(script).start());
        assertThat(next.exitCode()).isEqualTo(1);
        assertThat(next.complaint())
                .doesNotContain("waiting for another build")
                .contains("hubmark: the build failed");
        assertThat(System.nanoTime() - began).isLessThan(19_000_000_000L);
    }

    /** A sleep that is short stands for the 20 s; Maven is a script that builds until it was told of. */
    @Test
    void tellsHowFarABuildHasComeWhereThereIsNoTerminal() throws Exception {
        Path copy = scriptsIn("a copy");
        Path told = folder.resolve("told");
        executable(jdk.resolve("bin/sleep"), "echo \"$1\" >>" + told + "\nexec /bin/sleep 0.05");
        String maven = "echo '[INFO] Building Hubmark queue store  1.0   [3/17]'\n"
                + "until [ \"$(grep -c . " + told + ")\" -ge 4 ]; do /bin/sleep 0.05; done\nexit 1";
        Ended ended = ended(building(copy, maven, "--version").start());
        assertThat(ended.exitCode()).isEqualTo(1);
        assertThat(ended.errors())
                .startsWith(FIRST)
                .contains("  Hubmark queue store 1.0 [3/17], 40 s")
                .anyMatch(line -> line.startsWith("hubmark: the build failed"));
        assertThat(Files.readAllLines(told)).containsOnly("20");
    }

    /** The commands that the script does by itself take options like those of all others. */
    @ParameterizedTest
    @CsvFileSource(resources = "/script-options.csv", delimiter = '|')
    void readsItsOwnOptions(@Nullable String line, String arguments, String words)
            throws Exception {
        Path file = folder.resolve("test.properties");
        String old = jdk("jdk-17", "17.0.9").toString();
        String name = file.toString();
        Files.writeString(file, line == null ? "" : line.replace("@", name) + "\n");
        refused(
                2,
                words.replace("@", name).replace("'old'", "'" + old + "'"),
                SCRIPT,
                arguments.replace("@", name).replace("old", old).split(" +", -1));
    }

    private void refused(int exitCode, String words, Path script, String... arguments)
            throws Exception {
        Ended ended = ended(builder(script, arguments).start());
        assertThat(ended.exitCode()).as("%s", ended).isEqualTo(exitCode);
        assertThat(ended.complaint()).startsWith("hubmark: ").contains(words).hasLineCount(1);
    }

    private String started(Path script, Map<String, String> environment, String... arguments)
            throws Exception {
        ProcessBuilder builder = builder(script, arguments);
        builder.environment().putAll(environment);
        Ended ended = ended(builder.start());
        assertThat(ended).isEqualTo(new Ended(0, ended.out(), List.of()));
        return ended.printed().strip();
    }

    private static Ended ended(Process process) throws Exception {
        List<String> out = process.inputReader(StandardCharsets.UTF_8).lines().toList();
        List<String> errors =
                process.errorReader(StandardCharsets.UTF_8).lines().toList();
        return new Ended(process.waitFor(), out, errors);
    }

    private ProcessBuilder builder(Path script, String... arguments) {
        List<String> command = new ArrayList<>(List.of(script.toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().put("HUBMARK_BUILT", "1");
        return builder;
    }

    /** {@return what builds that copy of the scripts by a script in the place of Maven} */
    private ProcessBuilder building(Path copy, String maven, String... arguments)
            throws IOException {
        executable(jdk.resolve("bin/mvn"), maven);
        ProcessBuilder builder = builder(copy.resolve("hubmark"), arguments);
        builder.environment().remove("HUBMARK_BUILT");
        builder.environment().put("JAVA_HOME", jdk.toString());
        builder.environment().put("PATH", jdk + "/bin:" + System.getenv("PATH"));
        return builder;
    }

    private Path scriptsIn(String name) throws IOException {
        Path copy = Files.createDirectory(folder.resolve(name));
        copy(SCRIPT.resolveSibling("dev"), copy);
        copy(SCRIPT, copy);
        return copy;
    }

    private Path jdk(String name, String version) throws IOException {
        Path home = folder.resolve(name);
        Files.createDirectories(home.resolve("bin"));
        Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
        for (String tool : List.of("java", "javac")) {
            executable(home.resolve("bin").resolve(tool), "echo \"in $PWD: $0 $*\"");
        }
        return home;
    }

    private static void executable(Path file, String text) throws IOException {
        Files.writeString(file, "#!/bin/sh\n" + text + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }
}
