package org.hubmark.bench.cli;

import org.hubmark.bench.UserError;
import org.hubmark.bench.machine.ControlGroup;
import org.hubmark.bench.machine.NamedProcesses;
import org.hubmark.bench.machine.ServerCpu;
import org.hubmark.bench.machine.volumes.DeviceFlushes;
import org.hubmark.bench.machine.volumes.Volume;
import org.hubmark.bench.machine.volumes.Volumes;
import org.hubmark.bench.measure.run.TargetFacts;
import org.hubmark.bench.results.CrashEvidence;
import org.hubmark.bench.results.Safety;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Option;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What can be said of a target on the same machine. */
final class TargetOptions {
    @Option(
            names = "--target-processes",
            split = ",",
            paramLabel = "NAME",
            description = "The target's programs on this machine: their CPU time, and that of what"
                    + " descends from them, is the server's. Default: unknown.")
    private @Nullable List<String> processes;

    @Option(
            names = "--target-cgroup",
            paramLabel = "PATH",
            description = "The target's control group on this machine: all CPU time in it is the"
                    + " server's, exactly. Default: unknown.")
    private @Nullable String group;

    @Option(
            names = "--target-volume",
            paramLabel = "DIR",
            description =
                    "Where the target on this machine writes: what its device writes stands in"
                            + " the log columns. Default: unknown.")
    private @Nullable Path volume;

    @Option(
            names = "--target-evidence",
            paramLabel = "FILE",
            description = "The durability.json of a campaign against the target's server"
                    + " (durability --server): tells whether it can lose acknowledged mail."
                    + " Default: that is unknown, or judged by the syncs on --target-volume.")
    private @Nullable Path evidence;

    /** {@return what is known of a target, null when the hub is ours} */
    TargetFacts facts(@Nullable InetSocketAddress target) throws IOException {
        if (processes == null && group == null && volume == null && evidence == null) {
            return TargetFacts.UNKNOWN;
        }
        if (target == null) {
            throw UserError.usage("--target-processes, --target-cgroup, --target-volume and"
                    + " --target-evidence tell of a --target; without one the hub is ours and"
                    + " known");
        }
        if (processes != null && group != null) {
            throw UserError.usage("--target-processes and --target-cgroup exclude each other");
        }
        return new TargetFacts(
                cpu(),
                volumes(),
                flushes(),
                evidence == null ? Safety.UNKNOWN : CrashEvidence.read(evidence));
    }

    private @Nullable ServerCpu cpu() {
        if (group != null) {
            return ControlGroup.at(group);
        }
        return processes == null ? null : NamedProcesses.named(processes);
    }

    /** Who may not write there can't try whether a sync is counted. */
    private @Nullable DeviceFlushes flushes() throws IOException {
        return volume == null || !Files.isWritable(volume) ? null : DeviceFlushes.below(volume);
    }

    private List<Volume> volumes() throws IOException {
        Path folder = volume;
        if (folder == null) {
            return List.of();
        }
        if (!Files.isDirectory(folder)) {
            throw UserError.usage("--target-volume " + folder + " is not a folder");
        }
        Volume found = Volumes.inspect("log", folder);
        if (found.device() == null) {
            throw UserError.usage("--target-volume " + folder
                    + " has no block device whose writes could be counted");
        }
        return List.of(found);
    }
}
