package org.hubmark.bench.cli;

import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.hubmark.bench.machine.watch.TargetFacts;
import org.hubmark.bench.machine.watch.WatchedMachine;
import org.hubmark.core.UserError;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
            description = "Folders that the mail system writes to on this machine,"
                    + " each with a word for its content, such as queue or mailboxes."
                    + " Default: unknown.")
    private Map<String, Path> volumes = new TreeMap<>();

    /**
     * {@return what is known; the caller's, who closes it} Starts the watch.
     *
     * @param given whether there is a target; else the mail system is ours and known
     */
    TargetFacts facts(boolean given) throws IOException {
        if (!given && (machine.any() || !volumes.isEmpty())) {
            throw UserError.usage(
                    "--target-processes, --target-cgroup, --target-volume and"
                            + " --target-watch are for --smtp and --imap; without them the mail system is ours, and all of this is known");
        }
        WatchedMachine elsewhere = machine.elsewhere(!volumes.isEmpty());
        return elsewhere == null
                ? new TargetFacts(machine.cpu(), counted(), null)
                : TargetFacts.elsewhere(elsewhere);
    }

    private List<VolumeDisclosure> counted() throws IOException {
        List<VolumeDisclosure> all = new ArrayList<>();
        for (Map.Entry<String, Path> one : volumes.entrySet()) {
            String role = one.getKey();
            String named = "--target-volume " + role + "=" + one.getValue();
            if (!role.matches("[A-Za-z0-9][A-Za-z0-9-]{0,29}")) {
                throw UserError.usage(
                        named + ": a role is a word of letters, digits and dashes, 30 at most");
            }
            all.add(TargetOptions.counted(named, role, one.getValue()));
        }
        return all;
    }
}
