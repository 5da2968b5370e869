package org.hubmark.bench.measure.builds;

import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.machine.Machine;
import org.hubmark.bench.machine.MeasuringRun;
import org.hubmark.bench.machine.folders.Folders;
import org.hubmark.bench.machine.volumes.Volumes;
import org.hubmark.bench.measure.Progress;
import org.hubmark.bench.measure.hub.ServerProcess;
import org.hubmark.bench.measure.run.Interruption;
import org.hubmark.core.FileErrors;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Sets builds beside each other: in each round every build has its turn, in random order, and only
 * one hub is under load at a time. How to use it: make one, {@link #run}, look at {@link
 * #interrupted} and {@link #failure}, close. One thread, which must not end before this is closed.
 */
public final class BuildsSession implements AutoCloseable {
    /** From here on the rate is the driver's, not the hub's. */
    private static final double DRIVER_BUSY_PERCENT = 95;

    private final BuildsRequest request;
    private final List<Build> builds;
    private final Progress progress;
    private final Interruption interruption;
    private final RoundMeter meter;
    private final Random random;
    private final Path folder;
    private final Map<Build, BuildHub> hubs = new LinkedHashMap<>();
    private final List<BuildsResult.CaseResult> cases = new ArrayList<>();
    private final List<String> remarks = new ArrayList<>();
    private final MeasuringRun run;
    private final List<String> invalidReasons = new ArrayList<>();
    private @Nullable ServerProcess sink;
    private int hubsStarted;
    private boolean interrupted;
    private @Nullable String failure;

    /**
     * Prepares.
     *
     * @param builds two or more, ready to be started
     * @param interruption of the calling thread; stays the caller's, who closes it after this
     */
    public BuildsSession(
            BuildsRequest request, List<Build> builds, Progress progress, Interruption interruption)
            throws IOException {
        this.request = request;
        this.builds = List.copyOf(builds);
        this.progress = progress;
        this.interruption = interruption;
        this.meter = new RoundMeter(request);
        this.random = new Random(request.seed());
        Files.createDirectories(request.folder());
        this.folder = Files.createTempDirectory(request.folder(), "compare-").toAbsolutePath();
        this.run = MeasuringRun.begin(MeasuringRun.FOLDER, request.command());
    }

    /** {@return whether it ended early because it was told to} */
    public boolean interrupted() {
        return interrupted;
    }

    /** {@return what broke it off, in words; the result has what was measured until then} */
    public @Nullable String failure() {
        return failure;
    }

    /**
     * Measures everything.
     *
     * @throws UserError if no round was complete
     */
    public BuildsResult run() throws IOException {
        Instant startedAt = Instant.now();
        Environment machine = Machine.inspect(List.of(Volumes.inspect("all", folder)));
        try {
            startSink();
            for (LoadCase load : request.cases()) {
                compare(load);
            }
        } catch (InterruptedException e) {
            interrupted = true;
        } catch (UserError e) {
            if (cases.stream().allMatch(one -> one.rounds() == 0)) {
                throw e;
            }
            failure = e.getMessage();
        } finally {
            progress.close();
        }
        return new BuildsResult(
                BuildsResult.SCHEMA,
                request.program().tool(),
                startedAt.toString(),
                Instant.now().toString(),
                request.command(),
                machine,
                request.settings(),
                builds,
                cases,
                remarks,
                invalidReasons.isEmpty(),
                invalidReasons);
    }

    private void startSink() throws IOException, InterruptedException {
        if (request.nextHop() == DeliveryMode.SMTP_SINK) {
            sink = ServerProcess.launch(
                    "the sink",
                    request.program().otherCommand(List.of("sink", "--listen=127.0.0.1:0")),
                    Map.of(),
                    folder.resolve("sink.log"),
                    interruption::awaitDone);
        }
    }

    private void compare(LoadCase load) throws IOException, InterruptedException {
        List<List<Round>> rounds = new ArrayList<>();
        try {
            if (!request.fresh()) {
                for (Build build : builds) {
                    warmUp(running(build), load);
                }
            } else if (request.subject() == Subject.START) {
                // The first start reads its files from the disk, and the driver is cold.
                for (Build build : builds) {
                    turn(build, load, "not counted");
                }
            }
            for (int number = 1; number <= request.rounds(); number++) {
                rounds.add(round(load, number));
            }
        } finally {
            cases.add(BuildsResult.CaseResult.of(load, builds, rounds));
            remark(load, rounds);
        }
    }

    /** {@return what each build did, in the order of the builds} */
    private List<Round> round(LoadCase load, int number) throws IOException, InterruptedException {
        List<Integer> order =
                new ArrayList<>(IntStream.range(0, builds.size()).boxed().toList());
        Collections.shuffle(order, random);
        Round[] turns = new Round[builds.size()];
        for (int index : order) {
            Build build = builds.get(index);
            String title = "round " + number + "/" + request.rounds();
            Round turn = turn(build, load, title);
            turns[index] = turn;
            remarkOthers();
            turn.invalidReasons()
                    .forEach(reason -> invalidReasons.add(
                            load.id() + ", " + title + ", " + build.name() + ": " + reason));
        }
        return Arrays.asList(turns);
    }

    /** What disturbs one build disturbs the others of a round as well, more or less: no reason. */
    private void remarkOthers() {
        for (String other : run.others()) {
            String remark =
                    "another run measured at the same time, which makes rates lower and their"
                            + " spread wider: " + other;
            if (!remarks.contains(remark)) {
                remarks.add(remark);
            }
        }
    }

    private Round turn(Build build, LoadCase load, String title)
            throws IOException, InterruptedException {
        String phase = load.id() + ", " + title + ", " + build.name();
        if (!request.fresh()) {
            progress.phase(phase, request.duration());
            return measured(running(build), () -> meter.load(running(build), load));
        }
        long startNanos = System.nanoTime();
        try (BuildHub hub = start(build)) {
            return switch (request.subject()) {
                case START -> {
                    progress.phase(phase, Duration.ZERO);
                    yield measured(hub, () -> meter.first(hub, load, startNanos));
                }
                case LOAD -> {
                    warmUp(hub, load);
                    progress.phase(phase, request.duration());
                    yield measured(hub, () -> meter.load(hub, load));
                }
            };
        }
    }

    private void warmUp(BuildHub hub, LoadCase load) throws IOException, InterruptedException {
        if (!request.warmup().isZero()) {
            String phase = load.id() + ", warm-up, " + hub.build().name();
            progress.phase(phase, request.warmup());
            List<String> reasons = measured(hub, () -> meter.warmUp(hub, load, request.warmup()));
            reasons.forEach(reason -> invalidReasons.add(phase + ": " + reason));
        }
    }

    /** Something that asks a hub. */
    @FunctionalInterface
    private interface Asking<T> {
        T ask() throws IOException, InterruptedException;
    }

    /** When the hub has died, that is what must be said, whatever failed because of it. */
    private static <T> T measured(BuildHub hub, Asking<T> asking)
            throws IOException, InterruptedException {
        try {
            return asking.ask();
        } catch (IOException e) {
            String death = hub.awaitDeath();
            throw UserError.failed(
                    death == null ? hub.build().name() + ": " + FileErrors.reason(e) : death);
        } catch (UserError e) {
            String death = hub.awaitDeath();
            throw death == null ? e : UserError.failed(death);
        }
    }

    private BuildHub running(Build build) throws IOException, InterruptedException {
        BuildHub hub = hubs.get(build);
        if (hub == null) {
            hub = start(build);
            hubs.put(build, hub);
        }
        return hub;
    }

    private BuildHub start(Build build) throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(request.serveArguments());
        ServerProcess nextHop = sink;
        arguments.add(request.nextHop().argument(nextHop == null ? null : nextHop.address()));
        return BuildHub.start(
                build, arguments, folder.resolve("hub-" + ++hubsStarted), interruption::awaitDone);
    }

    private void remark(LoadCase load, List<List<Round>> rounds) {
        for (int i = 0; i < builds.size(); i++) {
            int index = i;
            long busy = rounds.stream()
                    .filter(round -> round.get(index).driverThreadPercent() >= DRIVER_BUSY_PERCENT)
                    .count();
            if (busy > 0) {
                remarks.add(String.format(
                        Locale.ROOT,
                        "%s, %s: in %d of %d rounds the driver was the limit: the hub could"
                                + " accept more",
                        load.id(),
                        builds.get(i).name(),
                        busy,
                        rounds.size()));
            }
        }
    }

    /** Kills what still runs and removes its volumes. */
    @Override
    public void close() throws IOException {
        run.close();
        meter.close();
        if (sink != null) {
            sink.close();
        }
        for (BuildHub hub : hubs.values()) {
            hub.close();
        }
        hubs.clear();
        Folders.delete(folder);
    }
}
