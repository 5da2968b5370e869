package org.hubmark.bench.cli;

import org.hubmark.bench.machine.ControlGroup;
import org.hubmark.bench.machine.HostFiles;
import org.hubmark.bench.machine.NamedProcesses;
import org.hubmark.bench.machine.ServerCpu;
import org.hubmark.bench.measure.watch.SshWatch;
import org.hubmark.bench.measure.watch.WatchClient;
import org.hubmark.bench.measure.watch.WatchToken;
import org.hubmark.bench.measure.watch.WatchedMachine;
import org.hubmark.core.UserError;
import org.hubmark.server.Converters;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Option;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** Where the counters of a server that isn't ours come from: this machine, or a watch on its own. */
final class ServerMachineOptions {
    private static final String SSH = "ssh:";

    @Option(
            names = "--target-processes",
            split = ",",
            paramLabel = "NAME",
            description =
                    "Programs of the server on this machine, or on --target-host: the CPU time of them"
                            + " and their descendants is the server's. Default: unknown.")
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
            paramLabel = "HOST:PORT",
            converter = Converters.Target.class,
            description =
                    "Address of a 'hubmark watch' on the server's machine, whose counters give"
                            + " the figures of the server. Default: none.")
    private @Nullable InetSocketAddress watch;

    @Option(
            names = "--target-watch-token-file",
            paramLabel = "FILE",
            description = "File with the token of that watch. Default: none, which a watch on"
                    + " loopback accepts.")
    private @Nullable Path token;

    @Option(
            names = "--target-host",
            paramLabel = "ssh:HOST",
            description = "Machine of the server, ssh:[USER@]HOST[:PORT][/FILE]: ssh starts a"
                    + " 'hubmark watch' there, the hubmark on the PATH or that FILE, and its counters"
                    + " give the figures of the server. ssh must not ask for a password. Default:"
                    + " none.")
    private @Nullable String host;

    /** {@return whether one of them is given} */
    boolean any() {
        return Stream.of(processes, group, watch, token, host).anyMatch(Objects::nonNull);
    }

    /**
     * {@return the server's machine; the caller's, who closes it; null where it is this one} Asks it.
     *
     * @param volumes ROLE=DIR of each --target-volume
     */
    @Nullable
    WatchedMachine elsewhere(List<String> volumes) {
        if (processes != null && group != null) {
            throw UserError.usage("--target-processes and --target-cgroup exclude each other");
        }
        if (watch != null && host != null) {
            throw UserError.usage("--target-watch and --target-host exclude each other");
        }
        if (token != null && watch == null) {
            throw UserError.usage("--target-watch-token-file goes with --target-watch");
        }
        if (watch == null) {
            return host == null ? null : overSsh(host, volumes);
        }
        if (processes != null || group != null || !volumes.isEmpty()) {
            throw UserError.usage("--target-processes, --target-cgroup and --target-volume don't go"
                    + " with --target-watch: the watch was told what it counts");
        }
        return WatchClient.open(
                watch,
                token == null ? null : WatchToken.read(token, "--target-watch-token-file"),
                "--target-watch");
    }

    private WatchedMachine overSsh(String text, List<String> volumes) {
        if (!text.startsWith(SSH)) {
            throw UserError.usage(
                    "--target-host " + text + " is not ssh:[USER@]HOST[:PORT][/FILE]");
        }
        List<String> told = new ArrayList<>();
        if (processes != null) {
            told.add("--processes=" + String.join(",", processes));
        }
        if (group != null) {
            told.add("--cgroup=" + group);
        }
        volumes.forEach(volume -> told.add("--volume=" + volume));
        return SshWatch.open(text.substring(SSH.length()), told);
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
