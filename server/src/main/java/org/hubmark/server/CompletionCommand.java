package org.hubmark.server;

import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.util.concurrent.Callable;

/** Prints what a shell completes commands and options by. */
@Command(
        name = "completion",
        description = {
            "Prints a script that makes bash and zsh complete commands and options. For one session:",
            "    source <(./hubmark completion)",
            "Written to /etc/bash_completion.d/hubmark, the script works in all sessions."
        })
public final class CompletionCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        out.print(AutoComplete.bash("hubmark", spec.root().commandLine()));
        out.flush();
        return 0;
    }
}
