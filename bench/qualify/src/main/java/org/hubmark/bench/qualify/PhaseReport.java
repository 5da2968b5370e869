package org.hubmark.bench.qualify;

import org.hubmark.bench.qualify.result.Averages;
import org.hubmark.bench.qualify.result.CacheProfile;
import org.hubmark.bench.qualify.result.Column;
import org.hubmark.bench.qualify.result.Hours;
import org.hubmark.bench.qualify.result.InstanceFigures;
import org.hubmark.bench.qualify.result.Judgement;
import org.hubmark.bench.qualify.result.PhaseResult;
import org.hubmark.bench.qualify.result.Verdict;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Puts together what a phase found, as the phase goes on. One thread. */
final class PhaseReport {
    private final Phase phase;
    private final TestLog log;
    private final String startedAt = TestLog.now();
    private @Nullable String collectionStartedAt;
    private @Nullable String collectionFinishedAt;
    private boolean interrupted;
    private @Nullable Verdict verdict;
    private List<String> reasons = List.of();
    private final List<String> notes = new ArrayList<>();
    private @Nullable Long initialBytes;
    private @Nullable Long finalBytes;
    private @Nullable Integer files;
    private final List<PhaseResult.Place> databases;
    private @Nullable String loop;
    private @Nullable Integer threads;
    private List<PhaseResult.ThreadStep> threadSteps = List.of();
    private @Nullable Double sampleSeconds;
    private @Nullable Sampling sampling;
    private List<PhaseResult.DeviceFigures> devices = List.of();
    private @Nullable CacheProfile cacheProfile;
    private List<PhaseResult.Backup> backup = List.of();
    private List<PhaseResult.Recovery> recovery = List.of();
    private PhaseResult.@Nullable ElapsedSums elapsed;
    private List<PhaseResult.Checksum> checksum = List.of();

    PhaseReport(Phase phase, PhaseContext context, TestLog log) {
        this.phase = phase;
        this.databases = context.places().stream()
                .map(place -> new PhaseResult.Place(
                        place.instance(),
                        place.log().toString(),
                        place.database().toString()))
                .toList();
        this.log = log;
    }

    void sizeBefore(PhaseContext context) throws IOException {
        initialBytes = context.databaseBytes();
    }

    void sizeAfter(PhaseContext context) throws IOException {
        finalBytes = context.databaseBytes();
        files = context.databaseFiles();
    }

    void load(String kindOfLoop, int threadsPerDatabase, List<PhaseResult.ThreadStep> steps) {
        loop = kindOfLoop;
        threads = threadsPerDatabase;
        threadSteps = steps;
    }

    void collectionBegins(double secondsOfSample) {
        collectionStartedAt = TestLog.now();
        sampleSeconds = secondsOfSample;
    }

    void collectionEnds(Sampling all, List<PhaseResult.DeviceFigures> ofDevices) {
        collectionFinishedAt = TestLog.now();
        sampling = all;
        devices = ofDevices;
    }

    /** What caches of other sizes would have had; null when nothing was read. */
    void cacheProfile(@Nullable CacheProfile found) {
        cacheProfile = found;
    }

    void judged(List<String> why) {
        verdict = Verdict.of(why);
        reasons = why;
    }

    /** Says what to know of the figures that is no reason to fail; in the test log, too. */
    void note(String text) {
        notes.add(text);
        log.add("Note: " + text);
    }

    /** It is not judged, since it did not come to its end. */
    void interrupted(String why) {
        interrupted = true;
        reasons = List.of(why);
    }

    void backup(List<PhaseResult.Backup> all, PhaseResult.ElapsedSums times) {
        backup = all;
        elapsed = times;
    }

    void recovery(List<PhaseResult.Recovery> all, PhaseResult.ElapsedSums times) {
        recovery = all;
        elapsed = times;
    }

    void checksum(List<PhaseResult.Checksum> all, PhaseResult.ElapsedSums times) {
        checksum = all;
        elapsed = times;
    }

    PhaseResult result() {
        Sampling all = sampling;
        List<Column> unseen = phase == Phase.RECOVERY ? Column.UNSEEN_IN_RECOVERY : List.of();
        List<InstanceFigures> instances = all == null
                ? List.of()
                : all.figures().stream().map(one -> one.without(unseen)).toList();
        boolean transactions = loop != null;
        return new PhaseResult(
                phase.toString(),
                !interrupted,
                verdict,
                reasons,
                notes,
                startedAt,
                TestLog.now(),
                collectionStartedAt,
                collectionFinishedAt,
                all == null ? null : all.seconds(),
                transactions && all != null ? Judgement.achievedIops(instances) : null,
                initialBytes,
                finalBytes,
                files,
                databases,
                loop,
                threads,
                threadSteps,
                sampleSeconds,
                instances,
                all == null ? Map.of() : Averages.of(instances, all.seconds()),
                transactions && all != null ? Hours.driftMsPerHour(all.samples()) : null,
                all == null ? Map.of() : all.host(),
                devices,
                transactions && all != null ? all.hours().hours() : List.of(),
                backup,
                recovery,
                elapsed,
                checksum,
                cacheProfile,
                log.lines());
    }
}
