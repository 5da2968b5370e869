package org.hubmark.bench.qualify;

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

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A request that tests can afford: two databases with a cache of 16 MiB, nothing judged by its latency. What
 * a build machine does beside is accepted.
 */
public final class TinyRequest {
    static final double TARGET_IOPS = 40;

    private static final int DATABASES = 2;
    private static final long MIB = 1 << 20;

    private final Path databaseVolume;
    private final Path logVolume;
    public List<Phase> phases;
    public Duration duration = Duration.ofSeconds(2);
    public TransactionMix mix = TransactionMix.DEFAULT;

    /** Whether the clock begins transactions, for the target; else as fast as it goes. */
    public boolean openLoop;

    public List<CacheMode> cacheModes = List.of(CacheMode.ALL);
    int threads = 2;
    boolean keep;
    long bytes = 12_000_000;
    Clock time = Clock.SYSTEM;

    public TinyRequest(Path databaseVolume, Path logVolume, Phase... phases) {
        this.databaseVolume = databaseVolume;
        this.logVolume = logVolume;
        this.phases = Arrays.asList(phases);
    }

    public QualifyRequest made() {
        Map<Phase, Duration> lengths = new EnumMap<>(Phase.class);
        phases.forEach(phase -> lengths.put(phase, duration));
        return new QualifyRequest(
                new QualifyRequest.Databases(
                        List.of(databaseVolume), List.of(logVolume), DATABASES, bytes, keep),
                new QualifyRequest.Caches(cacheModes, MIB, 16 * MIB),
                new QualifyRequest.Load(TARGET_IOPS, threads, mix, 0.7, 2, true, openLoop, 1),
                new QualifyRequest.Test(lengths, duration, MIB),
                PhaseVerdict.LIMITS.values().stream()
                        .limit(4)
                        .collect(Collectors.toMap(Function.identity(), limit -> 1e6)));
    }

    /** {@return what was found} */
    Document run(Path results) throws IOException, InterruptedException {
        return run(results, () -> {});
    }

    /** {@return the same; each phase that begins to collect says so} */
    Document run(Path results, Runnable collecting) throws IOException, InterruptedException {
        try (QualifyStudy study = new QualifyStudy(made())) {
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
                                    bytes,
                                    "shared-machine",
                                    true),
                            Machine.inspect(study.volumes()),
                            time,
                            new Progress() {
                                @Override
                                public void phase(String name, Duration length) {
                                    if (name.equals("Collecting")) {
                                        collecting.run();
                                    }
                                }

                                @Override
                                public void note(String line) {}
                            },
                            List::of));
        }
    }
}
