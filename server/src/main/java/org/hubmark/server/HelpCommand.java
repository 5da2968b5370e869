package org.hubmark.server;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

import java.util.List;
import java.util.concurrent.Callable;

/** The same as {@code --help} of a command. */
@Command(
        name = "help",
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
        CommandLine command = spec.root().commandLine();
        for (String name : names) {
            CommandLine next = command.getSubcommands().get(name);
            if (next == null) {
                throw new UnmatchedArgumentException(command, List.of(name));
            }
            command = next;
        }
        command.usage(spec.commandLine().getOut());
        return 0;
    }
}
