package org.hubmark.bench.measure;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.load.Workload;
import org.hubmark.bench.load.Workload.Latency;

import java.util.Map;

/**
 * The latencies of all operations of a workload since the last look, each and together. Percentiles
 * can't be averaged, but histograms can be put together.
 *
 * @param byOperation as the workload gave them
 */
record TakenLatencies(Map<String, Latency> byOperation, Histogram intended, Histogram actual) {
    static TakenLatencies of(Workload work) {
        Map<String, Latency> taken = work.takeLatencies();
        Histogram intended = new Histogram(3);
        Histogram actual = new Histogram(3);
        taken.values().forEach(latency -> {
            intended.add(latency.intended());
            actual.add(latency.actual());
        });
        return new TakenLatencies(taken, intended, actual);
    }

    /** {@return what tells an operation's intervals in a histogram log; nothing where there is one} */
    String tag(String operation) {
        return byOperation.size() == 1 ? "" : "-op-" + operation;
    }
}
