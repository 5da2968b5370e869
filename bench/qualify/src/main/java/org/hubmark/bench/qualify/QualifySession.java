package org.hubmark.bench.qualify;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.kit.document.JsonFile;
import org.hubmark.bench.machine.Disclosure;
import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.machine.Machine;
import org.hubmark.bench.machine.folders.ClaimedFolder;
import org.hubmark.bench.machine.volumes.Volume;
import org.hubmark.bench.measure.Progress;
import org.hubmark.bench.measure.TimeSource;
import org.hubmark.bench.qualify.report.QualificationReport;
import org.hubmark.bench.qualify.result.PhaseResult;
import org.hubmark.bench.qualify.result.Qualification;
import org.hubmark.bench.qualify.result.RawSamples;
import org.hubmark.bench.qualify.result.Verdict;
import org.hubmark.core.FileErrors;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * One qualification from the first look at the volumes to the report. Finished phases are written as they
 * come, and a session with the same results folder goes on behind them. Blocks; one thread.
 */
public final class QualifySession implements AutoCloseable {
    private final QualifyRequest request;
    private final Path folder;
    private final Progress progress;
    private final TimeSource time;
    private final List<DatabasePlace> places;
    private final List<ClaimedFolder> claimed = new ArrayList<>();
    private final Map<String, JsonNode> phases = new LinkedHashMap<>();
    /** Databases that were there before stay. */
    private final List<DatabasePlace> made = new ArrayList<>();

    /** The comparison of cache modes; null where there is none. */
    private @Nullable JsonNode cache;

    private boolean interrupted;
    private @Nullable Qualification outcome;
    private List<String> mismatches = List.of();

    /**
     * Prepares.
     *
     * @param folder of the results; exists
     * @throws UserError when a volume is not there or in use, or the folder has results of something else
     */
    public QualifySession(QualifyRequest request, Path folder) throws IOException {
        this(request, folder, TimeSource.SYSTEM);
    }

    /** Prepares one whose phases go by a time of their own. */
    QualifySession(QualifyRequest request, Path folder, TimeSource time) throws IOException {
        this.request = request;
        this.folder = folder;
        this.time = time;
        this.progress = new Progress(System.err, request.quiet());
        this.places = DatabasePlace.deal(
                request.databaseVolumes(), request.logVolumes(), request.databases());
        requireFolders();
        takeUp();
        boolean ready = false;
        try {
            for (Path volume : volumes()) {
                claimed.add(ClaimedFolder.of(volume));
            }
            ready = true;
        } finally {
            if (!ready) {
                release();
            }
        }
    }

    private void requireFolders() {
        for (Path volume : request.databaseVolumes()) {
            requireFolder("--database-volume", volume);
        }
        for (Path volume : request.logVolumes()) {
            requireFolder("--log-volume", volume);
        }
    }

    private static void requireFolder(String option, Path volume) {
        if (!Files.isDirectory(volume)) {
            throw UserError.failed(
                    option + " " + volume + " is not a folder that is there: name one"
                            + " on the volume that is to be judged");
        }
        if (!Files.isWritable(volume)) {
            throw UserError.failed(option + " " + volume + " can't be written");
        }
    }

    /** The folders of the volumes, each once, however it is spelt. */
    private List<Path> volumes() throws IOException {
        Map<Path, Path> byRealPath = new LinkedHashMap<>();
        for (Path volume : Stream.concat(
                        request.databaseVolumes().stream(), request.logVolumes().stream())
                .toList()) {
            byRealPath.putIfAbsent(volume.toRealPath(), volume);
        }
        return List.copyOf(byRealPath.values());
    }

    /** Phases that an interrupted run has finished are not run again. */
    private void takeUp() throws IOException {
        JsonNode earlier = Qualification.read(folder);
        if (earlier == null) {
            return;
        }
        if (!earlier.path("identity").asText().equals(request.identity())) {
            throw UserError.failed(
                    folder + " has the results of another qualification: name another"
                            + " --output, or the same options to go on with that one");
        }
        for (JsonNode phase : earlier.path("phases")) {
            if (phase.path("complete").asBoolean()) {
                phases.put(phase.path("phase").asText(), phase);
            }
        }
    }

    /**
     * {@return what was found, as far as it went}
     *
     * @throws IOException when a volume fails or is full; what was measured until then is written
     * @throws InterruptedException if it was interrupted before there was anything to write
     */
    public Qualification run() throws IOException, InterruptedException {
        List<Volume> volumes = VolumeLook.volumes(request);
        Environment environment = Machine.inspect(volumes).with(Disclosure.of(null, null));
        try {
            // Said first: storage that loses what was synced is good for no load.
            VolumeLook.unsafe(volumes).forEach(progress::note);
            prepare();
            if (request.comparesCaches()) {
                compareCaches();
            }
            for (Phase phase : Phase.values()) {
                if (request.phases().contains(phase) && !phases.containsKey(phase.toString())) {
                    keep(run(phase));
                    write(environment, volumes);
                }
            }
        } catch (PhaseInterruption e) {
            keep(e.result());
            interrupted = true;
        } catch (PhaseFailure e) {
            if (!request.comparesCaches()) {
                keep(e.result());
            }
            write(environment, volumes);
            throw e;
        } catch (InterruptedException e) {
            interrupted = true;
        } finally {
            progress.close();
        }
        return write(environment, volumes);
    }

    private void compareCaches() throws IOException, InterruptedException {
        CacheComparison comparison =
                new CacheComparison(new PhaseContext(request, places, folder, progress, time));
        try {
            comparison.run();
        } catch (PhaseInterruption e) {
            throw new InterruptedException(e.getMessage());
        } finally {
            cache = JsonFile.tree(comparison.pairs());
        }
    }

    private void keep(PhaseResult phase) {
        phases.put(phase.phase(), JsonFile.tree(phase));
    }

    /** Opens, fills and closes them, so that each phase finds them as any other. */
    private void prepare() throws IOException, InterruptedException {
        if (!request.comparesCaches()
                && request.phases().stream()
                        .allMatch(phase -> phases.containsKey(phase.toString()))) {
            return;
        }
        requireOurs();
        places.stream().filter(place -> !Files.exists(place.database())).forEach(made::add);
        Filling filling = new Filling(request, places, progress);
        filling.requireRoom();
        for (DatabasePlace place : places) {
            BackupPhase.delete(place);
        }
        if (request.phases().equals(Set.of(Phase.CHECKSUM))
                && places.stream().allMatch(place -> Files.isDirectory(place.database()))) {
            // They are looked at as they are: to open them would write.
            return;
        }
        try (OpenDatabases databases = OpenDatabases.open(request, places)) {
            filling.fill(databases.all()).forEach(progress::note);
        } catch (IOException e) {
            throw UserError.failed("the databases can't be prepared: " + FileErrors.text(e));
        }
    }

    /** What has our names and is not ours is left alone. */
    private void requireOurs() {
        for (DatabasePlace place : places) {
            boolean there = Files.exists(place.database());
            if (there && !Files.exists(place.database().resolve("CURRENT"))) {
                throw UserError.failed(place.database() + " is there and is no database of ours:"
                        + " move it away, or name another --database-volume");
            }
        }
    }

    private PhaseResult run(Phase phase) throws IOException, InterruptedException {
        boolean done = false;
        try {
            PhaseResult result =
                    run(phase, new PhaseContext(request, places, folder, progress, time));
            done = true;
            return result;
        } catch (PhaseInterruption | PhaseFailure e) {
            done = true;
            throw e;
        } finally {
            if (!done) {
                RawSamples.delete(folder, phase.toString());
            }
        }
    }

    private PhaseResult run(Phase phase, PhaseContext context)
            throws IOException, InterruptedException {
        return switch (phase) {
            case PERFORMANCE, STRESS -> new TransactionalPhase(context, phase).run();
            case BACKUP -> new BackupPhase(context).run();
            case RECOVERY -> new RecoveryPhase(context).run();
            case CHECKSUM -> new ChecksumPhase(context).run();
        };
    }

    private Qualification write(Environment environment, List<Volume> volumes) throws IOException {
        List<JsonNode> inOrder = Stream.of(Phase.values())
                .flatMap(phase -> Stream.ofNullable(phases.get(phase.toString())))
                .toList();
        List<String> reasons = new ArrayList<>();
        boolean judged = false;
        for (JsonNode phase : inOrder) {
            judged |= phase.path("verdict").isTextual();
            if (phase.path("verdict").asText().equals(Verdict.FAIL.text())) {
                phase.path("reasons")
                        .forEach(reason ->
                                reasons.add(phase.path("phase").asText() + ": " + reason.asText()));
            }
        }
        reasons.addAll(VolumeLook.unsafe(volumes));
        Qualification now = new Qualification(
                JsonFile.SCHEMA,
                request.program().tool(),
                environment,
                request.command(),
                request.settings(),
                request.identity(),
                request.targetIops(),
                request.thresholds(),
                verdict(reasons, judged),
                reasons,
                inOrder,
                cache);
        now.write(folder);
        mismatches = QualificationReport.write(now.tree(), folder).mismatches();
        outcome = now;
        return now;
    }

    /** One reason is enough to fail; to pass takes all phases. */
    private @Nullable Verdict verdict(List<String> reasons, boolean judged) {
        if (!reasons.isEmpty()) {
            return Verdict.FAIL;
        }
        return judged && request.phases().stream().allMatch(this::isComplete) ? Verdict.PASS : null;
    }

    private boolean isComplete(Phase phase) {
        JsonNode found = phases.get(phase.toString());
        return found != null && found.path("complete").asBoolean();
    }

    /** {@return whether it was ended before its time} */
    public boolean interrupted() {
        return interrupted;
    }

    /** {@return what was written last; null when nothing was} */
    public @Nullable Qualification outcome() {
        return outcome;
    }

    /** {@return the figures that do not follow from the raw files, a line each} */
    public List<String> mismatches() {
        return mismatches;
    }

    private void release() throws IOException {
        for (ClaimedFolder one : claimed) {
            one.close();
        }
    }

    /** Takes away the databases that it has made, unless they are to be kept. */
    @Override
    public void close() throws IOException {
        try {
            for (DatabasePlace place : request.keep() ? List.<DatabasePlace>of() : made) {
                place.delete();
            }
        } finally {
            release();
        }
    }
}
