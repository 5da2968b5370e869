package org.hubmark.bench.cli;

import org.hubmark.bench.machine.volumes.DeviceFlushes;
import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.hubmark.bench.machine.volumes.Volumes;
import org.hubmark.bench.measure.run.TargetFacts;
import org.hubmark.bench.measure.watch.WatchedMachine;
import org.hubmark.bench.results.CrashEvidence;
import org.hubmark.bench.results.Safety;
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

    @Option(
            names = "--target-evidence",
            paramLabel = "FILE",
            description = "Result (durability.json) of a campaign against the target's server"
                    + " (durability --server): shows whether it can lose acknowledged mail."
                    + " Default: none; judged by the syncs on --target-volume, if that is given.")
    private @Nullable Path evidence;

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
        Safety safety = evidence == null ? Safety.UNKNOWN : CrashEvidence.read(evidence);
        WatchedMachine elsewhere = machine.elsewhere(volume != null);
        return elsewhere == null
                ? new TargetFacts(machine.cpu(), volumes(), null, flushes(), safety)
                : TargetFacts.elsewhere(elsewhere, safety);
    }

    /** Where the hub is ours, it is known. */
    private void requireTarget() {
        if (any()) {
            throw UserError.usage(
                    "--target-processes, --target-cgroup, --target-volume, --target-evidence"
                            + " and --target-watch are for a --target; without one the hub is ours, and all of this is known");
        }
    }

    private boolean any() {
        return machine.any() || volume != null || evidence != null;
    }

    /**
     * Tries whether a sync of the target's device is counted, which needs the right to write there.
     */
    private @Nullable DeviceFlushes flushes() throws IOException {
        return volume == null || !Files.isWritable(volume) ? null : DeviceFlushes.below(volume);
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
