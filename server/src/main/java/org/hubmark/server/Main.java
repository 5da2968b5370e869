package org.hubmark.server;

import picocli.CommandLine;
import picocli.CommandLine.Command;

import java.util.List;

/** The command line {@code hubmark} of a server: what runs a hub and looks after its queue. */
@Command(
        name = "hubmark",
        description = "Runs a hub and looks after its queue.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:done",
            "1:failed, or a check found something wrong",
            "2:wrong usage; one line names the error and the remedy"
        })
public final class Main {
    /** In the order of the help. */
    private static final List<Class<?>> COMMANDS =
            List.of(ServeCommand.class, QueueCommand.class, CompletionCommand.class);

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
