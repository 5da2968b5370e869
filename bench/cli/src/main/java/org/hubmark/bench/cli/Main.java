package org.hubmark.bench.cli;

import org.hubmark.bench.UserError;
import org.hubmark.bench.measure.hub.Program;
import org.hubmark.core.FileErrors;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** The command line {@code ./hubmark}. */
@Command(
        name = "hubmark",
        mixinStandardHelpOptions = true,
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
    static final Program PROGRAM = new Program(version(), ServerMain.class);

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
            ScriptCommands.Test.class,
            ScriptCommands.Install.class,
            ScriptCommands.Pack.class,
            ScriptCommands.Mvn.class,
            CompletionCommand.class,
            ManCommand.class,
            HelpCommand.class);

    /** Those that are about the others. */
    private static final Set<String> ABOUT_ALL = Set.of("completion", "man", "help");

    private static final int FAILED = 1;
    private static final int USAGE = 2;

    /** Known here for the help and the parser; what reads it runs before the parser. */
    @SuppressWarnings("UnusedVariable")
    @Option(
            names = "--config",
            paramLabel = "FILE",
            scope = ScopeType.INHERIT,
            description = "Properties file with options of the command, by their names without"
                    + " dashes; an option on the command line wins.")
    private @Nullable Path config;

    private final Program program;

    private Main(Program program) {
        this.program = program;
    }

    /** Runs one command and exits with its code. */
    public static void main(String[] arguments) {
        System.exit(execute(arguments));
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
        if (arguments.length > 0 && arguments[0].equals(ServeCommand.NAME)) {
            ServeCommand.preload();
        }
        CommandLine line = commandLine(program, arguments);
        try {
            return line.execute(PublishOptions.expand(
                    line, QuickForm.expand(ConfigFile.expand(line, arguments))));
        } catch (UserError error) {
            return say(line.getErr(), error.exitCode(), error.getMessage());
        }
    }

    /**
     * {@return the parser} It knows only the command that the arguments name, if they name one: to read
     * the options of all of them takes longer than to start a hub.
     */
    public static CommandLine commandLine(String... arguments) {
        return commandLine(PROGRAM, arguments);
    }

    private static CommandLine commandLine(Program program, String... arguments) {
        CommandLine line = new CommandLine(new Main(program));
        line.getCommandSpec().version("hubmark " + version());
        String first = arguments.length == 0 ? "" : arguments[0];
        List<Class<?>> named = COMMANDS.stream()
                .filter(command -> command.getAnnotation(Command.class).name().equals(first))
                .filter(command -> !ABOUT_ALL.contains(first))
                .toList();
        (named.isEmpty() ? COMMANDS : named).forEach(line::addSubcommand);
        line.registerConverter(Path.class, new Converters.Place());
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setDefaultValueProvider(new OwnDefaults());
        // Each command says --version with --help, so each must know it.
        line.getSubcommands()
                .values()
                .forEach(command -> command.getCommandSpec().version("hubmark " + version()));
        line.setParameterExceptionHandler((e, given) -> say(
                e.getCommandLine().getErr(),
                USAGE,
                e.getMessage() + Suggestions.of(e) + "; see "
                        + e.getCommandLine().getCommandSpec().qualifiedName() + " --help"));
        line.setParameterExceptionHandler(EnumChoices.named(line.getParameterExceptionHandler()));
        line.setExecutionExceptionHandler((e, command, parsed) -> {
            if (e instanceof UserError error) {
                return say(command.getErr(), error.exitCode(), error.getMessage());
            }
            if (e instanceof IOException io) {
                return say(command.getErr(), FAILED, FileErrors.text(io));
            }
            throw e;
        });
        return line;
    }

    /** {@return what starts the hubs that a command measures} */
    static Program program(CommandSpec spec) {
        return ((Main) spec.root().userObject()).program;
    }

    /** {@return what the jar's manifest says; "unpacked" when the classes are not in a jar} */
    public static String version() {
        String version = Main.class.getPackage().getImplementationVersion();
        return version == null ? "unpacked" : version;
    }

    private static int say(PrintWriter err, int exitCode, @Nullable String message) {
        err.println("hubmark: " + (message == null ? "" : message.replaceAll("\\s*\\R\\s*", " ")));
        err.flush();
        return exitCode;
    }
}
