package org.hubmark.bench.cli;

import org.hubmark.bench.UserError;
import org.hubmark.bench.kit.compare.Regression;
import org.hubmark.bench.kit.page.JUnitFile;
import org.hubmark.bench.load.LoadPlan;
import org.hubmark.bench.load.MessageGenerator;
import org.hubmark.bench.load.Pace;
import org.hubmark.bench.load.Transfer;
import org.hubmark.bench.measure.Progress;
import org.hubmark.bench.measure.builds.Build;
import org.hubmark.bench.measure.builds.BuildsRequest;
import org.hubmark.bench.measure.builds.BuildsResult;
import org.hubmark.bench.measure.builds.BuildsSession;
import org.hubmark.bench.measure.builds.BuildsText;
import org.hubmark.bench.measure.builds.Checkout;
import org.hubmark.bench.measure.builds.DeliveryMode;
import org.hubmark.bench.measure.builds.LoadCase;
import org.hubmark.bench.measure.builds.Subject;
import org.hubmark.bench.measure.run.Interruption;
import org.hubmark.core.ByteSize;
import org.hubmark.core.Durability;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** The options of compare that set builds beside each other, and what they do. */
final class BuildsOptions {
    private static final int BUILDS_MAX = 26;
    private static final int INTERRUPTED = 130;

    @Option(
            names = "--builds",
            required = true,
            split = ",",
            paramLabel = "REF",
            description =
                    "Builds two or more commits, tags or branches ('.' or 'worktree' is the working"
                            + " tree) below target/builds, measures them in turn on this machine and"
                            + " compares each with the first. The options that follow need it."
                            + " Default: two results are compared.")
    private List<String> refs;

    @Option(
            names = "--figure",
            paramLabel = "load|start",
            defaultValue = "load",
            converter = Converters.BuildSubject.class,
            description =
                    "load: rate and CPU a message of a warm hub. start: the time from the start of the"
                            + " process to the first 250, and the CPU of the first messages, each round in"
                            + " a new process with an empty queue. Default: ${DEFAULT-VALUE}.")
    private Subject subject;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "5",
            description = "Rounds, in each of which every build has its turn, in random order."
                    + " Default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            defaultValue = "10s",
            converter = Converters.Time.class,
            description = "Load of each build in each round (ms, s, m, h)."
                    + " Default: ${DEFAULT-VALUE}.")
    private Duration duration;

    @Option(
            names = "--warmup",
            paramLabel = "TIME",
            defaultValue = "20s",
            converter = Converters.Time.class,
            description = "Load of each hub before it is first counted (ms, s, m, h)."
                    + " Default: ${DEFAULT-VALUE}.")
    private Duration warmup;

    @Option(
            names = "--count",
            paramLabel = "N",
            defaultValue = "60000",
            description = "With --figure start: how many messages follow the first."
                    + " Default: ${DEFAULT-VALUE}.")
    private long count;

    @Option(
            names = "--fresh",
            description = "A new hub on empty volumes for each build in each round, with a warm-up"
                    + " of its own; always so with --deliver hold, where the queue would only grow."
                    + " Default: the hubs are started once and stay up.")
    private boolean fresh;

    @Option(
            names = "--connections",
            paramLabel = "N",
            defaultValue = "64",
            description = "Connections open at once. Default: ${DEFAULT-VALUE}.")
    private int connections;

    @Option(
            names = "--sizes",
            split = ",",
            paramLabel = "SIZE",
            defaultValue = "57KB,4KB",
            converter = Converters.Size.class,
            description =
                    "Sizes of the messages (B, KB, MB, KiB, MiB); each with each --transfer is"
                            + " a case. Default: ${DEFAULT-VALUE}.")
    private List<Long> sizes;

    @Option(
            names = "--transfer",
            split = ",",
            paramLabel = "data|bdat",
            defaultValue = "data,bdat",
            converter = Converters.TransferKind.class,
            description = "How content travels: by DATA, by BDAT (RFC 3030)."
                    + " Default: ${DEFAULT-VALUE}.")
    private List<Transfer> transfers;

    @Option(
            names = "--deliver",
            paramLabel = "WHERE",
            defaultValue = "discard",
            converter = Converters.BuildNextHop.class,
            description = "discard, hold (it stays in the queue) or smtp-sink (it is relayed to a"
                    + " sink that is started with it, and the rate of deliveries counts)."
                    + " Default: ${DEFAULT-VALUE}.")
    private DeliveryMode nextHop;

    @Option(
            names = "--durability",
            paramLabel = "CLASS",
            defaultValue = "synced",
            converter = Converters.DurabilityClass.class,
            description = "What a 250 promises: synced, periodic[=10ms] or none."
                    + " Default: ${DEFAULT-VALUE}.")
    private Durability durability;

    @Option(
            names = "--checkpoint-depth",
            paramLabel = "SIZE",
            defaultValue = StoreOptions.CHECKPOINT_DEPTH_DEFAULT,
            converter = Converters.CheckpointDepth.class,
            description = "How much the log holds before its oldest part moves to the queue"
                    + " database; 1MiB or more. Default: ${DEFAULT-VALUE}.")
    private long checkpointDepthBytes;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "Sets a setting of all hubs, which every build has to know; may be"
                    + " repeated. Default: none.")
    private Map<String, String> given = new LinkedHashMap<>();

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Chooses messages and the order within the rounds; it is printed."
                    + " Default: another one each time.")
    private @Nullable Long seed;

    @Option(
            names = "--folder",
            paramLabel = "DIR",
            description = "Gets the volumes of the hubs in a folder of its own, removed at the end."
                    + " Default: target of the sources.")
    private @Nullable Path folder;

    @Option(names = "--quiet", description = "No progress, no tables. Default: both.")
    private boolean quiet;

    /**
     * Compares.
     *
     * @param json prints the content of builds.json, and no table
     * @param output gets builds.json and builds.md; null for none
     * @param failIfSlower as a share; null for never
     * @return the exit code
     */
    int compare(
            CommandSpec command,
            boolean json,
            @Nullable Path output,
            JUnitOption junit,
            @Nullable Double failIfSlower)
            throws IOException {
        check(failIfSlower);
        Path root = root();
        BuildsRequest request = request(command, root);
        if (output != null) {
            Outcomes.folder(output);
        }
        BuildsResult result;
        boolean interrupted;
        String failure;
        Progress progress = new Progress(System.err, quiet);
        try (Interruption interruption = new Interruption()) {
            List<Build> builds = new Checkout(root, progress::note).builds(refs);
            progress.note("seed " + request.seed());
            try (BuildsSession session =
                    new BuildsSession(request, builds, progress, interruption)) {
                result = session.run();
                interrupted = session.interrupted();
                failure = session.failure();
            }
            write(result, json, output);
        } catch (InterruptedException e) {
            return INTERRUPTED;
        }
        if (interrupted) {
            return INTERRUPTED;
        }
        if (failure != null) {
            throw UserError.failed(failure);
        }
        List<Regression> found =
                failIfSlower == null ? List.of() : result.regressions(failIfSlower);
        junit.write(command, cases(result, found));
        return exitCode(result, found);
    }

    private void write(BuildsResult result, boolean json, @Nullable Path output)
            throws IOException {
        if (output != null) {
            Files.writeString(output.resolve("builds.json"), result.json() + "\n");
            Files.writeString(output.resolve("builds.md"), BuildsText.markdown(result));
        }
        if (json) {
            System.out.println(result.json());
        } else if (!quiet) {
            System.out.print(BuildsText.plain(result));
        }
        System.out.flush();
    }

    private static List<JUnitFile.Case> cases(BuildsResult result, List<Regression> found) {
        return Stream.concat(
                        Stream.of(new JUnitFile.Case(
                                "valid",
                                result.valid() ? JUnitFile.Status.PASSED : JUnitFile.Status.ERROR,
                                String.join("; ", result.invalidReasons()))),
                        found.stream().map(JUnitOption::regression))
                .toList();
    }

    private static int exitCode(BuildsResult result, List<Regression> found) {
        if (!result.valid()) {
            result.invalidReasons()
                    .forEach(reason -> System.err.println("hubmark: not valid: " + reason));
            return Outcomes.INVALID;
        }
        return ScriptOptions.exitCode(found, System.err);
    }

    private void check(@Nullable Double failIfSlower) {
        if (refs.size() < 2 || refs.size() > BUILDS_MAX) {
            throw UserError.usage("--builds names 2 to " + BUILDS_MAX
                    + " builds (--builds v1.2,.), not " + refs.size());
        }
        DriverOptions.atLeast("--rounds", rounds, failIfSlower == null ? 1 : 2);
        DriverOptions.atLeast("--connections", connections, 1);
        DriverOptions.atLeast("--count", count, 1);
        if (duration.isZero()) {
            throw UserError.usage("--duration 0s: more than 0s");
        }
        for (long size : sizes) {
            if (size < MessageGenerator.BYTES_MIN || size > MessageGenerator.BYTES_MAX) {
                throw UserError.usage("--sizes " + ByteSize.format(size) + " is not "
                        + ByteSize.format(MessageGenerator.BYTES_MIN) + " to "
                        + ByteSize.format(MessageGenerator.BYTES_MAX));
            }
        }
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

    private BuildsRequest request(CommandSpec command, Path root) {
        Set<LoadCase> cases = new LinkedHashSet<>();
        for (long size : sizes) {
            transfers.forEach(transfer -> cases.add(new LoadCase(size, transfer)));
        }
        List<String> arguments = new ArrayList<>(List.of(
                "--durability=" + durability,
                "--checkpoint-depth=" + ByteSize.format(checkpointDepthBytes)));
        given.forEach((key, value) -> arguments.add("--set=" + key + "=" + value));
        long chosen = seed == null ? System.nanoTime() & 0x7fff_ffff : seed;
        Map<String, Object> settings = Outcomes.settings(command);
        settings.put("seed", chosen);
        settings.putAll(given);
        return new BuildsRequest(
                Main.PROGRAM,
                subject,
                List.copyOf(cases),
                load(),
                nextHop,
                arguments,
                rounds,
                duration,
                warmup,
                count,
                fresh,
                chosen,
                folder == null ? root.resolve("target") : folder,
                settings,
                Outcomes.commandText(command));
    }

    /** One that the hubs are asked for in turn, as fast as they answer. */
    private LoadPlan load() {
        return new LoadPlan(
                InetSocketAddress.createUnresolved("localhost", 0),
                connections,
                new Pace.ClosedLoop(),
                Transfer.DATA,
                true,
                0,
                0,
                DriverOptions.threadsDefault(),
                EnvelopeOptions.SENDER,
                EnvelopeOptions.RECIPIENT,
                1);
    }
}
