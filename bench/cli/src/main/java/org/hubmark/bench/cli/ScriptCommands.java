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
                description = "Runs the tests that judge processes, devices and clusters from"
                        + " outside instead. Default: those that need one JVM.")
        private boolean system;

        @Option(
                names = "--long",
                description = "Runs the tests that take minutes each too. Default: skips them.")
        private boolean isLong;

        @Option(
                names = "--module",
                paramLabel = "NAME[,NAME...]",
                description =
                        "Modules whose tests are compiled and run (hub, bench/load; bench for all"
                                + " below it). Default: all.")
        private @Nullable String modules;

        @Option(
                names = "--with-dependents",
                description = "Runs the tests of the modules that depend on --module too."
                        + " Default: skips them.")
        private boolean withDependents;

        @Option(
                names = "--test",
                paramLabel = "PATTERN",
                description = "Pattern of the tests to run (SettingsTest, *Store*). Default: all.")
        private @Nullable String tests;

        @Option(
                names = "--jvm",
                paramLabel = "DIR",
                description = "Folder of the Java runtime to run the tests on, 21 or newer."
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
            description =
                    "Installs the artifacts for other projects in the local Maven repository.")
    @SuppressWarnings("UnusedVariable")
    static final class Install implements Callable<Integer> {
        @Option(
                names = "--repository",
                paramLabel = "DIR",
                description = "Local repository to install in. Default: Maven's own.")
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
                    "Packs Hubmark and a Java runtime into one archive, for machines like this one without"
                            + " JDK, Maven, git and sources.")
    @SuppressWarnings("UnusedVariable")
    static final class Pack implements Callable<Integer> {
        @Option(names = "--lab", description = "Packs all commands. Default: this form.")
        private boolean lab;

        @Option(
                names = "--server",
                description = "Packs the hub alone: serve, queue and volumes plan, without the"
                        + " measuring commands. Default: all commands.")
        private boolean server;

        @Option(
                names = "--reproducible",
                description = "Leaves out the archive that hubs start from, which differs at each"
                        + " packing, so that the same sources and the same JDK give the same file."
                        + " Default: packs it.")
        private boolean reproducible;

        @Option(
                names = "--output",
                paramLabel = "FILE",
                description =
                        "File to write. Default: target/hubmark-lab-VERSION-linux-ARCHITECTURE.tar.gz,"
                                + " with --server"
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
            description =
                    "Runs Maven at the top of the sources, with the JDK that the script finds.")
    @SuppressWarnings("UnusedVariable")
    static final class Mvn implements Callable<Integer> {
        @Parameters(paramLabel = "ARGUMENT", arity = "0..*", description = "Arguments of Maven.")
        private List<String> arguments = List.of();

        @Override
        public Integer call() {
            throw ofTheScript("mvn");
        }
    }

    private static UserError ofTheScript(String name) {
        return UserError.usage("the script does this: ./hubmark " + name);
    }
}
