package org.hubmark.server;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

import java.nio.file.Path;
import java.util.List;

/** The command line {@code hubmark} of a server: what runs a hub and looks after its queue. */
@Command(
        name = "hubmark",
        mixinStandardHelpOptions = true,
        description = "Runs a hub and looks after its queue.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:done",
            "1:failed, or a check found something wrong",
            "2:wrong usage; one line names the error and the remedy"
        })
public final class Main {
    /** In the order of the help. */
    private static final List<Class<?>> COMMANDS = List.of(
            ServeCommand.class,
            QueueCommand.class,
            CompletionCommand.class,
            HelpCommand.class);

    /** Known here for the help and the parser; {@link ConfigFile} reads it before the parser. */
    @SuppressWarnings("UnusedVariable")
    @Option(
            names = "--config",
            paramLabel = "FILE",
            scope = ScopeType.INHERIT,
            description = ConfigFile.DESCRIPTION)
    private @Nullable Path config;

    private Main() {}

    /** Runs one command and exits with its code. */
    public static void main(String[] arguments) {
        CommandParser.exit(() -> execute(arguments));
    }

    static int execute(String... arguments) {
        return CommandParser.execute(commandLine(arguments), arguments);
    }

    static CommandLine commandLine(String... arguments) {
        return CommandParser.of(new Main(), CommandParser.version(Main.class), COMMANDS, arguments);
    }
}
