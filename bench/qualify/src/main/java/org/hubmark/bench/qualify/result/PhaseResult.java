package org.hubmark.bench.qualify.result;

import com.fasterxml.jackson.annotation.JsonAnyGetter;

import org.jspecify.annotations.Nullable;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What one phase found, as it stands in qualification.json. What a phase does not have is empty or null.
 *
 * @param phase performance, stress, backup, recovery or checksum
 * @param complete false when it was interrupted or has failed
 * @param verdict null when the phase is not judged
 * @param reasons why it fails, or was not judged
 * @param notes what to know of the figures that is no reason to fail
 * @param startedAt ISO 8601, UTC, as all times here
 * @param collectionStartedAt when what counts began
 * @param collectionS for how long what counts was collected
 * @param databases where they lie
 * @param loop open where transactions are begun by the clock, closed where as fast as it goes
 * @param threadsPerDatabase how many threads worked on each database
 * @param threadSteps how their number was found; empty when it was given
 * @param averages of {@link Column#IO} over the instances, unweighted, and weighted by the operations
 * @param readLatencyDriftMsPerH by how much the average of database reads grew, by a straight line
 *     through the samples
 * @param devices what the kernel counted meanwhile
 * @param cacheProfile what caches of other sizes would have had; null where nothing was profiled
 * @param log what happened when
 */
public record PhaseResult(
        String phase,
        boolean complete,
        @Nullable Verdict verdict,
        List<String> reasons,
        List<String> notes,
        String startedAt,
        String finishedAt,
        @Nullable String collectionStartedAt,
        @Nullable String collectionFinishedAt,
        @Nullable Double collectionS,
        @Nullable Double achievedIops,
        @Nullable Long initialDatabaseBytes,
        @Nullable Long finalDatabaseBytes,
        @Nullable Integer databaseFiles,
        List<Place> databases,
        @Nullable String loop,
        @Nullable Integer threadsPerDatabase,
        List<ThreadStep> threadSteps,
        @Nullable Double sampleIntervalS,
        List<InstanceFigures> instances,
        @JsonAnyGetter Map<String, Double> averages,
        @Nullable Double readLatencyDriftMsPerH,
        Map<String, Range> host,
        List<DeviceFigures> devices,
        List<Hour> hours,
        List<Backup> backup,
        List<Recovery> recovery,
        @Nullable ElapsedSums elapsed,
        List<Checksum> checksum,
        @Nullable CacheProfile cacheProfile,
        List<LogLine> log) {

    /** Where an instance lies. */
    public record Place(String instance, String log, String database) {}

    /**
     * One number of threads that was tried, closed loop.
     *
     * @param seconds of the stable samples alone
     */
    public record ThreadStep(
            int threadsPerDatabase,
            double seconds,
            double iops,
            @Nullable Double dbReadLatencyMs) {}

    /**
     * What the kernel counted of a device, which is identified by its name there and not by the path
     * of a folder on it.
     */
    public record DeviceFigures(
            String device,
            List<String> roles,
            @Nullable Double readsPerS,
            @Nullable Double writesPerS,
            @Nullable Double avgReadLatencyMs,
            @Nullable Double avgWriteLatencyMs,
            @Nullable Double avgReadBytes,
            @Nullable Double avgWriteBytes,
            @Nullable Double busyPercent) {}

    /** MB are 1024 x 1024 bytes here and below, as in the source. */
    public record Backup(String instance, double sizeMb, double elapsedS, double mbPerS) {}

    /** What was replayed of the log of one instance. */
    public record Recovery(String instance, double logMbReplayed, double elapsedS, double sPerMb) {}

    /** The check of one file. */
    public record Checksum(String file, long bytes, long blocks, long badBlocks, double elapsedS) {}

    /**
     * Times of work that was done side by side.
     *
     * @param wallS from the begin of the first to the end of the last: what a user waits
     * @param sumS all times added up, which nobody waits
     */
    public record ElapsedSums(double wallS, double sumS) {}

    /** A line of the test log. */
    public record LogLine(String at, String text) {}

    /** Copies, of which maps have one order in every file. */
    public PhaseResult {
        reasons = List.copyOf(reasons);
        notes = List.copyOf(notes);
        databases = List.copyOf(databases);
        threadSteps = List.copyOf(threadSteps);
        instances = List.copyOf(instances);
        averages = Collections.unmodifiableMap(new TreeMap<>(averages));
        host = Collections.unmodifiableMap(new LinkedHashMap<>(host));
        devices = List.copyOf(devices);
        hours = List.copyOf(hours);
        backup = List.copyOf(backup);
        recovery = List.copyOf(recovery);
        checksum = List.copyOf(checksum);
        log = List.copyOf(log);
    }
}
