package org.hubmark.bench.cli;

import org.hubmark.bench.machine.ControlGroup;
import org.hubmark.bench.machine.HostFiles;
import org.hubmark.bench.machine.NamedProcesses;
import org.hubmark.bench.machine.ServerCpu;
import org.hubmark.bench.machine.watch.WatchProcess;
import org.hubmark.bench.machine.watch.WatchedMachine;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Option;

import java.util.List;

/** Where the counters of a server that isn't ours come from: this machine, or a watch on its own. */
final class ServerMachineOptions {
    @Option(
            names = "--target-processes",
            split = ",",
            paramLabel = "NAME",
            description = "Programs of the server on this machine: the CPU time of them and their"
                    + " descendants is the server's. Default: unknown.")
    private @Nullable List<String> processes;

    @Option(
            names = "--target-cgroup",
            paramLabel = "PATH",
            description =
                    "Control group of the server, in place of --target-processes: all CPU time"
                            + " in it is the server's, exactly. Default: unknown.")
    private @Nullable String group;

    @Option(
            names = "--target-watch",
            paramLabel = "COMMAND",
            description = "Command that starts 'hubmark watch --stdio' on the server's machine and"
                    + " hands the pipe through, such as 'ssh HOST hubmark watch --stdio --processes"
                    + " master'; run by sh -c. The counters give the figures of the server."
                    + " Default: none.")
    private @Nullable String watch;

    /** {@return whether one of them is given} */
    boolean any() {
        return processes != null || group != null || watch != null;
    }

    /**
     * {@return the server's machine; the caller's, who closes it; null where it is this one} Starts the
     * watch.
     *
     * @param volumes whether volumes of this machine are named
     */
    @Nullable
    WatchedMachine elsewhere(boolean volumes) {
        if (processes != null && group != null) {
            throw UserError.usage("--target-processes and --target-cgroup exclude each other");
        }
        if (watch == null) {
            return null;
        }
        if (processes != null || group != null || volumes) {
            throw UserError.usage("--target-processes, --target-cgroup and --target-volume don't go"
                    + " with --target-watch: its command says what is counted");
        }
        return WatchProcess.start(watch);
    }

    /** {@return where CPU time of a server on this machine comes from; null when it isn't known} */
    @Nullable
    ServerCpu cpu() {
        return cpu(processes, group, "--target-");
    }

    /** {@return the same by one of two options} Their names begin with the prefix. */
    static @Nullable ServerCpu cpu(
            @Nullable List<String> processes, @Nullable String group, String prefix) {
        if (group != null) {
            return ControlGroup.at(group, HostFiles.HERE, prefix + "cgroup");
        }
        return processes == null
                ? null
                : NamedProcesses.named(processes, HostFiles.HERE, prefix + "processes");
    }
}
