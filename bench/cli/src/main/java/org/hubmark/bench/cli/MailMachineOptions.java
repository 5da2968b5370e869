package org.hubmark.bench.cli;

import org.hubmark.bench.UserError;
import org.hubmark.bench.machine.volumes.Volume;
import org.hubmark.bench.measure.run.TargetFacts;
import org.hubmark.bench.results.Safety;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Option;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;

/** What a mail system spends: on this machine, or by a watch on its own. */
final class MailMachineOptions {
    @Option(
            names = "--target-processes",
            split = ",",
            paramLabel = "NAME",
            description =
                    "Programs of the mail system on this machine: the CPU time of them and their"
                            + " descendants is the server's. Default: unknown.")
    private @Nullable List<String> processes;

    @Option(
            names = "--target-cgroup",
            paramLabel = "PATH",
            description = "Control group of the mail system on this machine, in place of"
                    + " --target-processes: all CPU time in it is the server's, exactly. Default:"
                    + " unknown.")
    private @Nullable String group;

    @Option(
            names = "--target-volume",
            split = ",",
            paramLabel = "ROLE=DIR",
            description = "Folders that the mail system writes to on this machine, each with a word"
                    + " for its content, such as queue or mailboxes. Default: unknown.")
    private Map<String, Path> volumes = new TreeMap<>();

    @Option(
            names = "--target-watch",
            paramLabel = "HOST:PORT",
            converter = Converters.Target.class,
            description =
                    "Address of a 'hubmark watch' on the mail system's machine, whose counters"
                            + " give the figures of the server. Default: none.")
    private @Nullable InetSocketAddress watch;

    @Option(
            names = "--target-watch-token-file",
            paramLabel = "FILE",
            description =
                    "File with the token of that watch. Default: none, which a watch on loopback accepts.")
    private @Nullable Path token;

    /**
     * {@return what is known; the caller's, who closes it} Asks the watch.
     *
     * @param given whether there is a target; else the mail system is ours and known
     */
    TargetFacts facts(boolean given) throws IOException {
        boolean here = processes != null || group != null || !volumes.isEmpty();
        if (!given && (here || Stream.of(watch, token).anyMatch(Objects::nonNull))) {
            throw UserError.usage("--target-processes, --target-cgroup, --target-volume and"
                    + " --target-watch tell of --smtp and --imap; without them the mail system is"
                    + " ours and known");
        }
        if (processes != null && group != null) {
            throw UserError.usage("--target-processes and --target-cgroup exclude each other");
        }
        if (token != null && watch == null) {
            throw UserError.usage("--target-watch-token-file goes with --target-watch");
        }
        if (watch != null) {
            if (here) {
                throw UserError.usage(TargetOptions.TOLD);
            }
            return TargetFacts.elsewhere(TargetOptions.watch(watch, token), Safety.UNKNOWN);
        }
        return new TargetFacts(
                TargetOptions.cpu(processes, group), volumes(), null, null, null, Safety.UNKNOWN);
    }

    private List<Volume> volumes() throws IOException {
        List<Volume> all = new ArrayList<>();
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
