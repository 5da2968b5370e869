package org.hubmark.bench.qualify;

import org.hubmark.bench.kit.document.Clock;
import org.hubmark.bench.kit.document.Context;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Kind;
import org.hubmark.bench.kit.document.Name;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Study;
import org.hubmark.bench.machine.folders.FolderClaim;
import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.hubmark.bench.qualify.pages.DatabasePlace;
import org.hubmark.bench.qualify.report.Qualification;
import org.hubmark.bench.qualify.result.PhaseFigures;
import org.hubmark.bench.qualify.result.PhaseVerdict;
import org.hubmark.core.FileErrors;
import org.hubmark.core.UserError;

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
 * One qualification: fills the databases, and runs the phases on them or compares caches. It holds its
 * volumes until it is closed. Blocks; one thread.
 */
public final class QualifyStudy implements Study, AutoCloseable {
    private final QualifyRequest request;
    private final Clock time;
    private final List<DatabasePlace> places;
    private final List<FolderClaim> claimed = new ArrayList<>();
    /** Databases that were there before stay. */
    private final List<DatabasePlace> made = new ArrayList<>();

    /** Whether a phase that an interrupted run has finished had loaded others than are there now. */
    private boolean refilled;

    /**
     * Prepares, and makes the volumes that are absent.
     *
     * @throws UserError when a volume is in use, or holds something else
     */
    public QualifyStudy(QualifyRequest request) throws IOException {
        this(request, Clock.SYSTEM);
    }

    /** Prepares one whose phases go by a time of their own. */
    QualifyStudy(QualifyRequest request, Clock time) throws IOException {
        this.request = request;
        this.time = time;
        QualifyRequest.Databases databases = request.databases();
        this.places =
                DatabasePlace.deal(databases.volumes(), databases.logVolumes(), databases.count());
        boolean ready = false;
        try {
            for (Path volume : volumes(databases.allVolumes())) {
                claimed.add(FolderClaim.of(volume));
                DatabasePlace.requireNothingElse(volume);
            }
            ready = true;
        } finally {
            if (!ready) {
                release();
            }
        }
    }

    /** {@return the folders, each once, however it is spelt} */
    private static List<Path> volumes(List<Path> named) throws IOException {
        Map<Path, Path> byRealPath = new LinkedHashMap<>();
        for (Path volume : named) {
            Path real = Files.exists(volume)
                    ? volume.toRealPath()
                    : volume.toAbsolutePath().normalize();
            byRealPath.putIfAbsent(real, volume);
        }
        return List.copyOf(byRealPath.values());
    }

    /**
     * {@return the volumes as results have them} Whether a sync of the log is worth something is tried on
     * them.
     */
    public List<VolumeDisclosure> volumes() throws IOException, InterruptedException {
        return DatabaseVolumes.volumes(request.databases());
    }

    @Override
    public Kind kind() {
        return Qualification.KIND;
    }

    @Override
    public Document run(Context context) throws IOException, InterruptedException {
        // Said first: storage that loses what was synced is good for no load.
        Qualification.unsafe(context.environment()).forEach(context::note);
        context.fact(PhaseVerdict.TARGET_IOPS, request.load().targetIops());
        request.limits().forEach(context::fact);
        prepare(context);
        refilled = !made.isEmpty() && isLoaded(context);
        PhaseContext phases = new PhaseContext(
                request,
                places,
                new PhaseContext.Progress(context::phase, context::elapsed),
                context::others,
                time);
        if (request.caches().compares()) {
            new CacheComparison(phases, context).run();
        }
        for (Phase phase : Phase.values()) {
            if (request.test().phases().contains(phase)) {
                run(phase, phases, context);
            }
        }
        return context.document();
    }

    /** {@return whether an interrupted run has finished a load} */
    private static boolean isLoaded(Context context) {
        return Stream.of(Phase.PERFORMANCE, Phase.STRESS)
                .anyMatch(phase -> context.repeats(PhaseFigures.PHASES, names(phase)) > 0);
    }

    private static Map<Name, Object> names(Phase phase) {
        return Map.of(PhaseFigures.PHASE, phase.toString());
    }

    private void run(Phase phase, PhaseContext phases, Context context)
            throws IOException, InterruptedException {
        Map<Name, Object> names = names(phase);
        var unused = context.repeat(PhaseFigures.PHASES, names, 1, () -> {
            TransactionalPhase.Collected found = run(phase, phases);
            if (found.failure() != null) {
                // Kept, and told by the failure.
                context.total(PhaseFigures.PHASES, names, found.counts());
                throw found.failure();
            }
            return found.counts();
        });
    }

    private TransactionalPhase.Collected run(Phase phase, PhaseContext phases)
            throws IOException, InterruptedException {
        Repeat counts = switch (phase) {
            case PERFORMANCE, STRESS -> null;
            case BACKUP -> BackupPhase.run(phases);
            case RECOVERY -> RecoveryPhase.run(phases);
            case CHECKSUM -> ChecksumPhase.run(phases, refilled);
        };
        return counts == null
                ? new TransactionalPhase(phases, phase).run()
                : new TransactionalPhase.Collected(counts, null);
    }

    /** Opens, fills and closes them, so that each phase finds them as any other. */
    private void prepare(Context context) throws IOException, InterruptedException {
        for (DatabasePlace place : places) {
            place.requireOurs();
        }
        places.stream().filter(place -> !Files.exists(place.database())).forEach(made::add);
        Filling filling = new Filling(
                request, places, new PhaseContext.Progress(context::phase, context::elapsed));
        filling.requireRoom();
        if (request.test().phases().equals(Set.of(Phase.CHECKSUM))
                && places.stream().allMatch(place -> Files.isDirectory(place.database()))) {
            // They are looked at as they are: to open them would write.
            return;
        }
        try (OpenDatabases databases = OpenDatabases.open(request, places)) {
            filling.fill(databases.all()).forEach(context::note);
        } catch (IOException e) {
            throw UserError.failed("the databases can't be prepared: " + FileErrors.text(e));
        }
    }

    private void release() throws IOException {
        for (FolderClaim one : claimed) {
            one.close();
        }
    }

    /** Takes away the databases that it has made, unless they are to be kept. */
    @Override
    public void close() throws IOException {
        Stream<DatabasePlace> leaving = request.databases().keep() ? Stream.empty() : made.stream();
        try {
            for (DatabasePlace place : leaving.toList()) {
                place.delete();
            }
        } finally {
            release();
        }
    }
}
