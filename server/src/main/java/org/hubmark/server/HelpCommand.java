package org.hubmark.server;

import org.hubmark.core.UserError;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.util.List;
import java.util.concurrent.Callable;

/** The same as {@code --help} of a command. */
@Command(
        name = "help",
        mixinStandardHelpOptions = true,
        description = "Shows the help of a command, as its --help does: help queue delete.")
public final class HelpCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "COMMAND",
            arity = "0..*",
            description = "Command to explain. Default: all.")
    private List<String> names = List.of();

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        named(spec, names).usage(spec.commandLine().getOut());
        return 0;
    }

    /** {@return the command of these names, from the top} */
    static CommandLine named(CommandSpec asking, List<String> names) {
        CommandLine command = asking.root().commandLine();
        for (String name : names) {
            CommandLine next = command.getSubcommands().get(name);
            if (next == null) {
                throw UserError.usage("there is no command '" + name + "'"
                        + Suggestions.of(name, command.getSubcommands().keySet()) + "; see "
                        + command.getCommandSpec().qualifiedName() + " --help");
            }
            command = next;
        }
        return command;
    }
}
