package org.hubmark.bench.cli;

import org.hubmark.bench.machine.watch.TargetFacts;
import org.hubmark.core.UserError;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** What a mail system spends: on this machine, or by a watch on its own. */
final class MailMachineOptions {
    @Mixin
    private ServerMachineOptions machine;

    @Option(
            names = "--target-volume",
            split = ",",
            paramLabel = "ROLE=DIR",
            description = "Folder on this machine that the target writes to; ROLE is a word for it.")
    private Map<String, Path> volumes = new TreeMap<>();

    /**
     * {@return what is known; the caller's, who closes it} Starts the watch.
     *
     * @param given whether there is a target; else the mail system is ours and known
     */
    TargetFacts facts(boolean given) throws IOException {
        for (String role : volumes.keySet()) {
            if (!role.matches("[A-Za-z0-9][A-Za-z0-9-]{0,29}")) {
                throw UserError.usage("--target-volume " + role + "=" + volumes.get(role)
                        + ": a role is a word of letters, digits and dashes, 30 at most");
            }
        }
        return machine.facts("--smtp and --imap", given, volumes);
    }
}
