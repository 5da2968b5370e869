package org.hubmark.bench.cli;

import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.hubmark.bench.machine.volumes.Volumes;
import org.hubmark.bench.machine.watch.TargetFacts;
import org.hubmark.bench.machine.watch.WatchedMachine;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What can be said of a target: on this machine, or of how its own machine is asked. */
final class TargetOptions {
    @Mixin
    private ServerMachineOptions machine;

    @Option(
            names = "--target-volume",
            paramLabel = "DIR",
            description = "Folder that the target writes to on this machine: the log columns"
                    + " show the writes of its device. Default: unknown.")
    private @Nullable Path volume;

    /**
     * {@return what is known; the caller's, who closes it} Starts the watch of a target on another machine.
     *
     * @param target null when the hub is ours
     */
    TargetFacts facts(@Nullable InetSocketAddress target) throws IOException {
        if (target == null) {
            requireTarget();
        }
        if (!any()) {
            return TargetFacts.UNKNOWN;
        }
        WatchedMachine elsewhere = machine.elsewhere(volume != null);
        return elsewhere == null
                ? new TargetFacts(machine.cpu(), volumes(), null)
                : TargetFacts.elsewhere(elsewhere);
    }

    /** Where the hub is ours, it is known. */
    private void requireTarget() {
        if (any()) {
            throw UserError.usage(
                    "--target-processes, --target-cgroup, --target-volume and"
                            + " --target-watch are for a --target; without one the hub is ours, and all of this is known");
        }
    }

    private boolean any() {
        return machine.any() || volume != null;
    }

    private List<VolumeDisclosure> volumes() throws IOException {
        Path folder = volume;
        if (folder == null) {
            return List.of();
        }
        return List.of(counted("--target-volume " + folder, "log", folder));
    }

    /** {@return a volume whose device counts what it does} */
    static VolumeDisclosure counted(String option, String role, Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            throw UserError.usage(option + " is not a folder");
        }
        VolumeDisclosure found = Volumes.inspect(role, folder);
        if (found.device() == null) {
            throw UserError.usage(option + " has no block device whose writes could be counted");
        }
        return found;
    }
}
