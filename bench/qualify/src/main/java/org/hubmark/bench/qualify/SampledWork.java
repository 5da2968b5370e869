package org.hubmark.bench.qualify;

import org.hubmark.core.Uninterrupted;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Does things side by side, as the phases without transactions do, and samples meanwhile. */
final class SampledWork {
    private SampledWork() {}

    /**
     * {@return what the tasks gave}
     *
     * @param report gets what was sampled
     * @param sample how long a sample is
     */
    static <T> List<T> run(
            PhaseContext context,
            List<Instance> instances,
            PhaseReport report,
            Duration sample,
            List<Callable<T>> tasks)
            throws IOException, InterruptedException {
        Devices devices = context.devices();
        report.collectionBegins(sample);
        devices.begin();
        try (Sampling sampling = new Sampling(instances, context.time())) {
            CountDownLatch done = new CountDownLatch(1);
            Failures failures = new Failures();
            Thread sampler = Thread.ofPlatform().name("sampler").start(() -> {
                try {
                    while (!done.await(sample.toMillis(), TimeUnit.MILLISECONDS)) {
                        sampling.sample();
                    }
                } catch (InterruptedException | IOException e) {
                    failures.set(e);
                }
            });
            List<T> all;
            try {
                all = SideBySide.run(tasks);
            } finally {
                done.countDown();
                Uninterrupted.join(sampler);
            }
            failures.check();
            sampling.sample();
            report.collectionEnds(sampling, devices.counted());
            return all;
        }
    }

    /** What went wrong in another thread. */
    private static final class Failures {
        private volatile @Nullable Exception first;

        void set(Exception e) {
            first = e;
        }

        void check() throws IOException {
            Exception failure = first;
            if (failure != null) {
                throw new IOException(failure.getMessage(), failure);
            }
        }
    }
}
