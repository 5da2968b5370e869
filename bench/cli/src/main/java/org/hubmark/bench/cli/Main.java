package org.hubmark.bench.cli;

import org.hubmark.bench.hub.Program;
import org.hubmark.server.CommandParser;
import org.hubmark.server.CompletionCommand;
import org.hubmark.server.PipedServer;
import org.hubmark.server.QueueCommand;
import org.hubmark.server.ServeCommand;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.RunLast;

import java.util.List;

/** The command line {@code ./hubmark}. */
@Command(
        name = "hubmark",
        description = "Runs and measures durable mail queues.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:done, and the result is valid",
            "1:failed, or the verdict is against the server",
            "2:wrong usage; one line names the error and the remedy",
            "3:ran, but the result is not valid; the reason is printed",
            "130:interrupted; the results so far are written"
        })
public final class Main {
    /** What sessions measure by, and start hubs of. */
    static final Program PROGRAM = new Program(version(), PipedServer.class);

    /** In the order of the help. */
    private static final List<Class<?>> COMMANDS = List.of(
            RunCommand.class,
            MatrixCommand.class,
            ServeCommand.class,
            LoadCommand.class,
            SinkCommand.class,
            WatchCommand.class,
            QueueCommand.class,
            VolumesCommand.class,
            DurabilityCommand.class,
            QualifyCommand.class,
            UsersCommand.class,
            PlanCommand.class,
            ClusterCommand.class,
            ScaleOutCommand.class,
            ReportCommand.class,
            CompareCommand.class,
            MicroCommand.class,
            CompletionCommand.class);

    private final Program program;

    private Main(Program program) {
        this.program = program;
    }

    /** Runs one command and exits with its code. */
    public static void main(String[] arguments) {
        CommandParser.exit(() -> execute(arguments));
    }

    static int execute(String... arguments) {
        return execute(PROGRAM, arguments);
    }

    /**
     * Runs one command.
     *
     * @param program that starts the hubs of those commands that measure hubs
     */
    static int execute(Program program, String... arguments) {
        return CommandParser.execute(commandLine(program, arguments), arguments);
    }

    /** {@return the parser} It knows only the command that the arguments name, if they name one. */
    public static CommandLine commandLine(String... arguments) {
        return commandLine(PROGRAM, arguments);
    }

    private static CommandLine commandLine(Program program, String... arguments) {
        CommandLine line = CommandParser.of(new Main(program), version(), COMMANDS, arguments);
        BenchConverters.register(line);
        OptionHelp.register(line);
        OwnDefaults defaults = new OwnDefaults();
        line.setDefaultValueProvider(defaults);
        line.setExecutionStrategy(given -> new RunLast().execute(defaults.completed(given)));
        return line;
    }

    /** {@return what starts the hubs that a command measures} */
    static Program program(CommandSpec spec) {
        return ((Main) spec.root().userObject()).program;
    }

    /** {@return what the manifest of the jar says; "unpacked" when the classes are in none} */
    public static String version() {
        return CommandParser.version(Main.class);
    }
}
