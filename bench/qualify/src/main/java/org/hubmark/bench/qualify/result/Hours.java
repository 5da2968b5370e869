package org.hubmark.bench.qualify.result;

import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The latencies of database reads, hour by hour. One thread. */
public final class Hours {
    private static final double SECONDS = Duration.ofHours(1).toSeconds();
    private static final int DIGITS = 3;

    private final SortedMap<Integer, Histogram> hours = new TreeMap<>();

    /**
     * Adds some.
     *
     * @param atSeconds when they were, from the begin of the collection
     */
    public void add(double atSeconds, Histogram nanos) {
        hours.computeIfAbsent((int) (atSeconds / SECONDS), unused -> new Histogram(DIGITS))
                .add(nanos);
    }

    /** {@return them} */
    public List<Hour> hours() {
        List<Hour> all = new ArrayList<>();
        hours.forEach((hour, nanos) -> all.add(Hour.of(hour + 1, nanos)));
        return all;
    }

    /**
     * {@return by how many milliseconds an hour the average of database reads grew: the slope of the
     * straight line that is nearest to the samples; null where there are fewer than three}
     */
    public static @Nullable Double driftMsPerHour(List<Measured.Sample> samples) {
        double count = 0;
        double sumX = 0;
        double sumY = 0;
        double sumXx = 0;
        double sumXy = 0;
        for (Measured.Sample sample : samples) {
            long reads = sample.counts().get(IoCounter.DB_READS);
            if (reads > 0) {
                double x = sample.atSeconds() / SECONDS;
                double y = sample.counts().get(IoCounter.DB_READ_NS) / 1e6 / reads;
                count++;
                sumX += x;
                sumY += y;
                sumXx += x * x;
                sumXy += x * y;
            }
        }
        double spread = count * sumXx - sumX * sumX;
        return count < 3 || spread <= 0 ? null : (count * sumXy - sumX * sumY) / spread;
    }
}
