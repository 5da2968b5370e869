package org.hubmark.bench.qualify;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.measure.TimeSource;
import org.hubmark.bench.qualify.result.Column;
import org.hubmark.bench.qualify.result.Hours;
import org.hubmark.bench.qualify.result.InstanceFigures;
import org.hubmark.bench.qualify.result.IoCounter;
import org.hubmark.bench.qualify.result.IoCounts;
import org.hubmark.bench.qualify.result.Measured;
import org.hubmark.bench.qualify.result.Range;
import org.hubmark.bench.qualify.result.RawSamples;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Collects what is counted of all instances, sample by sample, and writes each sample and its latencies
 * into files, of which everything can be computed again. One thread.
 */
final class Sampling implements AutoCloseable {
    private final List<Instance> instances;
    private final TimeSource time;
    private final RawSamples.Writer raw;
    private final HostSampler host = new HostSampler();
    private final Hours hours = new Hours();
    private final List<IoCounts> start = new ArrayList<>();
    private final List<IoCounts> last = new ArrayList<>();
    private final List<List<Measured.Sample>> samples = new ArrayList<>();
    private final List<Map<Column.Timed, Histogram>> nanos = new ArrayList<>();
    private final long beganNanos;
    private long lastNanos;

    /**
     * Begins.
     *
     * @param folder gets the files
     * @param phase is in their names
     */
    Sampling(List<Instance> instances, Path folder, Phase phase, TimeSource time)
            throws IOException {
        this.instances = List.copyOf(instances);
        this.time = time;
        this.raw = new RawSamples.Writer(folder, phase.toString());
        for (Instance instance : instances) {
            IoCounts now = counts(instance);
            start.add(now);
            last.add(now);
            samples.add(new ArrayList<>());
            Map<Column.Timed, Histogram> all = new EnumMap<>(Column.Timed.class);
            for (Column.Timed timed : Column.Timed.values()) {
                // What was recorded before the collection is dropped.
                var unused = take(instance, timed);
                all.put(timed, new Histogram(3));
            }
            nanos.add(all);
        }
        beganNanos = time.nanoTime();
        lastNanos = beganNanos;
    }

    private static IoCounts counts(Instance instance) {
        IoCounts stalls =
                new IoCounts(Map.of(IoCounter.STALLS, instance.stalls().getAsLong()));
        return instance.operations().counts().plus(stalls);
    }

    private static Histogram take(Instance instance, Column.Timed timed) {
        return switch (timed) {
            case DB_READ -> instance.operations().takeReadNanos();
            case LOG_WRITE -> instance.operations().takeLogWriteNanos();
        };
    }

    /** {@return the time since the begin} */
    Duration elapsed() {
        return Duration.ofNanos(time.nanoTime() - beganNanos);
    }

    /** {@return database reads and writes a second so far, of all instances} */
    double iops() {
        double seconds = elapsed().toNanos() / 1e9;
        double done = 0;
        for (int i = 0; i < instances.size(); i++) {
            IoCounts grown = instances.get(i).operations().counts().since(start.get(i));
            done += grown.get(IoCounter.DB_READS) + grown.get(IoCounter.DB_WRITES);
        }
        return done / seconds;
    }

    /** Takes a sample of the time since the last one. */
    void sample() throws IOException {
        long now = time.nanoTime();
        double at = (now - beganNanos) / 1e9;
        double seconds = (now - lastNanos) / 1e9;
        double stalls = 0;
        for (int i = 0; i < instances.size(); i++) {
            Instance instance = instances.get(i);
            IoCounts counts = counts(instance);
            IoCounts grown = counts.since(last.get(i));
            last.set(i, counts);
            stalls += grown.get(IoCounter.STALLS);
            samples.get(i).add(new Measured.Sample(at, seconds, grown));
            raw.sample(instance.name(), at, seconds, grown);
            for (Map.Entry<Column.Timed, Histogram> all : nanos.get(i).entrySet()) {
                Histogram taken = take(instance, all.getKey());
                all.getValue().add(taken);
                raw.latencies(instance.name(), all.getKey(), at, seconds, taken);
                if (all.getKey() == Column.Timed.DB_READ) {
                    hours.add(at - seconds / 2, taken);
                }
            }
        }
        lastNanos = now;
        host.sample(stalls / seconds);
    }

    /** {@return the columns of each instance, of all samples} */
    List<InstanceFigures> figures() {
        List<InstanceFigures> all = new ArrayList<>();
        for (int i = 0; i < instances.size(); i++) {
            all.add(InstanceFigures.of(instances.get(i).name(), measured(i)));
        }
        return all;
    }

    private Measured measured(int i) {
        IoCounts together = samples.get(i).stream()
                .map(Measured.Sample::counts)
                .reduce(IoCounts.NONE, IoCounts::plus);
        return new Measured(together, seconds(), nanos.get(i), samples.get(i));
    }

    /** {@return the time of all samples} */
    double seconds() {
        return (lastNanos - beganNanos) / 1e9;
    }

    /** {@return all samples of all instances} */
    List<Measured.Sample> samples() {
        return samples.stream().flatMap(List::stream).toList();
    }

    Hours hours() {
        return hours;
    }

    Map<String, Range> host() {
        return host.ranges();
    }

    @Override
    public void close() throws IOException {
        raw.close();
    }
}
