package org.hubmark.bench.mail.meter;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.load.Workload;

/**
 * The latencies of all operations of a workload since the last look, together. Percentiles can't be
 * averaged, but histograms can be put together.
 */
record TakenLatencies(Histogram intended, Histogram actual) {
    /** None yet. */
    TakenLatencies() {
        this(new Histogram(3), new Histogram(3));
    }

    static TakenLatencies of(Workload work) {
        TakenLatencies all = new TakenLatencies();
        work.takeLatencies().values().forEach(latency -> {
            all.intended.add(latency.intended());
            all.actual.add(latency.actual());
        });
        return all;
    }

    /** Puts others to these. */
    void add(TakenLatencies others) {
        intended.add(others.intended);
        actual.add(others.actual);
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
