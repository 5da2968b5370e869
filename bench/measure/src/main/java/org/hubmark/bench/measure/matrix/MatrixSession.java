package org.hubmark.bench.measure.matrix;

import org.hubmark.bench.kit.document.JsonFile;
import org.hubmark.bench.measure.Measurement;
import org.hubmark.bench.measure.RandomBlocks;
import org.hubmark.bench.measure.hub.HubSpec;
import org.hubmark.bench.measure.run.DataFolders;
import org.hubmark.bench.measure.run.HubRequest;
import org.hubmark.bench.measure.run.Interruption;
import org.hubmark.bench.measure.run.LatencyRequest;
import org.hubmark.bench.measure.run.PublishRequest;
import org.hubmark.bench.measure.run.RunEstimate;
import org.hubmark.bench.measure.run.RunRequest;
import org.hubmark.bench.measure.run.RunSession;
import org.hubmark.bench.measure.run.ScenarioRequest;
import org.hubmark.bench.measure.run.TargetFacts;
import org.hubmark.bench.results.Condition;
import org.hubmark.bench.results.Conditions;
import org.hubmark.bench.results.Figure;
import org.hubmark.bench.results.Results;
import org.hubmark.bench.results.Scenario;
import org.hubmark.core.ByteSize;
import org.hubmark.core.UserError;
import org.hubmark.hub.VolumeFolders;
import org.hubmark.hub.audit.AuditShare;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Measures the cells of a matrix in random blocks, each repeat with a hub of its own on emptied
 * volumes. A finished repeat is kept in the folder, and a later session with the same folder goes on
 * from there. One thread; when that is interrupted, the results have what was finished until then.
 */
public final class MatrixSession {
    /** As docs/measurement.md says: 5 s each until sink and receiving hub are warm, then 2 s each. */
    private static final Duration CEILINGS_ONCE = Duration.ofSeconds(12);

    private static final Duration CEILINGS_EACH = Duration.ofSeconds(4);
    private static final Duration CEILINGS_CELL = Duration.ofSeconds(2);

    private final MatrixRequest request;
    private final Path folder;
    private final CellFiles files;
    private final SharedCeilings shared;
    private final CellDevices devices;
    private final CellLoad load;
    private final Map<Cell, List<FinishedRepeat>> kept = new LinkedHashMap<>();
    private final Map<Cell, String> failures = new LinkedHashMap<>();
    private final Instant startedAt = Instant.now();
    private boolean interrupted;
    private int measured;
    private long measuredNanos;

    /**
     * Looks at what an earlier session left.
     *
     * @param folder an existing folder
     * @throws UserError if what was measured there was measured under other settings
     */
    public MatrixSession(MatrixRequest request, Path folder, CellDevices devices, CellLoad load)
            throws IOException {
        this.request = request;
        this.folder = folder;
        this.files = new CellFiles(folder);
        this.shared = new SharedCeilings(folder.resolve("ceilings.json"));
        this.devices = devices;
        this.load = load;
        for (Cell cell : request.cells()) {
            for (int repeat = 1; repeat <= request.repeats().count(); repeat++) {
                FinishedRepeat earlier = FinishedRepeat.read(files.finished(cell, repeat));
                if (earlier != null) {
                    checkSame(earlier);
                    keep(cell, earlier);
                }
            }
        }
    }

    private void checkSame(FinishedRepeat earlier) {
        request.identity().forEach((name, value) -> {
            String then = earlier.identity().get(name);
            if (!value.equals(then)) {
                throw UserError.usage("--output " + folder + " was measured with " + name + " "
                        + then + ", not " + value + "; name another folder, or the same " + name);
            }
        });
    }

    private void keep(Cell cell, FinishedRepeat one) {
        kept.computeIfAbsent(cell, c -> new ArrayList<>()).add(one);
    }

    /** {@return how many repeats of cells an earlier session has finished} */
    public int keptRepeats() {
        return kept.values().stream().mapToInt(List::size).sum();
    }

    /** {@return the cells with a repeat that is still to be measured} */
    public List<Cell> unfinished() {
        List<Cell> cells = new ArrayList<>();
        for (Cell cell : request.cells()) {
            if (kept.getOrDefault(cell, List.of()).size() < request.repeats().count()) {
                cells.add(cell);
            }
        }
        return cells;
    }

    /** {@return how long what is left takes, about} */
    public RunEstimate estimate() {
        List<Cell> unfinished = unfinished();
        RunEstimate all = RunEstimate.NOTHING.plus(once(unfinished));
        PublishRequest publish = request.extras().publish();
        if (publish != null) {
            all = all.plus(new RunEstimate(Duration.ZERO, RunEstimate.steadying(publish), null));
        }
        Set<String> warm = new HashSet<>();
        for (Cell cell : unfinished) {
            for (int repeat = 1; repeat <= request.repeats().count(); repeat++) {
                if (!finished(cell, repeat)) {
                    LatencyRequest latency = repeat < request.repeats().count()
                            ? null
                            : request.extras().latencyAt();
                    all = all.plus(RunEstimate.of(
                                    request(cell, repeat, noFolders(), Map.of(), latency, null),
                                    warm))
                            .plus(request.times().jitWarmUp());
                }
            }
        }
        return all;
    }

    /** Making the volumes, preparing them, and the ceilings. */
    private Duration once(List<Cell> unfinished) {
        Duration time = RunEstimate.writing(devices.preparedBytes(unfinished));
        PublishRequest publish = request.extras().publish();
        if (publish != null) {
            time = time.plus(RunEstimate.preparation(publish));
        }
        if (!request.extras().ceilings()) {
            return time;
        }
        int missing = shared.missing(request.cells()).size();
        return time.plus(missing == 0 ? Duration.ZERO : CEILINGS_ONCE)
                .plus(CEILINGS_EACH.multipliedBy(missing))
                .plus(CEILINGS_CELL.multipliedBy(unfinished.size()));
    }

    private DataFolders noFolders() {
        return new DataFolders(VolumeFolders.same(folder));
    }

    /** {@return whether it ended early because it was told to} */
    public boolean interrupted() {
        return interrupted;
    }

    /** {@return the cells that could not be measured, with the reason} */
    public Map<Cell, String> failures() {
        return failures;
    }

    /**
     * Measures what is left.
     *
     * @param interruption of the calling thread
     * @throws UserError if nothing at all could be measured
     */
    public Results run(Interruption interruption) throws IOException {
        List<Cell> unfinished = unfinished();
        if (!unfinished.isEmpty()) {
            say("making the volumes");
            devices.prepare(unfinished);
        }
        for (int repeat = 1; repeat <= request.repeats().count() && !interrupted; repeat++) {
            for (Cell cell :
                    new RandomBlocks(request.repeats().seed()).order(request.cells(), repeat)) {
                if (!interrupted && !finished(cell, repeat) && !failures.containsKey(cell)) {
                    measure(cell, repeat, interruption);
                }
            }
        }
        if (request.extras().ceilings() && !interrupted) {
            measureShared(interruption);
        }
        files.assemble(request.cells(), request.repeats().count(), this::finished);
        return results();
    }

    private void measureShared(Interruption interruption) throws IOException {
        List<Cell> missing = shared.missing(
                request.cells().stream().filter(kept::containsKey).toList());
        if (missing.isEmpty()) {
            return;
        }
        Path own = files.freshForCeilings();
        DataFolders none = new DataFolders(VolumeFolders.same(own));
        interrupted = shared.measure(
                missing,
                cell -> request(cell, 1, none, Map.of(), null, null).scenarios().getFirst(),
                request(missing.getFirst(), 1, none, Map.of(), null, null),
                own,
                interruption);
    }

    private boolean finished(Cell cell, int repeat) {
        return kept.getOrDefault(cell, List.of()).stream()
                .anyMatch(one -> one.outcome().repeat().repeat() == repeat);
    }

    private void measure(Cell cell, int repeat, Interruption interruption) throws IOException {
        say(progress(cell, repeat));
        long begun = System.nanoTime();
        try {
            measure(cell, repeat, files.fresh(cell, repeat), interruption);
        } catch (UserError e) {
            // The other cells may do well.
            failures.put(cell, "repeat " + repeat + ": " + e.getMessage());
            say("failed: " + e.getMessage());
        }
        measured++;
        measuredNanos += System.nanoTime() - begun;
    }

    private void measure(Cell cell, int repeat, Path own, Interruption interruption)
            throws IOException {
        try (CellVolumes volumes = new CellVolumes(cell, devices, folder.resolve("emulation"));
                DataFolders folders = new DataFolders(volumes.folders());
                RunSession session = new RunSession(
                        request(
                                cell,
                                repeat,
                                folders,
                                volumes.environment(),
                                latency(cell, repeat),
                                publish(folders)),
                        own,
                        interruption)) {
            Results results = session.run();
            interrupted = session.interrupted();
            if (session.failure() != null) {
                failures.put(cell, "repeat " + repeat + ": " + session.failure());
            }
            if (interrupted || session.outcomes().isEmpty()) {
                return;
            }
            Measurement.Outcome outcome = session.outcomes().getFirst();
            Scenario scenario = results.scenarios().getFirst();
            FinishedRepeat one = new FinishedRepeat(
                    JsonFile.SCHEMA,
                    request.identity(),
                    results.startedAt(),
                    scenario.messageSizeKb(),
                    scenario.conditions(),
                    results.tool(),
                    results.environment(),
                    results.settings(),
                    outcome,
                    scenario.sustainedRate(),
                    request.extras().ceilings() && repeat == 1 ? session.logCeiling() : null,
                    scenario.latencyAt(),
                    results.publish());
            interrupted = session.interrupted();
            keep(cell, one);
            if (session.failure() == null) {
                one.write(files.finished(cell, repeat));
            }
        }
    }

    /**
     * Request of the latency at a lower rate: made with the last repeat of a cell, when the rates
     * of the others are known.
     */
    private @Nullable LatencyRequest latency(Cell cell, int repeat) {
        LatencyRequest latency = request.extras().latencyAt();
        return latency == null || repeat < request.repeats().count()
                ? null
                : latency.after(kept.getOrDefault(cell, List.of()).stream()
                        .map(one ->
                                one.outcome().repeat().figures().get(Figure.THROUGHPUT_MSGS_PER_S))
                        .flatMap(Stream::ofNullable)
                        .toList());
    }

    /** What an earlier cell has prepared, of whatever session, is not prepared again. */
    private @Nullable PublishRequest publish(DataFolders folders) {
        PublishRequest publish = request.extras().publish();
        List<String> paths =
                folders.volumes().all().stream().map(Path::toString).toList();
        boolean prepared = kept.values().stream()
                .flatMap(List::stream)
                .map(FinishedRepeat::publication)
                .flatMap(Stream::ofNullable)
                .flatMap(earlier -> earlier.preconditioned().stream())
                .flatMap(one -> one.paths().stream())
                .toList()
                .containsAll(paths);
        return publish == null || !prepared ? publish : publish.prepared();
    }

    /** The time left is what each has taken so far, times how many are left. */
    private String progress(Cell cell, int repeat) {
        int all = request.cells().size() * request.repeats().count();
        int done = keptRepeats();
        String left = measured == 0
                ? ""
                : ", about "
                        + RunEstimate.text(
                                Duration.ofNanos(measuredNanos / measured * (all - done)))
                        + " left";
        return "cell " + cell.id() + ", repeat " + repeat + " of "
                + request.repeats().count() + " (" + done + " of " + all + " done" + left + ")";
    }

    private void say(String line) {
        if (!request.caller().quiet()) {
            System.err.println(line);
        }
    }

    private RunRequest request(
            Cell cell,
            int repeat,
            DataFolders folders,
            Map<String, String> environment,
            @Nullable LatencyRequest latency,
            @Nullable PublishRequest publish) {
        HubSpec spec = new HubSpec(
                        cell.deliver(),
                        cell.durability(),
                        cell.depthBytes(),
                        true,
                        request.hubSettings())
                .audited(request.extras().publish() == null ? AuditShare.SAMPLED : AuditShare.ALL);
        HubRequest hub = new HubRequest(folders, spec, environment);
        ScenarioRequest scenario = load.of(cell, hub, conditions(cell));
        return new RunRequest(
                new RunRequest.Caller(
                        request.caller().program(),
                        request.caller().command(),
                        Map.of(),
                        request.caller().quiet()),
                List.of(new ScenarioRequest(
                        cell.id(),
                        ByteSize.format(cell.sizeBytes()),
                        scenario.source(),
                        scenario.hub(),
                        scenario.conditions())),
                new RunRequest.Repeats(repeat, 1, request.repeats().seed()),
                request.times(),
                TargetFacts.UNKNOWN,
                request.sharedMachine(),
                new RunRequest.Extras(false, false, latency, publish));
    }

    private static Conditions conditions(Cell cell) {
        return Conditions.UNKNOWN
                .with(Condition.DURABILITY, cell.durability())
                .with(Condition.INTAKE, "store")
                .with(Condition.DELIVER, cell.deliver())
                .with(Condition.LAYOUT, cell.layout().toString())
                .with(
                        Condition.DEVICE_PROFILE,
                        cell.device() == null ? null : cell.device().toString())
                .with(Condition.CHECKPOINT_DEPTH_MB, cell.depthBytes() / 1e6)
                .with(Condition.ASKED_RATE, ScenarioRequest.rate(cell.rate()))
                .with(cell.safety());
    }

    private Results results() {
        Results results = new MatrixResults(request, shared, startedAt).of(kept);
        if (results == null) {
            throw UserError.failed(
                    interrupted
                            ? "interrupted before anything was measured"
                            : "no cell could be measured: " + failures.values());
        }
        return results;
    }
}
