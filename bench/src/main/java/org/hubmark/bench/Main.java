package org.hubmark.bench;

import org.hubmark.bench.command.MicroCommand;
import org.hubmark.bench.command.QueueCommand;
import org.hubmark.bench.command.ReportCommand;
import org.hubmark.bench.command.ServeCommand;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine;
import picocli.CommandLine.Command;

import java.io.PrintWriter;

/** The command line {@code ./hubmark}. */
@Command(
        name = "hubmark",
        mixinStandardHelpOptions = true,
        description = "Measures and runs durable mail queues.",
        subcommands = {
            ServeCommand.class,
            QueueCommand.class,
            ReportCommand.class,
            MicroCommand.class
        })
public final class Main {
    private Main() {}

    /** Runs one command and exits with its code. */
    public static void main(String[] arguments) {
        System.exit(execute(arguments));
    }

    static int execute(String... arguments) {
        CommandLine line = new CommandLine(new Main());
        line.getCommandSpec().version("hubmark " + version());
        line.setParameterExceptionHandler(
                (e, given) -> say(e.getCommandLine().getErr(), 2, e.getMessage()));
        line.setExecutionExceptionHandler((e, command, parsed) -> {
            if (e instanceof UserError error) {
                return say(command.getErr(), error.exitCode(), error.getMessage());
            }
            throw e;
        });
        return line.execute(arguments);
    }

    /** {@return what the jar's manifest says; "unpacked" when the classes are not in a jar} */
    private static String version() {
        String version = Main.class.getPackage().getImplementationVersion();
        return version == null ? "unpacked" : version;
    }

    private static int say(PrintWriter err, int exitCode, @Nullable String message) {
        err.println("hubmark: " + message);
        err.flush();
        return exitCode;
    }
}
