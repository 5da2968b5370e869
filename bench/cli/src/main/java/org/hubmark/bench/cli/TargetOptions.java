package org.hubmark.bench.cli;

import org.hubmark.bench.UserError;
import org.hubmark.bench.machine.ControlGroup;
import org.hubmark.bench.machine.HostFiles;
import org.hubmark.bench.machine.NamedProcesses;
import org.hubmark.bench.machine.ServerCpu;
import org.hubmark.bench.machine.volumes.DeviceFlushes;
import org.hubmark.bench.machine.volumes.Volume;
import org.hubmark.bench.machine.volumes.Volumes;
import org.hubmark.bench.measure.run.TargetFacts;
import org.hubmark.bench.measure.watch.NodeExporter;
import org.hubmark.bench.measure.watch.SshMachine;
import org.hubmark.bench.measure.watch.WatchClient;
import org.hubmark.bench.measure.watch.WatchToken;
import org.hubmark.bench.measure.watch.WatchedMachine;
import org.hubmark.bench.results.CrashEvidence;
import org.hubmark.bench.results.Safety;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Option;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** What can be said of a target: on this machine, or of how its own machine is asked. */
final class TargetOptions {
    /** Of what is told twice. */
    static final String TOLD =
            "--target-processes, --target-cgroup and --target-volume don't go with"
                    + " --target-watch: the watch was told what it counts";

    private static final String SSH = "ssh:";

    @Option(
            names = "--target-processes",
            split = ",",
            paramLabel = "NAME",
            description =
                    "Programs of the target on this machine, or on --target-host: the CPU time of them"
                            + " and their descendants is the server's. Default: unknown.")
    private @Nullable List<String> processes;

    @Option(
            names = "--target-cgroup",
            paramLabel = "PATH",
            description = "Control group of the target on this machine, or on --target-host:"
                    + " all CPU time in it is the server's, exactly. Default: unknown.")
    private @Nullable String group;

    @Option(
            names = "--target-volume",
            paramLabel = "DIR",
            description = "Folder that the target writes to on this machine, or on --target-host or"
                    + " --target-node-exporter: the log columns show the writes of its device."
                    + " Default: unknown.")
    private @Nullable Path volume;

    @Option(
            names = "--target-watch",
            paramLabel = "HOST:PORT",
            converter = Converters.Target.class,
            description =
                    "Address of a 'hubmark watch' on the target's machine, whose counters give"
                            + " the figures of the server. Default: none.")
    private @Nullable InetSocketAddress watch;

    @Option(
            names = "--target-watch-token-file",
            paramLabel = "FILE",
            description =
                    "File with the token of that watch. Default: none, which a watch on loopback accepts.")
    private @Nullable Path token;

    @Option(
            names = "--target-host",
            paramLabel = "ssh:HOST",
            description =
                    "Machine of the target, ssh:[USER@]HOST[:PORT]: its counters are read over"
                            + " one ssh connection, with nothing installed there and as ssh's own"
                            + " configuration says; no question is answered. Default: none.")
    private @Nullable String host;

    @Option(
            names = "--target-node-exporter",
            paramLabel = "URL",
            description = "Metrics of Prometheus' node_exporter on the target's machine: CPU of"
                    + " the whole machine and what its devices do, and nothing of the server's"
                    + " processes. Default: none.")
    private @Nullable URI exporter;

    @Option(
            names = "--target-evidence",
            paramLabel = "FILE",
            description = "Result (durability.json) of a campaign against the target's server"
                    + " (durability --server): shows whether it can lose acknowledged mail."
                    + " Default: none; judged by the syncs on --target-volume, if that is given.")
    private @Nullable Path evidence;

    /**
     * {@return what is known; the caller's, who closes it} Asks the target's machine, where that is another
     * one.
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
        if (processes != null && group != null) {
            throw UserError.usage("--target-processes and --target-cgroup exclude each other");
        }
        if (Stream.of(watch, host, exporter).filter(Objects::nonNull).count() > 1) {
            throw UserError.usage("--target-watch, --target-host and --target-node-exporter exclude"
                    + " each other; give the one that knows most");
        }
        if (token != null && watch == null) {
            throw UserError.usage("--target-watch-token-file goes with --target-watch");
        }
        if (watch != null) {
            return watched(watch);
        }
        if (host != null) {
            return overSsh(host);
        }
        return exporter == null
                ? new TargetFacts(cpu(processes, group), volumes(), null, null, flushes(), safety())
                : exported(exporter);
    }

    /** Where the hub is ours, it is known. */
    void requireTarget() {
        if (any()) {
            throw UserError.usage(
                    "--target-processes, --target-cgroup, --target-volume, --target-evidence and"
                            + " how its machine is asked tell of a --target; without one the hub is"
                            + " ours and known");
        }
    }

    private boolean any() {
        return Stream.of(processes, group, volume, watch, token, host, exporter, evidence)
                .anyMatch(Objects::nonNull);
    }

    private TargetFacts watched(InetSocketAddress address) {
        if (processes != null || group != null || volume != null) {
            throw UserError.usage(TOLD);
        }
        return TargetFacts.elsewhere(watch(address, token), safety());
    }

    /**
     * {@return the machine of a watch} Asks it.
     *
     * @param token the file with it
     */
    static WatchedMachine watch(InetSocketAddress address, @Nullable Path token) {
        return WatchClient.open(
                address,
                token == null ? null : WatchToken.read(token, "--target-watch-token-file"),
                "--target-watch");
    }

    private TargetFacts overSsh(String text) {
        if (!text.startsWith(SSH)) {
            throw UserError.usage("--target-host " + text + " is not ssh:[USER@]HOST[:PORT]");
        }
        return TargetFacts.elsewhere(
                SshMachine.open(
                        text.substring(SSH.length()),
                        new SshMachine.Wanted(
                                processes == null ? List.of() : processes,
                                group,
                                volume == null ? null : volume.toString())),
                safety());
    }

    private TargetFacts exported(URI url) {
        if (processes != null || group != null) {
            throw UserError.usage("--target-processes and --target-cgroup don't go with"
                    + " --target-node-exporter, which knows no processes");
        }
        if (!List.of("http", "https").contains(String.valueOf(url.getScheme()))) {
            throw UserError.usage(
                    "--target-node-exporter " + url + " is no URL: http://HOST:9100/metrics");
        }
        return TargetFacts.elsewhere(
                NodeExporter.open(url, volume == null ? null : volume.toString()), safety());
    }

    /** {@return where CPU time of the server comes from, by one of the two; null when it isn't known} */
    static @Nullable ServerCpu cpu(@Nullable List<String> processes, @Nullable String group) {
        if (group != null) {
            return ControlGroup.at(group, HostFiles.HERE, "--target-cgroup");
        }
        return processes == null
                ? null
                : NamedProcesses.named(processes, HostFiles.HERE, "--target-processes");
    }

    private Safety safety() {
        return evidence == null ? Safety.UNKNOWN : CrashEvidence.read(evidence);
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
        return List.of(counted("--target-volume " + folder, "log", folder));
    }

    /** {@return a volume whose device counts what it does} */
    static Volume counted(String option, String role, Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            throw UserError.usage(option + " is not a folder");
        }
        Volume found = Volumes.inspect(role, folder);
        if (found.device() == null) {
            throw UserError.usage(option + " has no block device whose writes could be counted");
        }
        return found;
    }
}
