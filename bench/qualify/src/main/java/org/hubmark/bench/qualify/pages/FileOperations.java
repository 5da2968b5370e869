package org.hubmark.bench.qualify.pages;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.hubmark.bench.qualify.result.IoCounter;
import org.hubmark.bench.qualify.result.IoCounts;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Counts what is done to the files of one database: by its pages, and by maintenance and replication, which read
 * past them. Any thread.
 */
public final class FileOperations {
    private static final int DIGITS = 3;
    private static final long NANOS_MAX = TimeUnit.HOURS.toNanos(1);

    private final String instance;
    private final Map<IoCounter, LongAdder> counters = Stream.of(IoCounter.values())
            .collect(Collectors.toMap(Function.identity(), counter -> new LongAdder()));
    private final Recorder readNanos = new Recorder(1, NANOS_MAX, DIGITS);
    private final Recorder logWriteNanos = new Recorder(1, NANOS_MAX, DIGITS);

    /**
     * Nothing was done.
     *
     * @param instance the name of the database in results
     */
    public FileOperations(String instance) {
        this.instance = instance;
    }

    /** {@return the name of the database in results} */
    public String instance() {
        return instance;
    }

    /** Counts an operation, by the counter of such operations. */
    public void add(IoCounter operation, long nanos, long bytes) {
        add(operation, 1);
        add(operation.nanos(), nanos);
        add(operation.bytes(), bytes);
        if (operation == IoCounter.DB_READS || operation == IoCounter.LOG_WRITES) {
            Recorder recorder = operation == IoCounter.DB_READS ? readNanos : logWriteNanos;
            recorder.recordValue(Math.max(1, Math.min(NANOS_MAX, nanos)));
        }
    }

    /** Counts. */
    public void add(IoCounter counter, long value) {
        Objects.requireNonNull(counters.get(counter)).add(value);
    }

    /** {@return the counters now} */
    public IoCounts counts() {
        Map<IoCounter, Long> now = new EnumMap<>(IoCounter.class);
        counters.forEach((counter, adder) -> now.put(counter, adder.sum()));
        return new IoCounts(now);
    }

    /** {@return how long the reads took that transactions have waited for since the last call} */
    public Histogram takeReadNanos() {
        return readNanos.getIntervalHistogram();
    }

    /** {@return how long the writes of the log have taken since the last call} */
    public Histogram takeLogWriteNanos() {
        return logWriteNanos.getIntervalHistogram();
    }
}
