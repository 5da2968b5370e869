package org.hubmark.bench.qualify;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.kit.document.Clock;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Times;
import org.hubmark.bench.qualify.result.HostFigures;
import org.hubmark.bench.qualify.result.InstanceFigures;
import org.hubmark.bench.qualify.result.IoCounter;
import org.hubmark.bench.qualify.result.IoCounts;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Collects what is counted of all instances, sample by sample. One thread. */
final class Sampling implements AutoCloseable {
    private static final int DIGITS = 3;

    private final List<Counted> instances = new ArrayList<>();
    private final Clock time;
    private final HostSampler host;
    private final long beganNanos;
    private long lastNanos;

    /** An instance with what was counted of it. */
    private static final class Counted {
        private final Instance instance;
        private final IoCounts start;
        private IoCounts last;
        private final List<Repeat> samples = new ArrayList<>();
        private final Histogram readNanos = new Histogram(DIGITS);
        private final Histogram logNanos = new Histogram(DIGITS);

        private Counted(Instance instance) {
            this.instance = instance;
            this.start = counts();
            this.last = start;
            // What was recorded before the collection is dropped.
            var unused = instance.operations().takeReadNanos();
            var unused2 = instance.operations().takeLogWriteNanos();
        }

        private IoCounts counts() {
            return instance.operations().counts();
        }

        private IoCounts grown() {
            return last.since(start);
        }
    }

    /** Begins. */
    Sampling(List<Instance> instances, Clock time) throws IOException {
        this.time = time;
        this.host = new HostSampler();
        instances.forEach(instance -> this.instances.add(new Counted(instance)));
        beganNanos = time.nanos();
        lastNanos = beganNanos;
    }

    /** {@return the time since the begin} */
    Duration elapsed() {
        return Duration.ofNanos(time.nanos() - beganNanos);
    }

    /** {@return database reads and writes a second so far, of all instances} */
    double iops() {
        double done = 0;
        for (Counted one : instances) {
            done += one.counts().since(one.start).databaseIo();
        }
        return done / (elapsed().toNanos() / 1e9);
    }

    /** Takes a sample of the time since the last one. */
    void sample() throws IOException {
        long now = time.nanos();
        long stalls = 0;
        for (Counted one : instances) {
            IoCounts counts = one.counts();
            IoCounts grown = counts.since(one.last);
            one.last = counts;
            stalls += grown.get(IoCounter.STALLS);
            one.samples.add(grown.counted()
                    .count(InstanceFigures.AT_NS, now - beganNanos)
                    .count(HostFigures.SAMPLE_NS, now - lastNanos)
                    .made());
            one.readNanos.add(one.instance.operations().takeReadNanos());
            one.logNanos.add(one.instance.operations().takeLogWriteNanos());
        }
        lastNanos = now;
        host.sample(stalls);
    }

    /** {@return what was counted of each instance in all samples} */
    List<Repeat> instances() {
        return instances.stream()
                .map(one -> {
                    Repeat.Builder counted = one.grown()
                            .counted()
                            .name(InstanceFigures.INSTANCE, one.instance.name())
                            .count(InstanceFigures.COLLECTION_NS, nanos())
                            .samples(one.samples);
                    times(counted, InstanceFigures.READ_TIMES, one.readNanos);
                    times(counted, InstanceFigures.LOG_TIMES, one.logNanos);
                    return counted.made();
                })
                .toList();
    }

    private static void times(Repeat.Builder into, Times times, Histogram nanos) {
        if (nanos.getTotalCount() > 0) {
            into.times(times, nanos);
        }
    }

    /** {@return the time of all samples} */
    long nanos() {
        return lastNanos - beganNanos;
    }

    /** {@return the samples of the machine} */
    List<Repeat> host() {
        return host.samples();
    }

    @Override
    public void close() {
        host.close();
    }
}
