package org.hubmark.bench.cli;

import org.hubmark.bench.machine.ControlGroup;
import org.hubmark.bench.machine.ProcessFamily;
import org.hubmark.bench.machine.ServerCpu;
import org.hubmark.bench.machine.kernel.HostFiles;
import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.hubmark.bench.machine.watch.TargetFacts;
import org.hubmark.bench.machine.watch.WatchProcess;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Where the counters of a server that isn't ours come from: this machine, or a watch on its own. */
final class ServerMachineOptions {
    @ArgGroup(exclusive = true)
    private @Nullable Source source;

    /** What counts the server's CPU time. */
    private static final class Source {
        @Option(
                names = "--target-processes",
                split = ",",
                paramLabel = "NAME",
                description = "Programs of the server.")
        private @Nullable List<String> processes;

        @Option(
                names = "--target-cgroup",
                paramLabel = "PATH",
                description = "Control group of the server on this machine.")
        private @Nullable String group;

        @Option(
                names = "--target-watch",
                paramLabel = "COMMAND",
                description = "Command that starts the watch: 'ssh HOST hubmark watch --stdio'.")
        private @Nullable String watch;
    }

    @Option(
            names = "--target-volume",
            split = ",",
            paramLabel = "[ROLE=]DIR",
            description = "Folders that the target writes to.")
    private @Nullable List<String> folders;

    /**
     * {@return what is known of the server; the caller's, who closes it} Starts the watch of a server on
     * another machine.
     *
     * @param others options that name a server which isn't ours
     * @param given whether they are given; else the server is ours and known
     */
    TargetFacts facts(String others, boolean given) throws IOException {
        if (!given && (source != null || folders != null)) {
            throw UserError.usage("--target-processes, --target-cgroup, --target-volume and"
                    + " --target-watch are for " + others
                    + "; without one the server is started here, and all of this is known");
        }
        if (source == null || source.watch == null) {
            return new TargetFacts(
                    source == null ? null : cpu(source.processes, source.group, "--target-"),
                    volumes("--target-volume", folders),
                    null);
        }
        if (folders != null) {
            throw UserError.usage("--target-volume doesn't go with --target-watch: its command says"
                    + " what is counted");
        }
        return TargetFacts.elsewhere(WatchProcess.start(source.watch));
    }

    /**
     * {@return volumes whose devices count what they do}
     *
     * @param given as [ROLE=]DIR; without a role the log volume
     */
    static List<VolumeDisclosure> volumes(String option, @Nullable List<String> given)
            throws IOException {
        List<VolumeDisclosure> all = new ArrayList<>();
        for (String one : given == null ? List.<String>of() : given) {
            int end = one.indexOf('=');
            String role = end < 0 ? "log" : one.substring(0, end);
            Path folder = Path.of(one.substring(end + 1));
            if (!role.matches("[A-Za-z0-9][A-Za-z0-9-]{0,29}")) {
                throw UserError.usage(option + " " + one
                        + ": a role is a word of letters, digits and dashes, 30 at most");
            }
            if (all.stream().anyMatch(other -> other.role().equals(role))) {
                throw UserError.usage(option + " names two folders for the role " + role
                        + "; give each its own, as in log=DIR,queue=DIR");
            }
            if (!Files.isDirectory(folder)) {
                throw UserError.usage(option + " " + folder + " is not a folder");
            }
            VolumeDisclosure found = VolumeDisclosure.of(role, folder);
            if (found.device() == null) {
                throw UserError.usage(option + " " + folder
                        + " has no block device whose writes could be counted");
            }
            all.add(found);
        }
        return all;
    }

    /**
     * {@return where CPU time of a server on this machine comes from; null when it isn't known}
     *
     * @param prefix that the names of both options begin with
     */
    static @Nullable ServerCpu cpu(
            @Nullable List<String> processes, @Nullable String group, String prefix) {
        if (group != null) {
            return ControlGroup.named(group, HostFiles.HERE, prefix + "cgroup");
        }
        return processes == null
                ? null
                : ProcessFamily.named(processes, HostFiles.HERE, prefix + "processes");
    }
}
