package org.hubmark.bench.qualify;

import org.hubmark.bench.kit.document.Form;
import org.hubmark.bench.kit.document.Repeat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;

/** Samples while something is done side by side, and reports it. */
final class SampledWork {
    private SampledWork() {}

    /**
     * Does it, and waits for all.
     *
     * @param report gets what was sampled and what the tasks give
     * @param sample how long a sample is
     * @param form of what the tasks give
     */
    static void run(
            PhaseContext context,
            PhaseReport report,
            List<Instance> instances,
            Duration sample,
            Form form,
            List<Callable<List<Repeat>>> tasks)
            throws IOException, InterruptedException {
        report.collectionBegins(sample);
        Devices devices = new Devices(context.request().databases());
        try (Sampling sampling = new Sampling(instances, context.time())) {
            long began = System.nanoTime();
            List<Repeat> all = SideBySide.run(tasks, sample, sampling::sample).stream()
                    .flatMap(List::stream)
                    .toList();
            long elapsed = System.nanoTime() - began;
            sampling.sample();
            report.collectionEnds(sampling, devices.counted());
            report.elapsed(elapsed, form, all);
        }
    }
}
