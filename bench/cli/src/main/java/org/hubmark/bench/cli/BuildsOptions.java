package org.hubmark.bench.cli;

import org.hubmark.bench.load.LoadPlan;
import org.hubmark.bench.load.MessageGenerator;
import org.hubmark.bench.load.Pace;
import org.hubmark.bench.load.Transfer;
import org.hubmark.bench.machine.volumes.Volumes;
import org.hubmark.bench.measure.builds.BuildsRequest;
import org.hubmark.bench.measure.builds.BuildsStudy;
import org.hubmark.bench.measure.builds.DeliveryMode;
import org.hubmark.bench.measure.builds.LoadCase;
import org.hubmark.bench.measure.builds.Subject;
import org.hubmark.core.ByteSize;
import org.hubmark.core.Durability;
import org.hubmark.core.UserError;
import org.hubmark.server.Converters;
import org.hubmark.server.StoreOptions;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The options of compare that set builds beside each other, and what they do. */
final class BuildsOptions {
    private static final int BUILDS_MAX = 26;

    /** All of them but --builds itself. */
    private static final List<String> NEED_BUILDS = List.of(
            "--figure",
            "--rounds",
            "--duration",
            "--warmup",
            "--count",
            "--fresh",
            "--connections",
            "--sizes",
            "--transfer",
            "--deliver",
            "--durability",
            "--checkpoint-depth",
            "--set",
            "--seed",
            "--shared-machine",
            "--folder");

    @Option(
            names = "--builds",
            split = ",",
            paramLabel = "REF",
            description = "Commits, tags or branches, two or more ('.' or 'worktree' is the working"
                    + " tree): builds them below target/builds, measures them in turn on this"
                    + " machine and compares each with the first. The options below need it."
                    + " Default: compares two results.")
    private List<String> refs = List.of();

    @Option(
            names = "--figure",
            paramLabel = "load|start",
            defaultValue = "load",
            description = "Figures to measure: load (rate and CPU a message of a warm hub) or start"
                    + " (time from the start of the process to the first 250, and CPU of the first"
                    + " messages, each round in a new process with an empty queue)."
                    + " Default: ${DEFAULT-VALUE}.")
    private Subject subject;

    @Mixin
    private CommonOptions.Rounds rounds;

    @Mixin
    private CommonOptions.Measured measured;

    @Mixin
    private CommonOptions.Warmup warmup;

    @Option(
            names = "--count",
            paramLabel = "N",
            defaultValue = "60000",
            description = "Messages that follow the first one with --figure start."
                    + " Default: ${DEFAULT-VALUE}.")
    private long count;

    @Option(
            names = "--fresh",
            description = "Starts a new hub on empty volumes for each build in each round, with a"
                    + " warm-up of its own; --deliver hold always does, since the queue would only"
                    + " grow. Default: starts the hubs once.")
    private boolean fresh;

    @Mixin
    private CommonOptions.Connections connections;

    @Mixin
    private CommonOptions.Sizes sizes;

    @Option(
            names = "--transfer",
            split = ",",
            paramLabel = "data|bdat",
            defaultValue = "data,bdat",
            description = DriverOptions.TRANSFER)
    private List<Transfer> transfers;

    @Option(
            names = "--deliver",
            paramLabel = "WHERE",
            defaultValue = "discard",
            description = "Delivery of the accepted mail: discard, hold (stays in the queue) or"
                    + " smtp-sink (relays it to a sink that is started for it, and the rate of"
                    + " deliveries counts). Default: ${DEFAULT-VALUE}.")
    private DeliveryMode nextHop;

    @Option(
            names = "--durability",
            paramLabel = "CLASS",
            defaultValue = "synced",
            description = CommonOptions.DURABILITY)
    private Durability durability;

    @Option(
            names = "--checkpoint-depth",
            paramLabel = "SIZE",
            defaultValue = StoreOptions.CHECKPOINT_DEPTH_DEFAULT,
            converter = Converters.CheckpointDepth.class,
            description = CommonOptions.CHECKPOINT_DEPTH)
    private long checkpointDepthBytes;

    @Mixin
    private CommonOptions.HubSettings settings;

    @Mixin
    private CommonOptions.Seed seed;

    @Mixin
    CommonOptions.SharedMachine sharedMachine;

    @Option(
            names = "--folder",
            paramLabel = "DIR",
            description = "Folder for the volumes of the hubs, in a folder of their own that is"
                    + " removed at the end. Default: target of the sources.")
    private @Nullable Path folder;

    /** {@return whether builds are to be compared} Refuses the other options if not. */
    boolean asked(CommandSpec command) {
        if (refs.isEmpty()) {
            GivenOptions.refuse(command, NEED_BUILDS, "needs --builds");
        }
        return !refs.isEmpty();
    }

    /**
     * Compares.
     *
     * @param json prints the content of builds.json, and no table
     * @param output gets builds.json and its report
     * @param failFrom as a share; null for never
     * @return the exit code
     */
    int compare(
            CommandSpec command,
            CommonOptions.Json json,
            CommonOptions.Quiet quiet,
            CommonOptions.Output output,
            JUnitOption junit,
            @Nullable Double failFrom)
            throws IOException {
        check(failFrom);
        BuildsRequest request = request(root());
        Files.createDirectories(request.hubs().folder());
        Map<String, Object> all = Outcomes.settings(command);
        all.putAll(settings.given);
        return Studies.run(
                new BuildsStudy(request),
                command,
                all,
                new Studies.Output(output, json.on, quiet.on, junit, failFrom),
                () -> List.of(Volumes.inspect("all", request.hubs().folder())));
    }

    private void check(@Nullable Double failFrom) {
        if (refs.size() < 2 || refs.size() > BUILDS_MAX) {
            throw UserError.usage("--builds names 2 to " + BUILDS_MAX
                    + " builds (--builds v1.2,.), not " + refs.size());
        }
        rounds.check(failFrom == null ? 1 : 2);
        Ranges.atLeast("--connections", connections.count, 1);
        Ranges.atLeast("--count", count, 1);
        measured.check();
        sizes.check(MessageGenerator.BYTES_MAX);
        load().requireFiles();
    }

    /** The script says where the sources are. */
    private static Path root() throws IOException {
        String root = System.getProperty("hubmark.root");
        if (root == null) {
            throw UserError.usage("--builds needs the sources: start it by the script hubmark");
        }
        return Path.of(root).toRealPath();
    }

    private BuildsRequest request(Path root) {
        Set<LoadCase> cases = new LinkedHashSet<>();
        for (long size : sizes.bytes) {
            transfers.forEach(transfer -> cases.add(new LoadCase(size, transfer)));
        }
        List<String> arguments = new ArrayList<>(List.of(
                "--durability=" + durability,
                "--checkpoint-depth=" + ByteSize.format(checkpointDepthBytes)));
        settings.given.forEach((key, value) -> arguments.add("--set=" + key + "=" + value));
        return new BuildsRequest(
                Main.PROGRAM,
                new BuildsRequest.Sources(root, refs),
                subject,
                new BuildsRequest.Load(List.copyOf(cases), load(), count),
                new BuildsRequest.Hubs(
                        nextHop,
                        arguments,
                        fresh,
                        folder == null ? root.resolve("target") : folder),
                new BuildsRequest.Rounds(rounds.count, measured.time, warmup.time, seed.value));
    }

    /** One that the hubs are asked for in turn, as fast as they answer. */
    private LoadPlan load() {
        return LoadPlan.of(
                        InetSocketAddress.createUnresolved("localhost", 0),
                        connections.count,
                        new Pace.ClosedLoop(),
                        Transfer.DATA,
                        EnvelopeOptions.SENDER,
                        EnvelopeOptions.RECIPIENT)
                .on(DriverOptions.threadsDefault());
    }
}
