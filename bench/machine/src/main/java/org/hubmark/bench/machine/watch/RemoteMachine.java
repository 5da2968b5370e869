package org.hubmark.bench.machine.watch;

import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.machine.MachineCounter;
import org.hubmark.bench.machine.MachineReading;
import org.hubmark.bench.machine.MachineSource;
import org.hubmark.core.FileErrors;
import org.jspecify.annotations.Nullable;

import java.io.IOException;

/**
 * The machine of a server elsewhere. When it can't be read any more, nothing is known of it from then
 * on: a load goes on all the same. Takes account of how well the two machines' times fit. One thread.
 */
public final class RemoteMachine implements MachineSource {
    private final MachineSource source;
    private final String command;
    private final WatchReading watch;
    private final MachineReading first;
    private final double clockOffsetMillis;
    private MachineReading last;
    private long readings = 1;
    private @Nullable Double alignmentErrorMillis;
    private @Nullable Double differenceMillis;
    private @Nullable String lost;

    /**
     * Takes over a source that answers; closing this closes it.
     *
     * @param command that starts the watch
     * @param watch its first line
     * @throws IOException when it doesn't answer
     */
    static RemoteMachine of(MachineSource source, String command, WatchReading watch)
            throws IOException {
        long begunMillis = System.currentTimeMillis();
        MachineReading first = source.read();
        long endedMillis = System.currentTimeMillis();
        return new RemoteMachine(
                source,
                command,
                watch,
                first,
                first.realMillis() - (begunMillis + endedMillis) / 2.0);
    }

    private RemoteMachine(
            MachineSource source,
            String command,
            WatchReading watch,
            MachineReading first,
            double clockOffsetMillis) {
        this.source = source;
        this.command = command;
        this.watch = watch;
        this.first = first;
        this.last = first;
        this.clockOffsetMillis = clockOffsetMillis;
    }

    /** {@return the machine} */
    public Environment environment() {
        return watch.machine();
    }

    /** {@return why nothing is known of it any more; null while it answers} */
    public @Nullable String lost() {
        return lost;
    }

    @Override
    public MachineReading read() {
        if (lost != null) {
            return MachineReading.UNKNOWN;
        }
        try {
            MachineReading reading = source.read();
            if (reading.monotonicNanos() < last.monotonicNanos()) {
                throw new IOException("it was started anew");
            }
            last = reading;
            readings++;
            return reading;
        } catch (IOException e) {
            lost = "the watch no longer answers (" + FileErrors.reason(e) + ")";
            return MachineReading.UNKNOWN;
        }
    }

    /**
     * Takes account of a measured time.
     *
     * @param nanos its length by this machine's clock
     * @param from the reading at its begin
     * @param to the reading at its end
     * @param roundTripNanos the longest that either was under way
     */
    public void measured(long nanos, MachineReading from, MachineReading to, long roundTripNanos) {
        if (from.cpu() == null || to.cpu() == null) {
            return;
        }
        double error = roundTripNanos / 1e6;
        double difference = (to.monotonicNanos() - from.monotonicNanos() - nanos) / 1e6;
        alignmentErrorMillis = alignmentErrorMillis == null
                ? error
                : (Double) Math.max(alignmentErrorMillis, error);
        if (differenceMillis == null || Math.abs(difference) > Math.abs(differenceMillis)) {
            differenceMillis = difference;
        }
    }

    /** {@return how it was read, for the results} */
    public TargetWatch account() {
        return new TargetWatch(
                command,
                watch.ofProcesses() ? "process" : "machine",
                rounded(alignmentErrorMillis),
                rounded(differenceMillis),
                rounded(clockOffsetMillis),
                readings,
                rounded(readerCpuPercent()),
                lost);
    }

    /** Nobody needs more than a thousandth. */
    private static @Nullable Double rounded(@Nullable Double number) {
        return number == null ? null : (Double) (Math.round(number * 1e3) / 1e3);
    }

    private @Nullable Double readerCpuPercent() {
        Long spent = MachineCounter.READER_NS.growth(first, last);
        long nanos = last.monotonicNanos() - first.monotonicNanos();
        return spent == null || nanos <= 0 ? null : (Double) (100.0 * spent / nanos);
    }

    @Override
    public void close() {
        source.close();
    }
}
