package org.hubmark.bench.qualify;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.Collections.singletonList;

import org.hubmark.bench.kit.document.Clock;
import org.hubmark.bench.kit.document.Context;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Progress;
import org.hubmark.bench.kit.document.StudyRun;
import org.hubmark.bench.kit.document.Tool;
import org.hubmark.bench.machine.Machine;
import org.hubmark.bench.qualify.pages.CacheMode;
import org.hubmark.bench.qualify.phase.Phase;
import org.hubmark.bench.qualify.phase.PhaseVerdict;
import org.hubmark.bench.qualify.phase.QualifyRequest;
import org.hubmark.bench.qualify.phase.TransactionMix;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Requests that tests can afford: two databases with a cache of 16 MiB, nothing judged by its latency. */
public final class TinyRequest {
    static final double TARGET_IOPS = 40;

    private static final int DATABASES = 2;
    private static final long MIB = 1 << 20;

    private TinyRequest() {}

    /** {@return what was found} What a build machine does beside is accepted. */
    static Document run(QualifyRequest request, Path results)
            throws IOException, InterruptedException {
        try (QualifyStudy study = new QualifyStudy(request)) {
            return run(study, request, results, Clock.SYSTEM, (phase, time) -> {});
        }
    }

    /**
     * {@return the same}
     *
     * @param phases is told what begins
     */
    static Document run(
            QualifyStudy study,
            QualifyRequest request,
            Path results,
            Clock time,
            BiConsumer<String, Duration> phases)
            throws IOException, InterruptedException {
        return StudyRun.of(
                study,
                new Context.Request(
                        results,
                        new Tool("1.0", null),
                        "./hubmark qualify",
                        Map.of(
                                "databases",
                                DATABASES,
                                "database-size",
                                request.databases().bytes(),
                                "shared-machine",
                                true),
                        Machine.inspect(study.volumes()),
                        time,
                        new Progress() {
                            @Override
                            public void phase(String name, Duration length) {
                                phases.accept(name, length);
                            }

                            @Override
                            public void note(String line) {}
                        },
                        List::of));
    }

    /**
     * Requires that everything is well. A test may wait for a processor, beside all else that runs on the
     * machine; what it did then is not judged.
     */
    static void requireGood(List<String> reasons, @Nullable String verdict) {
        assertThat(reasons).allMatch(reason -> reason.contains("the driver stood still"));
        // What tests can afford fills no volume.
        assertThat(verdict).isIn(reasons.isEmpty() ? List.of("pass") : singletonList(null));
    }

    /** {@return a request}
     *
     * @param bytes of each database
     * @param openLoop whether the clock begins transactions, for the target; else as fast as it goes
     */
    public static QualifyRequest of(
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
                List.of(CacheMode.ALL));
    }

    /** {@return the same with caches that are compared} */
    public static QualifyRequest of(
            Path databaseVolume,
            Path logVolume,
            Set<Phase> phases,
            boolean keep,
            Duration duration,
            long bytes,
            boolean openLoop,
            TransactionMix mix,
            List<CacheMode> cacheModes) {
        return new QualifyRequest(
                new QualifyRequest.Databases(
                        List.of(databaseVolume), List.of(logVolume), DATABASES, bytes, keep),
                new QualifyRequest.Caches(cacheModes, MIB, 16 * MIB),
                new QualifyRequest.Load(TARGET_IOPS, 2, mix, 0.7, 2, true, openLoop, 1),
                new QualifyRequest.Test(
                        phases.stream()
                                .collect(Collectors.toMap(
                                        Function.identity(),
                                        phase -> duration,
                                        (one, other) -> one,
                                        () -> new EnumMap<>(Phase.class))),
                        duration,
                        MIB),
                // What a build machine does beside is not judged.
                PhaseVerdict.LIMITS.values().stream()
                        .limit(4)
                        .collect(Collectors.toMap(Function.identity(), limit -> 1e6)));
    }
}
