package org.hubmark.server;

import org.hubmark.core.FileErrors;
import org.hubmark.core.UserError;
import org.hubmark.queue.QueueStore;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;

/**
 * Reads the command line of {@code hubmark} and reports what is wrong with it, whichever commands
 * it has.
 */
public final class CommandParser {
    private static final int FAILED = 1;
    private static final int USAGE = 2;

    /** Frames of a stack that are shown. */
    private static final int FRAMES_MAX = 8;

    private CommandParser() {}

    /**
     * {@return the parser} It knows only the command that the arguments name, if they name one: to read
     * the options of all of them takes longer than to start a hub.
     *
     * @param main has the options of all commands
     * @param version as --version says it
     * @param commands in the order of the help
     */
    public static CommandLine of(
            Object main, String version, List<Class<?>> commands, String... arguments) {
        CommandLine line = new CommandLine(main);
        String first = arguments.length == 0 ? "" : arguments[0];
        List<Class<?>> named = commands.stream()
                .filter(command -> command.getAnnotation(Command.class).name().equals(first))
                // That one is about the others.
                .filter(command -> command != CompletionCommand.class)
                .toList();
        (named.isEmpty() ? commands : named).forEach(line::addSubcommand);
        Converters.register(line);
        line.setCaseInsensitiveEnumValuesAllowed(true);
        complete(line, "hubmark " + version);
        line.setParameterExceptionHandler((e, given) -> say(
                e.getCommandLine().getErr(),
                USAGE,
                problem(e) + "; see " + e.getCommandLine().getCommandSpec().qualifiedName()
                        + " --help"));
        line.setExecutionExceptionHandler((e, command, parsed) -> say(command.getErr(), e));
        return line;
    }

    /**
     * Gives a command, and those below it, what all have: --help with a short synopsis and the options in their
     * order, --version, and where there are options the one that names a file of them.
     */
    private static void complete(CommandLine command, String version) {
        CommandSpec spec = command.getCommandSpec();
        boolean hasOptions = !spec.options().isEmpty();
        spec.usageMessage().abbreviateSynopsis(true).sortOptions(false);
        spec.mixinStandardHelpOptions(true).version(version);
        if (hasOptions && command.getParent() != null && spec.subcommands().isEmpty()) {
            // ConfigFile reads it before the parser.
            spec.addOption(OptionSpec.builder("--config")
                    .paramLabel("FILE")
                    .type(Path.class)
                    .description(ConfigFile.DESCRIPTION)
                    .build());
        }
        command.getSubcommands().values().forEach(below -> complete(below, version));
    }

    /**
     * Runs one command and exits with its code. Whatever fails in whichever thread is one line on standard
     * error.
     */
    public static void exit(IntSupplier command) {
        TerminalOutput.guard();
        Thread.setDefaultUncaughtExceptionHandler((thread, e) -> {
            try {
                System.err.println("hubmark: " + oneLine(unexpected(e)));
            } finally {
                if (e instanceof VirtualMachineError) {
                    // Nobody knows which threads are left, so that waiting for them may never end.
                    try {
                        QueueStore.leaveAll();
                    } finally {
                        Runtime.getRuntime().halt(FAILED);
                    }
                }
            }
        });
        System.exit(TerminalOutput.written(command.getAsInt()));
    }

    /** {@return the exit code of one command, run} Its options may stand in a file too. */
    public static int execute(CommandLine line, String... arguments) {
        try {
            return line.execute(ConfigFile.expand(line, arguments));
        } catch (Throwable e) {
            return say(line.getErr(), e);
        }
    }

    /** {@return what is wrong with a command line; the parser's own words know no commands} */
    private static String problem(ParameterException e) {
        if (!(e instanceof UnmatchedArgumentException unmatched)
                || unmatched.getUnmatched().isEmpty()) {
            // Of groups of options it says itself that it is an error, and names fields of ours.
            return String.valueOf(e.getMessage())
                    .replaceFirst("^Error: ", "")
                    .replaceAll("=<\\w+>| \\(<\\w+>\\)", "");
        }
        String first = unmatched.getUnmatched().getFirst();
        boolean isCommand =
                !first.startsWith("-") && !e.getCommandLine().getSubcommands().isEmpty();
        // The parser finds something like any word; one that begins differently was not meant.
        String start = first.substring(0, Math.min(first.length(), isCommand ? 1 : 3));
        return (isCommand ? "there is no command '" + first + "'" : e.getMessage())
                + unmatched.getSuggestions().stream()
                        .filter(name -> name.startsWith(start))
                        .max(Comparator.comparingInt(
                                name -> Arrays.mismatch(name.toCharArray(), first.toCharArray())))
                        .map(name -> " (did you mean " + name + "?)")
                        .orElse("");
    }

    private static String oneLine(String message) {
        return message.replaceAll("\\s*\\R\\s*", " ");
    }

    private static int say(PrintWriter err, Throwable e) {
        return switch (e) {
            case UserError error -> say(err, error.exitCode(), error.getMessage());
            case IOException io -> say(err, FAILED, FileErrors.text(io));
            case UncheckedIOException io ->
                say(err, FAILED, FileErrors.text(Objects.requireNonNull(io.getCause())));
            default ->
                // The parser wraps what a method throws.
                say(err, FAILED, unexpected(e.getCause() instanceof Error error ? error : e));
        };
    }

    /** {@return what nobody foresaw, and where} */
    private static String unexpected(Throwable error) {
        return error instanceof OutOfMemoryError
                ? "out of memory, with at most "
                        + Runtime.getRuntime().maxMemory() / 1_000_000
                        + " MB of heap (" + error.getMessage()
                        + "): set more by HUBMARK_JAVA_OPTS=-Xmx"
                : "internal error: " + error
                        + Arrays.stream(error.getStackTrace())
                                .limit(FRAMES_MAX)
                                .map(frame -> " at " + frame)
                                .collect(Collectors.joining());
    }

    /** {@return what the manifest of a jar says; "unpacked" when the class is in none} */
    public static String version(Class<?> main) {
        String version = main.getPackage().getImplementationVersion();
        return version == null ? "unpacked" : version;
    }

    private static int say(PrintWriter err, int exitCode, @Nullable String message) {
        err.println("hubmark: " + (message == null ? "" : oneLine(message)));
        err.flush();
        return exitCode;
    }
}
