package org.hubmark.bench.measure.builds;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Context;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Form;
import org.hubmark.bench.kit.document.Kind;
import org.hubmark.bench.kit.document.Name;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Study;
import org.hubmark.bench.machine.folders.Folders;
import org.hubmark.bench.measure.hub.ServerProcess;
import org.hubmark.core.FileErrors;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * Sets builds beside each other: in each round every build has its turn, in random order, and only
 * one hub is under load at a time. Blocks; one thread, which must not end before its run has.
 */
public final class BuildsStudy implements Study {
    private final BuildsRequest request;

    /** Prepares. */
    public BuildsStudy(BuildsRequest request) {
        this.request = request;
    }

    @Override
    public Kind kind() {
        return BuildsResult.KIND;
    }

    @Override
    public Document run(Context context) throws IOException, InterruptedException {
        List<Build> builds = new Checkout(
                        request.sources().root(), line -> context.phase(line, Duration.ZERO))
                .builds(request.sources().refs());
        context.input(BuildsResult.BUILDS, builds.stream().map(Build::named).toList());
        context.note("seed " + request.rounds().seed());
        Files.createDirectories(request.hubs().folder());
        Path folder =
                Files.createTempDirectory(request.hubs().folder(), "compare-").toAbsolutePath();
        try (Run run = new Run(builds, folder, context)) {
            run.startSink();
            for (LoadCase load : request.load().cases()) {
                run.compare(load);
            }
        }
        return context.document();
    }

    private Form form() {
        return switch (request.subject()) {
            case START -> BuildsResult.STARTS;
            case LOAD ->
                request.hubs().nextHop() == DeliveryMode.SMTP_SINK
                        ? BuildsResult.RELAYS
                        : BuildsResult.LOADS;
        };
    }

    private static Map<Name, Object> names(LoadCase load, Build build) {
        return Map.of(
                BuildsResult.LOAD,
                load.id(),
                BuildsResult.BUILD,
                build.label(),
                BuildsResult.SIZE,
                load.sizeBytes() / 1000.0,
                BuildsResult.TRANSFER,
                load.transfer().toString());
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

    /** The hubs of a run, which end with it. One thread. */
    private final class Run implements AutoCloseable {
        private final List<Build> builds;
        private final Path folder;
        private final Context context;
        private final RoundMeter meter;
        private final Random random = new Random(request.rounds().seed());
        private final Map<Build, BuildHub> hubs = new LinkedHashMap<>();
        private @Nullable ServerProcess sink;
        private int hubsStarted;

        private Run(List<Build> builds, Path folder, Context context) {
            this.builds = builds;
            this.folder = folder;
            this.context = context;
            this.meter = new RoundMeter(request, context::elapsed, context::others);
        }

        private void startSink() throws IOException, InterruptedException {
            if (request.hubs().nextHop() == DeliveryMode.SMTP_SINK) {
                sink = ServerProcess.launch(
                        "the sink",
                        request.program().otherCommand(List.of("sink", "--listen=127.0.0.1:0")),
                        Map.of(),
                        folder.resolve("sink.log"),
                        () -> {});
            }
        }

        private void compare(LoadCase load) throws IOException, InterruptedException {
            boolean isLeft = builds.stream()
                    .anyMatch(build -> isMissing(build, load, request.rounds().count()));
            builds.forEach(build -> context.expect(form(), names(load, build)));
            if (isLeft && !request.hubs().fresh()) {
                for (Build build : builds) {
                    warmUp(running(build), load);
                }
            } else if (isLeft && request.subject() == Subject.START) {
                // The first start reads its files from the disk, and the driver is cold.
                for (Build build : builds) {
                    var unused = turn(build, load, 0);
                }
            }
            for (int number = 1; number <= request.rounds().count(); number++) {
                // Also for a round that an interrupted run had, so that the next one has its order.
                List<Build> order = new ArrayList<>(builds);
                Collections.shuffle(order, random);
                for (Build build : order) {
                    if (isMissing(build, load, number)) {
                        round(build, load, number);
                    }
                }
            }
        }

        private boolean isMissing(Build build, LoadCase load, int number) {
            return context.repeats(form(), names(load, build)) < number;
        }

        private void round(Build build, LoadCase load, int number)
                throws IOException, InterruptedException {
            Repeat measured = context.repeat(
                    form(), names(load, build), number, () -> turn(build, load, number));
            for (Column figure : form().columns()) {
                // Ratios are made of them.
                boolean isRatio = figure.definition() instanceof Column.Definition.InPairs;
                if (!isRatio
                        && figure.better() != Column.Better.NEITHER
                        && !(figure.value(measured) > 0)
                        && measured.texts(BuildsResult.INVALID).isEmpty()) {
                    throw UserError.failed(build.name() + ": '" + figure.heading()
                            + "' is 0 in a round; give it longer (--duration)");
                }
            }
        }

        private void addWarmUp(List<String> reasons) {
            Set<Object> all = new LinkedHashSet<>();
            if (context.fact(BuildsResult.WARM_UP) instanceof List<?> before) {
                all.addAll(before);
            }
            all.addAll(reasons);
            context.fact(BuildsResult.WARM_UP, List.copyOf(all));
        }

        /** {@return what a build did} The number 0 is a turn that does not count. */
        private Repeat turn(Build build, LoadCase load, int number)
                throws IOException, InterruptedException {
            String phase = load.id()
                    + (number == 0
                            ? ", not counted, "
                            : ", round " + number + "/" + request.rounds().count() + ", ")
                    + build.name();
            if (!request.hubs().fresh()) {
                context.phase(phase, request.rounds().duration());
                return measured(running(build), () -> meter.load(running(build), load, number));
            }
            long startNanos = System.nanoTime();
            try (BuildHub hub = start(build)) {
                return switch (request.subject()) {
                    case START -> {
                        context.phase(phase, Duration.ZERO);
                        yield measured(hub, () -> meter.first(hub, load, startNanos, number));
                    }
                    case LOAD -> {
                        warmUp(hub, load);
                        context.phase(phase, request.rounds().duration());
                        yield measured(hub, () -> meter.load(hub, load, number));
                    }
                };
            }
        }

        private void warmUp(BuildHub hub, LoadCase load) throws IOException, InterruptedException {
            if (!request.rounds().warmup().isZero()) {
                String phase = load.id() + ", warm-up, " + hub.build().name();
                context.phase(phase, request.rounds().warmup());
                List<String> reasons = measured(
                        hub, () -> meter.warmUp(hub, load, request.rounds().warmup()));
                addWarmUp(reasons.stream().map(reason -> phase + ": " + reason).toList());
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
            List<String> arguments = new ArrayList<>(request.hubs().arguments());
            ServerProcess nextHop = sink;
            arguments.add(
                    request.hubs().nextHop().argument(nextHop == null ? null : nextHop.address()));
            return BuildHub.start(
                    build, arguments, folder.resolve("hub-" + ++hubsStarted), nextHop);
        }

        /** Kills what still runs and removes its volumes. */
        @Override
        public void close() throws IOException {
            meter.close();
            if (sink != null) {
                sink.close();
            }
            for (BuildHub hub : hubs.values()) {
                hub.close();
            }
            Folders.delete(folder);
        }
    }
}
