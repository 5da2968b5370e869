package org.hubmark.bench.cli;

import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.util.List;
import java.util.concurrent.Callable;

/**
 * What the script {@code ./hubmark} does by itself, since it needs no build or makes one: known here for
 * the help, the completion and the man pages.
 */
final class ScriptCommands {
    private ScriptCommands() {}

    /** The test suite. */
    @Command(
            name = "test",
            mixinStandardHelpOptions = true,
            description =
                    "Builds from the sources, with all checks, and runs the tests that need one"
                            + " JVM: eight minutes on two cores.")
    @SuppressWarnings("UnusedVariable") // Their names and descriptions are what is needed.
    static final class Test implements Callable<Integer> {
        @Option(
                names = "--system",
                description = "Instead of them the tests that judge processes, devices and"
                        + " clusters from outside. Default: without them.")
        private boolean system;

        @Option(
                names = "--long",
                description = "Also the tests that take long. Default: without them.")
        private boolean isLong;

        @Option(
                names = "--module",
                paramLabel = "NAME[,NAME...]",
                description = "Compiles and runs the tests of these modules alone (hub, bench/load;"
                        + " bench: all below it). Default: all.")
        private @Nullable String modules;

        @Option(
                names = "--with-dependents",
                description = "With --module: also the tests of the modules that depend on"
                        + " these. Default: without them.")
        private boolean withDependents;

        @Option(
                names = "--test",
                paramLabel = "PATTERN",
                description = "Only these tests (SettingsTest, *Store*). Default: all.")
        private @Nullable String tests;

        @Option(
                names = "--jvm",
                paramLabel = "DIR",
                description = "Runs the tests on the Java runtime there, 21 or newer."
                        + " Default: the JDK that builds.")
        private @Nullable String jvm;

        @Override
        public Integer call() {
            throw ofTheScript("test");
        }
    }

    /** The artifacts for other projects. */
    @Command(
            name = "install",
            mixinStandardHelpOptions = true,
            description = "Puts the artifacts that other projects can use into the local Maven"
                    + " repository.")
    @SuppressWarnings("UnusedVariable")
    static final class Install implements Callable<Integer> {
        @Option(
                names = "--repository",
                paramLabel = "DIR",
                description = "Another local repository than Maven's own. Default: Maven's own.")
        private @Nullable String repository;

        @Override
        public Integer call() {
            throw ofTheScript("install");
        }
    }

    /** One tar for other machines. */
    @Command(
            name = "package",
            mixinStandardHelpOptions = true,
            description =
                    "Packs what runs and a Java runtime into one tar, for machines like this one"
                            + " that have no JDK, no Maven, no git and no sources.")
    @SuppressWarnings("UnusedVariable")
    static final class Pack implements Callable<Integer> {
        @Option(names = "--lab", description = "All commands. Default: these.")
        private boolean lab;

        @Option(
                names = "--server",
                description = "The hub alone: serve, queue and volumes plan, without anything"
                        + " that measures. Default: all commands.")
        private boolean server;

        @Option(
                names = "--output",
                paramLabel = "FILE",
                description =
                        "The tar. Default: target/hubmark-VERSION-linux-ARCHITECTURE.tar.gz, with"
                                + " --server"
                                + " target/hubmark-server-VERSION-linux-ARCHITECTURE.tar.gz.")
        private @Nullable String output;

        @Override
        public Integer call() {
            throw ofTheScript("package");
        }
    }

    /** Maven. */
    @Command(
            name = "mvn",
            description = "Runs Maven at the top of the sources, by the JDK that the script finds.")
    @SuppressWarnings("UnusedVariable")
    static final class Mvn implements Callable<Integer> {
        @Parameters(paramLabel = "ARGUMENT", arity = "0..*", description = "As Maven takes them.")
        private List<String> arguments = List.of();

        @Override
        public Integer call() {
            throw ofTheScript("mvn");
        }
    }

    private static UserError ofTheScript(String name) {
        return UserError.usage(name + " is done by the script: ./hubmark " + name);
    }
}
