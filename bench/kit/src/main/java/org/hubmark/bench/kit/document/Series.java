package org.hubmark.bench.kit.document;

import java.io.IOException;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;

/**
 * Samples of a repeat in the order in which they were taken: a row of numbers each, of which a day has
 * many. Nothing is added once a repeat has them. One thread until then.
 */
public final class Series extends AbstractList<Repeat> {
    private final List<String> keys;
    private final Sink sink;
    private final List<double[]> rows = new ArrayList<>();

    /** Gets each row as it comes. */
    @FunctionalInterface
    interface Sink {
        void row(double[] values) throws IOException;
    }

    /** Begins, without a row. */
    public Series(List<String> keys) {
        this(keys, row -> {});
    }

    Series(List<String> keys, Sink sink) {
        this.keys = List.copyOf(keys);
        this.sink = sink;
    }

    /** Adds a sample: a number for each key, NaN where it isn't known. */
    public void sample(double... values) throws IOException {
        rows.add(values);
        sink.row(values);
    }

    List<String> keys() {
        return keys;
    }

    double[] row(int index) {
        return rows.get(index);
    }

    /** {@return the counters of a sample} */
    @Override
    public Repeat get(int index) {
        double[] row = rows.get(index);
        Repeat.Builder sample = Repeat.counted();
        for (int i = 0; i < row.length; i++) {
            sample.count(new Formula.Counter(keys.get(i)), row[i]);
        }
        return sample.made();
    }

    @Override
    public int size() {
        return rows.size();
    }
}
