package org.hubmark.bench.qualify;

import org.hubmark.bench.measure.hub.Program;
import org.hubmark.bench.qualify.result.Thresholds;
import org.hubmark.core.ByteSize;
import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What is to be qualified, and how.
 *
 * @param program that asks
 * @param databaseVolumes folders that exist; databases are dealt out over them in turn
 * @param databases how many
 * @param databaseBytes of each
 * @param targetIops database reads and writes a second, of all databases together
 * @param threads for each database; null to find out
 * @param cacheModes one; or several, which are compared in place of the phases
 * @param cacheBytesMin what the cache has for blocks at least
 * @param cacheBytesMax how large it is, with what is to be written
 * @param cacheSizes of the cache, which are compared in place of the phases; none where they are not
 * @param cacheProfile whether it is found out what caches of other sizes would have had
 * @param lazyShare of the commits that are not synced, 0 to 1
 * @param copies of each database, of which all but one read its log
 * @param openLoop whether the clock begins transactions, for the target; else as fast as it goes
 * @param collection how long a phase with transactions is measured
 * @param recoveryLogBytes that the log of each database has when it is killed
 * @param keep whether the databases stay
 * @param settings of the command, for the results
 * @param identity in which a run that goes on must not differ from the one that was interrupted
 * @param command as one can paste it into a shell
 */
public record QualifyRequest(
        Program program,
        List<Path> databaseVolumes,
        List<Path> logVolumes,
        int databases,
        long databaseBytes,
        double targetIops,
        @Nullable Integer threads,
        List<CacheMode> cacheModes,
        long cacheBytesMin,
        long cacheBytesMax,
        List<Long> cacheSizes,
        boolean cacheProfile,
        TransactionMix mix,
        double lazyShare,
        int copies,
        boolean maintenance,
        boolean openLoop,
        Set<Phase> phases,
        Duration collection,
        long recoveryLogBytes,
        Thresholds thresholds,
        boolean keep,
        boolean quiet,
        long seed,
        Map<String, Object> settings,
        String identity,
        String command) {
    /** Copies. */
    public QualifyRequest {
        databaseVolumes = List.copyOf(databaseVolumes);
        logVolumes = List.copyOf(logVolumes);
        phases = Set.copyOf(phases);
        cacheModes = List.copyOf(cacheModes);
        cacheSizes = List.copyOf(cacheSizes);
        if (cacheModes.isEmpty()) {
            throw new IllegalArgumentException("no cache mode");
        }
    }

    /** {@return the cache mode; of several the first} */
    CacheMode cacheMode() {
        return cacheModes.getFirst();
    }

    /** {@return whether caches are compared} */
    public boolean comparesCaches() {
        return cacheModes.size() > 1 || !cacheSizes.isEmpty();
    }

    /**
     * A cache that is compared with others.
     *
     * @param label in results
     */
    record CacheKind(String label, CacheMode mode, long bytesMin, long bytesMax) {}

    /** {@return the caches that are compared} Each has the same room for what is to be written. */
    List<CacheKind> cacheKinds() {
        if (cacheSizes.isEmpty()) {
            return cacheModes.stream()
                    .map(mode -> new CacheKind(mode.toString(), mode, cacheBytesMin, cacheBytesMax))
                    .toList();
        }
        long room = Collections.min(cacheSizes) - cacheBytesMin;
        return cacheSizes.stream()
                .map(size -> new CacheKind(ByteSize.format(size), cacheMode(), size - room, size))
                .toList();
    }

    /** {@return the same for one block of a comparison} */
    QualifyRequest block(
            CacheKind cache,
            @Nullable Integer threadsPerDatabase,
            Duration length,
            long blockSeed) {
        return new QualifyRequest(
                program,
                databaseVolumes,
                logVolumes,
                databases,
                databaseBytes,
                targetIops,
                threadsPerDatabase,
                List.of(cache.mode()),
                cache.bytesMin(),
                cache.bytesMax(),
                cacheSizes,
                cacheProfile,
                mix,
                lazyShare,
                copies,
                maintenance,
                openLoop,
                Set.of(Phase.PERFORMANCE),
                length,
                recoveryLogBytes,
                thresholds,
                keep,
                quiet,
                blockSeed,
                settings,
                identity,
                command);
    }
}
