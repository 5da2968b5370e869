package org.hubmark.bench.qualify;

import org.hubmark.bench.kit.document.Context;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Kind;
import org.hubmark.bench.kit.document.Name;
import org.hubmark.bench.kit.document.Study;
import org.hubmark.bench.machine.folders.FolderClaim;
import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.hubmark.bench.qualify.pages.DatabasePlace;
import org.hubmark.bench.qualify.phase.Filling;
import org.hubmark.bench.qualify.phase.OpenDatabases;
import org.hubmark.bench.qualify.phase.Phase;
import org.hubmark.bench.qualify.phase.PhaseContext;
import org.hubmark.bench.qualify.phase.PhaseFigures;
import org.hubmark.bench.qualify.phase.PhaseVerdict;
import org.hubmark.bench.qualify.phase.QualifyRequest;
import org.hubmark.bench.qualify.phase.TransactionalPhase;
import org.hubmark.bench.qualify.report.Qualification;
import org.hubmark.core.FileErrors;
import org.hubmark.core.UserError;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
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
    private final List<DatabasePlace> places;
    private final List<FolderClaim> claimed = new ArrayList<>();
    /** Databases that were there before stay. */
    private final List<DatabasePlace> made = new ArrayList<>();

    /**
     * Prepares, and makes the volumes that are absent.
     *
     * @throws UserError when a volume is in use, or holds something else
     */
    public QualifyStudy(QualifyRequest request) throws IOException {
        this.request = request;
        QualifyRequest.Databases databases = request.databases();
        this.places =
                DatabasePlace.deal(databases.volumes(), databases.logVolumes(), databases.count());
        // Each once, however it is spelt.
        Set<Path> known = new HashSet<>();
        try {
            for (Path volume : databases.allVolumes()) {
                if (!Files.exists(volume) || !known.contains(volume.toRealPath())) {
                    claimed.add(FolderClaim.of(volume));
                    known.add(volume.toRealPath());
                    DatabasePlace.requireNothingElse(volume);
                }
            }
        } catch (IOException | RuntimeException e) {
            release();
            throw e;
        }
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
        boolean isRefilled = !made.isEmpty()
                && Stream.of(Phase.values())
                        .filter(Phase::hasTransactions)
                        .anyMatch(phase -> context.repeats(PhaseFigures.PHASES, names(phase)) > 0);
        PhaseContext phases = new PhaseContext(
                request, places, context, context::others, context.clock(), isRefilled);
        if (request.caches().compares()) {
            new CacheComparison(phases, context).run();
            return context.document();
        }
        for (Phase phase : request.test().phases().keySet()) {
            Map<Name, Object> names = names(phase);
            var unused = context.repeat(PhaseFigures.PHASES, names, 1, () -> {
                TransactionalPhase.Collected found = phase.run(phases);
                if (found.failure() != null) {
                    // Kept, and told by the failure.
                    context.total(PhaseFigures.PHASES, names, found.counts());
                    throw found.failure();
                }
                return found.counts();
            });
        }
        return context.document();
    }

    private static Map<Name, Object> names(Phase phase) {
        return Map.of(PhaseFigures.PHASE, phase.toString());
    }

    /** Opens, fills and closes them, so that each phase finds them as any other. */
    private void prepare(Context context) throws IOException, InterruptedException {
        for (DatabasePlace place : places) {
            place.requireOurs();
        }
        places.stream().filter(place -> !Files.exists(place.database())).forEach(made::add);
        Filling filling = new Filling(request, places, context);
        filling.requireRoom();
        if (!request.caches().compares()
                && request.test().phases().keySet().stream().allMatch(Phase::isCheck)
                && made.isEmpty()) {
            // To open them would write.
            return;
        }
        try (OpenDatabases databases = new OpenDatabases(request, places)) {
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
