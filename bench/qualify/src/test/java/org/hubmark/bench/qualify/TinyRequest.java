package org.hubmark.bench.qualify;

import org.hubmark.bench.measure.hub.Program;
import org.hubmark.bench.qualify.result.Thresholds;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Requests that tests can afford: two databases with a cache of 4 MiB, nothing judged by its latency. */
final class TinyRequest {
    static final double TARGET_IOPS = 40;

    private static final int DATABASES = 2;
    private static final long MIB = 1 << 20;

    private TinyRequest() {}

    /** {@return a request}
     *
     * @param bytes of each database
     * @param openLoop whether the clock begins transactions, for the target; else as fast as it goes
     */
    static QualifyRequest of(
            Path databaseVolume,
            Path logVolume,
            Set<Phase> phases,
            boolean keep,
            Duration duration,
            long bytes,
            boolean openLoop,
            TransactionMix mix) {
        return of(
                databaseVolume,
                logVolume,
                phases,
                keep,
                duration,
                bytes,
                openLoop,
                mix,
                List.of(CacheMode.ALL),
                List.of());
    }

    /** {@return the same with caches that are compared: modes, or sizes of one} */
    static QualifyRequest of(
            Path databaseVolume,
            Path logVolume,
            Set<Phase> phases,
            boolean keep,
            Duration duration,
            long bytes,
            boolean openLoop,
            TransactionMix mix,
            List<CacheMode> cacheModes,
            List<Long> cacheSizes) {
        return new QualifyRequest(
                new Program("test", TinyRequest.class, TinyRequest.class),
                List.of(databaseVolume),
                List.of(logVolume),
                DATABASES,
                bytes,
                TARGET_IOPS,
                2,
                cacheModes,
                MIB,
                4 * MIB,
                cacheSizes,
                true,
                mix,
                0.7,
                2,
                true,
                openLoop,
                phases,
                duration,
                MIB,
                // What a build machine does beside is not judged.
                new Thresholds(1e6, 1e6, 1e6, 1e6),
                keep,
                true,
                1,
                Map.of("databases", DATABASES),
                "test " + bytes,
                "./hubmark qualify");
    }
}
