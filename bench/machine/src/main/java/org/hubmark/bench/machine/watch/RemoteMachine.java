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
    private MachineReading last;
    private @Nullable Double alignmentErrorMillis;
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
        return new RemoteMachine(source, command, watch, source.read());
    }

    private RemoteMachine(
            MachineSource source, String command, WatchReading watch, MachineReading first) {
        this.source = source;
        this.command = command;
        this.watch = watch;
        this.first = first;
        this.last = first;
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
            return reading;
        } catch (IOException e) {
            lost = "the watch no longer answers (" + FileErrors.reason(e) + ")";
            return MachineReading.UNKNOWN;
        }
    }

    /** Takes account of the readings at the ends of a measured time, the longest of which was under way so long. */
    public void measured(long roundTripNanos) {
        if (lost == null) {
            alignmentErrorMillis = Math.max(
                    alignmentErrorMillis == null ? 0 : alignmentErrorMillis, roundTripNanos / 1e6);
        }
    }

    /** {@return how it was read, for the results} */
    public TargetWatch account() {
        Long spent = MachineCounter.READER_NS.growth(first, last);
        long nanos = last.monotonicNanos() - first.monotonicNanos();
        return new TargetWatch(
                command,
                watch.ofProcesses() ? "process" : "machine",
                rounded(alignmentErrorMillis),
                spent == null || nanos <= 0 ? null : rounded(100.0 * spent / nanos),
                lost);
    }

    /** Nobody needs more than a thousandth. */
    private static @Nullable Double rounded(@Nullable Double number) {
        return number == null ? null : (Double) (Math.round(number * 1e3) / 1e3);
    }

    @Override
    public void close() {
        source.close();
    }
}
