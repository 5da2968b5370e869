package org.hubmark.bench.mail.matrix;

import org.hubmark.bench.kit.document.Context;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.kit.document.Kind;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.document.Series;
import org.hubmark.bench.kit.document.Study;
import org.hubmark.bench.machine.volumes.DirectFiles;
import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.hubmark.bench.mail.meter.Progress;
import org.hubmark.bench.mail.meter.RandomBlocks;
import org.hubmark.bench.mail.meter.Samples;
import org.hubmark.bench.hub.HubSpec;
import org.hubmark.bench.hub.DataFolders;
import org.hubmark.bench.mail.study.HubRequest;
import org.hubmark.bench.mail.study.Interruption;
import org.hubmark.bench.mail.study.Kept;
import org.hubmark.bench.mail.study.LatencyRequest;
import org.hubmark.bench.mail.study.MailStudy;
import org.hubmark.bench.mail.study.PublishRequest;
import org.hubmark.bench.mail.study.RunEstimate;
import org.hubmark.bench.mail.study.RunRequest;
import org.hubmark.bench.mail.study.RunSession;
import org.hubmark.bench.mail.study.ScenarioRequest;
import org.hubmark.bench.machine.watch.TargetFacts;
import org.hubmark.bench.mail.document.Condition;
import org.hubmark.bench.mail.document.Conditions;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.MailDocument;
import org.hubmark.bench.mail.document.Results;
import org.hubmark.bench.mail.document.Scenario;
import org.hubmark.bench.mail.report.Report;
import org.hubmark.core.ByteSize;
import org.hubmark.core.UserError;
import org.hubmark.hub.VolumeFolders;
import org.hubmark.hub.audit.AuditShare;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Measures the cells of a matrix in random blocks, each repeat with a hub of its own on emptied
 * volumes. A finished repeat is kept, and a later run with the same folder goes on from there, with more
 * cells or repeats where they are asked for. One thread.
 */
public final class MatrixStudy implements Study {
    private static final Duration CEILINGS_CELL = Duration.ofSeconds(2);

    private final MatrixRequest request;
    private final Path folder;
    private final CellFiles files;
    private final CellDevices devices;
    private final CellLoad load;
    private final Interruption interruption;
    private final Progress progress;
    private final Map<String, CellRepeats> measured = new LinkedHashMap<>();
    /** How many complete repeats there are, by the id of the cell. */
    private final Map<String, Integer> kept = new LinkedHashMap<>();

    private final Map<Cell, String> failures = new LinkedHashMap<>();
    private boolean isInterrupted;
    private int attempts;
    private long attemptsNanos;

    /**
     * Looks at what an earlier run left.
     *
     * @param folder of the results
     * @param interruption of the calling thread; stays the caller's, as does the progress
     */
    public MatrixStudy(
            MatrixRequest request,
            Path folder,
            CellDevices devices,
            CellLoad load,
            Interruption interruption,
            Progress progress)
            throws IOException {
        this.request = request;
        this.folder = folder;
        this.files = new CellFiles(folder);
        this.devices = devices;
        this.load = load;
        this.interruption = interruption;
        this.progress = progress;
        if (DocumentFile.isIn(folder, MailDocument.KIND)) {
            for (Row row : rows(DocumentFile.read(folder, MailDocument.KIND))) {
                keep(row);
            }
        }
    }

    private static List<Row> rows(Document document) {
        return document.table(MailDocument.SCENARIOS).rows();
    }

    private void keep(Row row) {
        kept.put(row.name(MailDocument.ID), (int)
                row.repeats().stream().filter(Repeat::complete).count());
    }

    @Override
    public Kind kind() {
        return MailDocument.KIND;
    }

    @Override
    public Set<String> extent() {
        return request.extent();
    }

    /** {@return how many repeats of the cells an earlier run has finished} */
    public int keptRepeats() {
        return request.cells().stream().mapToInt(this::kept).sum();
    }

    private int kept(Cell cell) {
        return Math.min(kept.getOrDefault(cell.id(), 0), request.repeats().count());
    }

    /** {@return the cells with a repeat that is still to be measured} */
    public List<Cell> unfinished() {
        return request.cells().stream()
                .filter(cell -> kept(cell) < request.repeats().count())
                .toList();
    }

    /** {@return how long what is left takes, about} */
    public RunEstimate estimate() {
        List<Cell> unfinished = unfinished();
        RunEstimate all = RunEstimate.NOTHING.plus(once(unfinished));
        Set<String> warm = new HashSet<>();
        for (Cell cell : unfinished) {
            for (int repeat = 1; repeat <= request.repeats().count(); repeat++) {
                if (repeat > kept(cell)) {
                    LatencyRequest latency = repeat < request.repeats().count()
                            ? null
                            : request.extras().latencyAt();
                    all = all.plus(RunEstimate.of(
                                    request(cell, repeat, noFolders(), latency), warm))
                            .plus(request.times().jitWarmUp());
                }
            }
        }
        return all;
    }

    /** Making the volumes, preparing them, and the ceilings. */
    private Duration once(List<Cell> unfinished) {
        Duration time = RunEstimate.writing(devices.preparedBytes(unfinished));
        return request.extras().ceilings()
                ? time.plus(CEILINGS_CELL.multipliedBy(unfinished.size()))
                : time;
    }

    private DataFolders noFolders() {
        return new DataFolders(VolumeFolders.same(folder));
    }

    /** {@return the cells that could not be measured, with the reason} */
    public Map<Cell, String> failures() {
        return failures;
    }

    @Override
    public Document run(Context context) throws IOException, InterruptedException {
        context.input(MailDocument.HUB_SETTINGS, request.hubSettings());
        MailStudy.resumeMachine(context);
        resume(context);
        try {
            measureAll(context);
        } finally {
            assemble(context);
        }
        if (context.isEmpty()) {
            throw UserError.failed("no cell could be measured: " + failures.values());
        }
        return context.document();
    }

    /** What an interrupted run left is in the context, which has checked that it belongs to this one. */
    private void resume(Context context) throws IOException {
        kept.clear();
        if (context.isEmpty()) {
            return;
        }
        Document document = context.document();
        Results earlier = MailDocument.results(document);
        for (Row row : rows(document)) {
            keep(row);
            Scenario like = earlier.scenario(row.name(MailDocument.ID)).orElseThrow();
            CellRepeats repeats = new CellRepeats(like);
            row.repeats().forEach(repeats::add);
            measured.put(like.id(), repeats);
        }
    }

    private void measureAll(Context context) throws IOException, InterruptedException {
        request.cells()
                .forEach(
                        cell -> context.expect(MailDocument.SCENARIOS, MailDocument.id(cell.id())));
        List<Cell> unfinished = unfinished();
        if (!unfinished.isEmpty()) {
            context.note("making the volumes");
            devices.prepare(unfinished);
        }
        for (int repeat = 1; repeat <= request.repeats().count(); repeat++) {
            for (Cell cell :
                    new RandomBlocks(request.repeats().seed()).order(request.cells(), repeat)) {
                if (repeat > kept(cell) && !failures.containsKey(cell)) {
                    measure(context, cell, repeat);
                }
            }
        }
    }

    /** What was broken off is left out: no figure is made of it. */
    private void assemble(Context context) throws IOException {
        if (context.isEmpty()) {
            return;
        }
        for (Cell cell : request.cells()) {
            CellRepeats repeats = measured.get(cell.id());
            if (repeats != null) {
                MailStudy.describe(context, repeats.scenario());
            }
        }
    }

    private RunSession.Surroundings surroundings(Context context, Path own, Kept keeper) {
        return new RunSession.Surroundings(own, interruption, progress, context::others, keeper);
    }

    private void measure(Context context, Cell cell, int repeat)
            throws IOException, InterruptedException {
        context.note(progress(cell, repeat));
        long begun = System.nanoTime();
        try {
            Repeat unused = context.repeat(
                    MailDocument.SCENARIOS,
                    MailDocument.id(cell.id()),
                    repeat,
                    () -> count(context, cell, repeat));
            kept.merge(cell.id(), 1, Integer::sum);
            if (isInterrupted) {
                throw new InterruptedException();
            }
        } catch (UserError e) {
            // The other cells may do well.
            failures.put(cell, "repeat " + repeat + ": " + e.getMessage());
            context.note("failed: " + e.getMessage());
        }
        attempts++;
        attemptsNanos += System.nanoTime() - begun;
    }

    private Repeat count(Context context, Cell cell, int repeat)
            throws IOException, InterruptedException {
        Path own = files.fresh(cell.id(), repeat);
        Single single = new Single(context);
        try (CellVolumes volumes = new CellVolumes(cell, devices, folder.resolve("emulation"));
                DataFolders folders = new DataFolders(volumes.folders());
                RunSession session = new RunSession(
                        request(
                                cell,
                                repeat,
                                folders,
                                settings(cell, volumes.logDevice()),
                                volumes.environment(),
                                latency(cell, repeat),
                                request.extras().publish()),
                        surroundings(context, own, single))) {
            session.run();
            Repeat counted = single.counted;
            String failure = session.failure();
            if (counted == null || !counted.complete()) {
                throw UserError.failed(failure == null ? "nothing was measured" : failure);
            }
            if (failure != null) {
                failures.put(cell, "repeat " + repeat + ": " + failure);
            }
            RunSession.Known known = session.known();
            Scenario scenario = known.scenarios().getFirst();
            CellRepeats repeats =
                    measured.computeIfAbsent(cell.id(), id -> new CellRepeats(scenario));
            repeats.add(counted);
            repeats.beside(scenario.latencyAt());
            if (request.extras().ceilings() && repeat == 1) {
                repeats.logDevice(logCeiling(session, context));
            }
            known(context, known);
            MailStudy.describe(context, repeats.scenario());
            return counted;
        }
    }

    /** What was measured before must not be lost with it. */
    private @Nullable Double logCeiling(RunSession session, Context context) {
        try {
            return session.logCeiling();
        } catch (InterruptedException e) {
            isInterrupted = true;
        } catch (IOException | UserError e) {
            context.note("no ceiling of the log device: " + e.getMessage());
        }
        return null;
    }

    /** Has the repeat of a session that measures one. */
    private static final class Single implements Kept {
        private final Context context;
        private @Nullable Repeat counted;

        Single(Context context) {
            this.context = context;
        }

        @Override
        public int sitting() {
            return context.sitting();
        }

        @Override
        public Series samples(String scenario) throws IOException {
            return context.series(MailDocument.SCENARIOS, MailDocument.id(scenario), Samples.KEYS);
        }

        @Override
        public @Nullable Results earlier() {
            return null;
        }

        @Override
        public Repeat repeat(String scenario, int number, Context.Measurement measurement)
                throws IOException, InterruptedException {
            Repeat made = measurement.count();
            counted = made;
            return made;
        }

        @Override
        public void known(RunSession.Known known) {
            // The matrix asks when the session is over.
        }
    }

    /** A folder may lie on another device from cell to cell; what differs is no setting of the whole. */
    private static void known(Context context, RunSession.Known known) {
        context.environment(known.environment()
                .with(together(
                        context.environment().volumes(), known.environment().volumes())));
        Map<String, @Nullable Object> before = context.settings();
        known.settings().forEach((name, value) -> {
            boolean differs = before.containsKey(name)
                    && !String.valueOf(before.get(name)).equals(String.valueOf(value));
            context.setting(name, differs ? null : value);
        });
        if (known.publication() != null) {
            context.fact(MailDocument.PUBLISH, known.publication());
        }
    }

    private static List<VolumeDisclosure> together(
            List<VolumeDisclosure> first, List<VolumeDisclosure> second) {
        Map<List<Object>, VolumeDisclosure> volumes = new LinkedHashMap<>();
        for (VolumeDisclosure volume :
                Stream.concat(first.stream(), second.stream()).toList()) {
            List<Object> key = new ArrayList<>();
            key.add(volume.role());
            key.add(volume.path());
            key.add(volume.device());
            key.add(volume.emulates());
            key.add(volume.disk().writeCache());
            volumes.putIfAbsent(key, volume);
        }
        return List.copyOf(volumes.values());
    }

    @Override
    public Document concluded(Document found, Path own) throws IOException {
        return MailStudy.judged(MailStudy.fitted(found), own);
    }

    @Override
    public void report(Document written, Path own) throws IOException {
        var unused = Report.write(written, own);
    }

    /**
     * Request of the latency at a lower rate: made with the last repeat of a cell, when the rates
     * of the others are known.
     */
    private @Nullable LatencyRequest latency(Cell cell, int repeat) {
        LatencyRequest latency = request.extras().latencyAt();
        return latency == null || repeat < request.repeats().count()
                ? null
                : latency.after(rates(cell));
    }

    private List<Double> rates(Cell cell) {
        CellRepeats repeats = measured.get(cell.id());
        return repeats == null
                ? List.of()
                : Arrays.stream(repeats.scenario().values(Figure.THROUGHPUT_MSGS_PER_S))
                        .boxed()
                        .toList();
    }

    /** The time left is what each has taken so far, times how many are left. */
    private String progress(Cell cell, int repeat) {
        int all = request.cells().size() * request.repeats().count();
        int done = keptRepeats();
        String left = attempts == 0
                ? ""
                : ", about "
                        + RunEstimate.text(
                                Duration.ofNanos(attemptsNanos / attempts * (all - done)))
                        + " left";
        return "cell " + cell.id() + ", repeat " + repeat + " of "
                + request.repeats().count() + " (" + done + " of " + all + " done" + left + ")";
    }

    /**
     * Left to itself, a hub decides by a short trial at each start whether it writes its log past the page
     * cache. On an emulated device chance would decide, and repeats would differ by half. So the log of a
     * cell is written there as a hub does on such a device: past the page cache where a cache answers syncs.
     */
    private Map<String, String> settings(Cell cell, Path logDevice) throws IOException {
        Map<String, String> settings = new TreeMap<>(request.hubSettings());
        if (cell.profile() != null) {
            boolean isDirect = cell.cache() == CacheState.ON && DirectFiles.arePossible(logDevice);
            settings.putIfAbsent("store.log.direct", isDirect ? "on" : "off");
        }
        return settings;
    }

    /** Of something that needs no volumes. */
    private RunRequest request(
            Cell cell, int repeat, DataFolders folders, @Nullable LatencyRequest latency) {
        return request(cell, repeat, folders, request.hubSettings(), Map.of(), latency, null);
    }

    private RunRequest request(
            Cell cell,
            int repeat,
            DataFolders folders,
            Map<String, String> settings,
            Map<String, String> environment,
            @Nullable LatencyRequest latency,
            @Nullable PublishRequest publish) {
        HubSpec spec = new HubSpec(
                        cell.deliver(), cell.durability(), cell.depthBytes(), true, settings)
                .audited(request.extras().publish() == null ? AuditShare.SAMPLED : AuditShare.ALL);
        HubRequest hub = new HubRequest(folders, spec, environment, cell.hub());
        ScenarioRequest scenario = load.of(cell, hub, conditions(cell));
        return new RunRequest(
                request.program(),
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
                new RunRequest.Extras(false, latency, publish));
    }

    private static Conditions conditions(Cell cell) {
        return Conditions.UNKNOWN
                .with(Condition.HUB, cell.hub() == null ? null : cell.hub().toString())
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

    /** Knows how a cell is loaded. */
    @FunctionalInterface
    public interface CellLoad {
        /** {@return the scenario of a cell, under whatever id and title} */
        ScenarioRequest of(Cell cell, HubRequest hub, Conditions conditions);
    }
}
