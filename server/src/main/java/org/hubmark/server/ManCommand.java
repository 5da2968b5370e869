package org.hubmark.server;

import org.hubmark.core.FileErrors;
import org.hubmark.core.OutputFile;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;

/** Prints or writes man pages. */
@Command(
        name = "man",
        mixinStandardHelpOptions = true,
        description = {
            "Prints the man page of a command, with the text of its --help:",
            "    ./hubmark man queue delete | man -l -",
            "Writes the pages of all commands, hubmark.1, hubmark-serve.1 and so on, if --to is given."
        })
public final class ManCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "COMMAND",
            arity = "0..*",
            description = "Command whose page is printed. Default: hubmark itself.")
    private List<String> names = List.of();

    @Option(
            names = "--to",
            paramLabel = "DIR",
            description = "Folder to write the pages of all commands to, made if absent, such as"
                    + " /usr/local/share/man/man1. Default: prints one page.")
    private @Nullable Path folder;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        if (folder == null) {
            out.print(ManPage.of(HelpCommand.named(spec, names)));
            out.flush();
            return 0;
        }
        if (!names.isEmpty()) {
            throw UserError.usage("--to writes the pages of all commands; name no command");
        }
        try {
            Files.createDirectories(folder);
            int written = write(folder, spec.root().commandLine());
            out.println(written + " man pages written to " + folder);
            out.flush();
            return 0;
        } catch (IOException e) {
            throw UserError.failed("can't write man pages: " + FileErrors.text(e));
        }
    }

    private static int write(Path folder, CommandLine command) throws IOException {
        OutputFile.write(folder.resolve(ManPage.name(command) + ".1"), ManPage.of(command));
        int written = 1;
        for (CommandLine below : command.getSubcommands().values()) {
            written += write(folder, below);
        }
        return written;
    }
}
