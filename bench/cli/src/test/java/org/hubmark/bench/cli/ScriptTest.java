package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Proves that the script hubmark takes a JDK that is new enough, leaves one that is not, gives each
 * only the flags that it knows, and keeps to the caller's directory. The JDKs are folders with a
 * release file and a java that prints how it was started.
 */
class ScriptTest {
    private static final Path SCRIPT =
            Path.of(System.getProperty("hubmark.root")).resolve("hubmark");

    private static final Path FLOCK = Path.of("/usr/bin/flock");

    @TempDir
    Path folder;

    @Test
    void takesTheJdkOfJavaHome() throws Exception {
        Path jdk = jdk("jdk-21", "21.0.2");
        String started = run(Map.of("JAVA_HOME", jdk.toString()), "run", "--sizes", "57KB");
        assertThat(started)
                .contains(jdk + "/bin/java")
                .contains("-jar " + SCRIPT.resolveSibling("bench/cli/target/hubmark.jar"))
                .endsWith("run --sizes 57KB");
    }

    @Test
    void leavesAJdkThatIsTooOldForTheOneOnThePath() throws Exception {
        Path old = jdk("jdk-17", "17.0.9");
        Path jdk = jdk("jdk-24", "24");
        String started = run(
                Map.of("JAVA_HOME", old.toString(), "PATH", jdk + "/bin:" + System.getenv("PATH")));
        assertThat(started).contains(jdk + "/bin/java");
    }

    @Test
    void aJreIsNoJdk() throws Exception {
        Path jre = jdk("jre-25", "25.0.1");
        Files.delete(jre.resolve("bin/javac"));
        Path jdk = jdk("jdk-22", "22");
        String started = run(
                Map.of("JAVA_HOME", jre.toString(), "PATH", jdk + "/bin:" + System.getenv("PATH")));
        assertThat(started).contains(jdk + "/bin/java");
    }

    @Test
    void theFlagThatSilencesUnsafeIsGivenOnlyWhereItIsKnown() throws Exception {
        String flag = "--sun-misc-unsafe-memory-access=allow";
        assertThat(run(Map.of("JAVA_HOME", jdk("a", "21.0.2").toString()))).doesNotContain(flag);
        assertThat(run(Map.of("JAVA_HOME", jdk("b", "25.0.1+9").toString()))).contains(flag);
    }

    @Test
    void optionsForTheJvmArePassedOn() throws Exception {
        String started = run(Map.of(
                "JAVA_HOME", jdk("jdk", "21").toString(), "HUBMARK_JAVA_OPTS", "-Xmx2g -Xint"));
        assertThat(started).contains(" -Xmx2g -Xint -jar ");
    }

    @Test
    void aHubGetsASmallHeapThatTheUserMayChange() throws Exception {
        Map<String, String> user =
                Map.of("JAVA_HOME", jdk("jdk", "21").toString(), "HUBMARK_JAVA_OPTS", "-Xmx1g");
        assertThat(run(SCRIPT, user, "serve")).containsSubsequence(" -Xmx256m ", " -Xmx1g ");
        assertThat(run(SCRIPT, user, "load")).doesNotContain("-Xmx256m");
    }

    /** It runs beside a server that is measured. */
    @Test
    void aWatchGetsAJvmThatCostsLittle() throws Exception {
        Map<String, String> user = Map.of("JAVA_HOME", jdk("jdk", "21").toString());
        assertThat(run(SCRIPT, user, "watch"))
                .containsSubsequence(" -XX:TieredStopAtLevel=1 ", "-Xmx64m ", "-jar ");
        assertThat(run(SCRIPT, user, "load")).doesNotContain("-XX:TieredStopAtLevel=1");
    }

    @Test
    void aHubGetsTheVectorModuleWhereTheRuntimeHasIt() throws Exception {
        String flag = "--add-modules=jdk.incubator.vector";
        Path whole = jdk("whole", "21.0.2");
        Path trimmed = jdk("trimmed", "21.0.2");
        Path other = jdk("other", "21.0.2");
        modules(whole, "java.base jdk.incubator.vector jdk.net");
        modules(trimmed, "java.base jdk.net");
        modules(other, "java.base jdk.incubator.vectors");
        Map<String, String> users = Map.of("JAVA_HOME", whole.toString());
        assertThat(run(SCRIPT, users, "serve")).contains(" " + flag + " ");
        assertThat(run(SCRIPT, users, "load")).doesNotContain(flag);
        for (Path jdk : List.of(trimmed, other, jdk("untold", "21.0.2"))) {
            assertThat(run(SCRIPT, Map.of("JAVA_HOME", jdk.toString()), "serve"))
                    .contains(" -Xmx256m ")
                    .doesNotContain("--add-modules");
        }
    }

    /** A JDK that is too old, and a folder that holds none at all. */
    @Test
    void testsRunOnNoRuntimeThatIsTooOldOrMissing() throws Exception {
        for (Path runtime : List.of(jdk("jdk-17", "17.0.9"), folder.resolve("none"))) {
            Process process = start(SCRIPT, Map.of(), "test", "--jvm", runtime.toString());
            String said =
                    new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).isEqualTo(2);
            assertThat(said.strip())
                    .isEqualTo(
                            "hubmark: --jvm '" + runtime
                                    + "' is not the folder of a Java runtime 21 or newer (with bin/java in it)");
        }
    }

    @Test
    void worksThroughALinkAndStaysInTheCallersDirectory() throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("link"), SCRIPT);
        String started = run(link, Map.of("JAVA_HOME", jdk("jdk", "21").toString()), "a b");
        Files.delete(link);
        assertThat(started)
                .contains("in " + folder.toRealPath() + ":")
                .contains("-jar " + SCRIPT.resolveSibling("bench/cli/target/hubmark.jar"))
                .endsWith(" a b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"test", "package"})
    void anUnknownOptionOfWhatTheScriptDoesIsWrongUsage(String command) throws Exception {
        Process process = start(SCRIPT, Map.of(), command, "--lnog");
        String said = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isEqualTo(2);
        assertThat(said.strip())
                .isEqualTo("hubmark: unknown option '--lnog' of " + command + "; see dev " + command
                        + " --help");
    }

    /** As it is unpacked: with a runtime, and without sources. */
    @Test
    void aPackageRunsOnItsOwnRuntime() throws Exception {
        Path home = Files.move(
                jdk("runtime", "21.0.2"),
                makePackage("hubmark.jar", "lib/server-1.0.jar").resolve("runtime"));
        Files.delete(home.resolve("bin/javac"));
        Path script = home.resolveSibling("hubmark");
        Map<String, String> user = Map.of("JAVA_HOME", jdk("other", "25").toString());
        assertThat(run(script, user, "serve"))
                .contains(home + "/bin/java ")
                .contains(" -Xmx256m ", " -Djava.library.path=" + home.getParent() + "/lib/native ")
                .contains(" -jar " + home.getParent() + "/lib/lib/server-1.0.jar serve");
        assertThat(run(script, user, "run"))
                .contains(" -jar " + home.getParent() + "/lib/hubmark.jar run");
        for (String command : List.of("test", "package")) {
            Process process = start(script, user, command);
            String said =
                    new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).isEqualTo(1);
            assertThat(said).startsWith("hubmark: " + command + " needs the sources");
        }
    }

    /** It has one jar of ours to start, whatever the command. */
    @Test
    void aPackageOfAServerStartsTheServer() throws Exception {
        Path home = makePackage("server-1.0.jar");
        Files.move(jdk("runtime", "25.0.1"), home.resolve("runtime"));
        Path script = home.resolve("hubmark");
        assertThat(run(script, Map.of(), "serve"))
                .contains(" -jar " + home + "/lib/server-1.0.jar serve");
        for (String command : List.of("queue", "volumes", "qualify")) {
            assertThat(run(script, Map.of(), command))
                    .contains(" -jar " + home + "/lib/server-1.0.jar " + command);
        }
    }

    private Path makePackage(String... jars) throws IOException {
        Path home = folder.toRealPath().resolve("a package");
        Path options = Files.createDirectories(home.resolve("lib/jvm"));
        Files.createDirectories(home.resolve("lib/lib"));
        for (String jar : jars) {
            Files.createFile(home.resolve("lib").resolve(jar));
        }
        Files.copy(SCRIPT, home.resolve("hubmark"), StandardCopyOption.COPY_ATTRIBUTES);
        for (String name : List.of("java.options", "serve.options")) {
            Files.copy(
                    SCRIPT.resolveSibling("bench/hub/src/main/resources/jvm").resolve(name),
                    options.resolve(name));
        }
        return home;
    }

    private Path jdk(String name, String version) throws IOException {
        Path home = folder.toRealPath().resolve(name);
        Files.createDirectories(home.resolve("bin"));
        Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
        for (String tool : List.of("java", "javac")) {
            executable(home.resolve("bin").resolve(tool), "#!/bin/sh\necho \"in $PWD: $0 $*\"\n");
        }
        return home;
    }

    private static void executable(Path file, String text) throws IOException {
        Files.writeString(file, text);
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private static void modules(Path jdk, String names) throws IOException {
        Files.writeString(
                jdk.resolve("release"), "MODULES=\"" + names + "\"\n", StandardOpenOption.APPEND);
    }

    /** In the locale C, and in one that is not installed, a JVM has no file names but those in ASCII. */
    @ParameterizedTest
    @CsvSource({
        "C, , C.UTF-8",
        "'', POSIX, C.UTF-8",
        "xx_XX.UTF-8, C.UTF-8, C.UTF-8",
        "'', xx_XX.UTF-8, C.UTF-8",
        "'', C.UTF-8, ''",
        "C.utf8, C, C.utf8"
    })
    void aLocaleWithoutUtf8IsReplaced(String all, @Nullable String lang, String seen)
            throws Exception {
        Path jdk = jdk("jdk", "21");
        Files.writeString(jdk.resolve("bin/java"), "#!/bin/sh\necho \"$LC_ALL\"\n");
        Map<String, String> user = Map.of(
                "JAVA_HOME",
                jdk.toString(),
                "LC_ALL",
                all,
                "LC_CTYPE",
                "",
                "LANG",
                lang == null ? "" : lang);
        assertThat(run(user)).isEqualTo(seen);
    }

    @Test
    void aPathWithAColonIsNamed() throws Exception {
        Path copy = Files.createDirectories(folder.toRealPath().resolve("10:30"));
        Path script = scriptsIn(copy);
        refused(start(script, Map.of(), "--version"), "hubmark: the path " + copy + " has a colon");
    }

    @Test
    void aWorkingFolderThatIsGoneIsNamed() throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                "sh",
                "-c",
                "mkdir gone && cd gone && rmdir ../gone && exec \"$0\" --version",
                SCRIPT.toString());
        builder.directory(folder.toFile()).environment().put("HUBMARK_BUILT", "1");
        Process process = builder.start();
        // A shell says that, too.
        assertThat(process.errorReader(StandardCharsets.UTF_8).lines().toList())
                .contains("hubmark: the working folder has been removed; change to one that is"
                        + " there");
        assertThat(process.waitFor()).isEqualTo(1);
    }

    /** There is a file in the place of the folder of the build. */
    @Test
    void aCheckoutThatCannotBeWrittenIsNotBuilt() throws Exception {
        Path copy = Files.createDirectories(folder.toRealPath().resolve("copy"));
        Path script = scriptsIn(copy);
        Files.createFile(copy.resolve("target"));
        Path jdk = jdk("jdk", "21");
        Path maven = Files.writeString(jdk.resolve("bin/mvn"), "#!/bin/sh\nexit 0\n");
        assertThat(maven.toFile().setExecutable(true)).isTrue();
        ProcessBuilder builder = new ProcessBuilder(script.toString(), "--version");
        builder.environment().remove("HUBMARK_BUILT");
        builder.environment().put("JAVA_HOME", jdk.toString());
        builder.environment().put("PATH", jdk + "/bin:" + System.getenv("PATH"));
        refused(builder.start(), "hubmark: " + copy + "/target can't be written by this user");
    }

    /** The jar of a version stays where it was built when the sources become those of another one. */
    @Test
    void aBuildLeavesNoLibraryOfAnotherVersion() throws Exception {
        Path copy = Files.createDirectory(folder.toRealPath().resolve("copy"));
        Path script = scriptsIn(copy);
        Files.createDirectory(copy.resolve("hubmark-bom"));
        Files.writeString(copy.resolve("hubmark-bom/pom.xml"), "<version>2.0</version>\n");
        Path lib = Files.createDirectories(copy.resolve("bench/cli/target/lib"));
        Files.createFile(lib.resolve("server-1.0.jar"));
        Path jdk = jdk("jdk", "21");
        String build = "mkdir -p '" + lib + "' && : >'" + lib + "/server-2.0.jar'";
        executable(jdk.resolve("bin/mvn"), "#!/bin/sh\n" + build + "\n");
        ProcessBuilder builder = new ProcessBuilder(script.toString(), "serve", "--help");
        builder.environment().remove("HUBMARK_BUILT");
        builder.environment().put("JAVA_HOME", jdk.toString());
        builder.environment().put("PATH", jdk + "/bin:" + System.getenv("PATH"));
        Process process = builder.start();
        assertThat(process.inputReader(StandardCharsets.UTF_8).lines())
                .anyMatch(line -> line.contains("/server-2.0.jar serve --help"));
        assertThat(process.waitFor()).isZero();
    }

    private static Path scriptsIn(@Nullable Path copy) throws IOException {
        Path into = Objects.requireNonNull(copy);
        for (String name : List.of("dev", "hubmark")) {
            Files.copy(
                    SCRIPT.resolveSibling(name),
                    into.resolve(name),
                    StandardCopyOption.COPY_ATTRIBUTES);
        }
        return into.resolve("hubmark");
    }

    private static void refused(Process process, String words) throws Exception {
        String said = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isEqualTo(1);
        assertThat(said).startsWith(words).hasLineCount(1);
    }

    /** The JDK and Maven are scripts; the build ends with Maven, which says that it failed. */
    @Test
    void whoWaitsForAnotherBuildIsToldAtOnce() throws Exception {
        assumeTrue(Files.isExecutable(FLOCK), () -> "there is no " + FLOCK);
        Path copy = Files.createDirectories(folder.toRealPath().resolve("a copy/target"));
        Path script = scriptsIn(copy.getParent());
        Path lock = Files.writeString(copy.resolve("hubmark.lock"), "4711\n");
        Path jdk = jdk("jdk", "21");
        executable(jdk.resolve("bin/mvn"), "#!/bin/sh\nexit 1\n");
        Process holder = new ProcessBuilder(FLOCK.toString(), lock.toString(), "cat").start();
        try (BufferedReader held = holder.inputReader(StandardCharsets.UTF_8)) {
            // It has the lock when it gives back what it was given.
            holder.outputWriter(StandardCharsets.UTF_8).append("held\n").flush();
            assertThat(held.readLine()).isEqualTo("held");
            ProcessBuilder builder = new ProcessBuilder(script.toString(), "--version");
            builder.environment().remove("HUBMARK_BUILT");
            builder.environment().put("JAVA_HOME", jdk.toString());
            builder.environment().put("PATH", jdk + "/bin:" + System.getenv("PATH"));
            Process waiting = builder.start();
            try (BufferedReader said = waiting.errorReader(StandardCharsets.UTF_8)) {
                assertThat(said.readLine())
                        .isEqualTo("waiting for another build, process 4711 ...");
                holder.outputWriter(StandardCharsets.UTF_8).close();
                assertThat(said.lines())
                        .startsWith("building hubmark ... (the first time, Maven may download"
                                + " for some minutes)")
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
        Path copy = Files.createDirectory(folder.toRealPath().resolve("a copy"));
        Path script = scriptsIn(copy);
        Path jdk = jdk("jdk", "21");
        executable(
                jdk.resolve("bin/mvn"),
                "#!/bin/sh\n[ ! -e begun ] || exit 1\n: >begun\nexec sleep 60\n");
        // A group of its own, which hears SIGINT as from a terminal, whoever started this test.
        ProcessBuilder builder = new ProcessBuilder(
                "env", "--default-signal=INT", "setsid", script.toString(), "--version");
        builder.environment().remove("HUBMARK_BUILT");
        builder.environment().put("JAVA_HOME", jdk.toString());
        builder.environment().put("PATH", jdk + "/bin:" + System.getenv("PATH"));
        long began = System.nanoTime();
        Process interrupted = builder.start();
        await().atMost(Duration.ofMinutes(1)).until(() -> Files.exists(copy.resolve("begun")));
        assertThat(new ProcessBuilder("kill", "-INT", "--", "-" + interrupted.pid())
                        .start()
                        .waitFor())
                .isZero();
        assertThat(interrupted.errorReader(StandardCharsets.UTF_8).lines())
                .anyMatch(line -> line.startsWith("building hubmark ..."));
        assertThat(interrupted.waitFor()).isEqualTo(130);
        builder.command(script.toString(), "--version");
        Process next = builder.start();
        assertThat(next.errorReader(StandardCharsets.UTF_8).lines())
                .noneMatch(line -> line.startsWith("waiting for another build"))
                .anyMatch(line -> line.startsWith("hubmark: the build failed"));
        assertThat(next.waitFor()).isEqualTo(1);
        assertThat(System.nanoTime() - began).isLessThan(19_000_000_000L);
    }

    /** A sleep that is short stands for the 20 s; Maven is a script that builds until it was told of. */
    @Test
    void tellsHowFarABuildHasComeWhereThereIsNoTerminal() throws Exception {
        Path copy = Files.createDirectory(folder.toRealPath().resolve("a copy"));
        Path script = scriptsIn(copy);
        Path jdk = jdk("jdk", "21");
        Path told = folder.toRealPath().resolve("told");
        executable(
                jdk.resolve("bin/sleep"),
                "#!/bin/sh\necho \"$1\" >>" + told + "\nexec /bin/sleep 0.05\n");
        executable(
                jdk.resolve("bin/mvn"),
                "#!/bin/sh\n"
                        + "echo '[INFO] Building Hubmark queue store  1.0   [3/17]'\n"
                        + "until [ \"$(grep -c . " + told
                        + ")\" -ge 4 ]; do /bin/sleep 0.05; done\nexit 1\n");
        ProcessBuilder builder = new ProcessBuilder(script.toString(), "--version");
        builder.environment().remove("HUBMARK_BUILT");
        builder.environment().put("JAVA_HOME", jdk.toString());
        builder.environment().put("PATH", jdk + "/bin:" + System.getenv("PATH"));
        Process building = builder.start();
        try (BufferedReader said = building.errorReader(StandardCharsets.UTF_8)) {
            assertThat(said.lines())
                    .startsWith("building hubmark ... (the first time, Maven may download for some"
                            + " minutes)")
                    .contains("  Hubmark queue store 1.0 [3/17], 40 s")
                    .anyMatch(line -> line.startsWith("hubmark: the build failed"));
        }
        assertThat(building.waitFor()).isEqualTo(1);
        assertThat(Files.readAllLines(told)).containsOnly("20");
    }

    /** The commands that the script does by itself take options like those of all others. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "long=1                 | x                     | unknown option 'x' of test",
                "long=1                 | --config @            | @: long is true or false",
                "modul=hub              | --config=@            | @: unknown option modul",
                "module:                | --config @            | @: module needs a value",
                "jvm = @/none           | --config @            | --jvm '@/none' is not the folder",
                "jvm = @/none           | --config @ --jvm=@/no | --jvm '@/no' is not the folder",
                "# jvm=x                | --jvm @/a --config @  | --jvm '@/a' is not the folder",
                "                       | --config @/x          | @/x can't be read",
                "test = no such true    | --config @ --jvm=@/no | --jvm '@/no' is not the folder",
                "                       | --                    | unknown option '--' of test",
                "                       | --module              | --module needs a value",
                "                       | --module=             | --module needs a value",
                "                       | --long=yes            | --long takes no value",
                "system=yes             | --config=@            | @: system is true or false",
                "                       | --module=hub,nonsense | there is no module 'nonsense'; the modules are ",
                "                       | --with-dependents     | --with-dependents needs --module",
                "                       | --system --module=hub | --system has a module of its own",
            })
    void readsItsOwnOptions(@Nullable String line, String arguments, String words)
            throws Exception {
        Path file = folder.resolve("test.properties");
        String name = file.toString();
        Files.writeString(file, line == null ? "" : line.replace("@", name) + "\n");
        List<String> all = new ArrayList<>(List.of("test"));
        all.addAll(List.of(arguments.replace("@", name).split(" ", -1)));
        Process process = start(SCRIPT, Map.of(), all.toArray(String[]::new));
        String said = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(said)
                .startsWith("hubmark: ")
                .contains(words.replace("@", name))
                .hasLineCount(1);
        assertThat(process.waitFor()).isEqualTo(2);
    }

    private String run(Map<String, String> environment, String... arguments) throws Exception {
        return run(SCRIPT, environment, arguments);
    }

    private String run(Path script, Map<String, String> environment, String... arguments)
            throws Exception {
        Process process = start(script, environment, arguments);
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(err).isZero();
        assertThat(err).isEmpty();
        return out.strip();
    }

    private Process start(Path script, Map<String, String> environment, String... arguments)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(script.toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toRealPath().toFile());
        builder.environment().putAll(environment);
        builder.environment().put("HUBMARK_BUILT", "1");
        return builder.start();
    }
}
