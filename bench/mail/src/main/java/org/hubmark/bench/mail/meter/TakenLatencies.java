package org.hubmark.bench.mail.meter;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.load.Workload;

/**
 * The latencies of all operations of a workload since the last look, together. Percentiles can't be
 * averaged, but histograms can be put together.
 */
record TakenLatencies(Histogram intended, Histogram actual) {
    static TakenLatencies of(Workload work) {
        Histogram intended = new Histogram(3);
        Histogram actual = new Histogram(3);
        work.takeLatencies().values().forEach(latency -> {
            intended.add(latency.intended());
            actual.add(latency.actual());
        });
        return new TakenLatencies(intended, actual);
    }

    /**
     * {@return the same with what is open, by the age it has}
     *
     * @param open of work that was ended
     */
    TakenLatencies with(Workload.Open open) {
        intended.add(open.intended());
        actual.add(open.actual());
        return this;
    }
}
