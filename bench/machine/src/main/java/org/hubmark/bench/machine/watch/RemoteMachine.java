package org.hubmark.bench.machine.watch;

import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.machine.MachineReading;
import org.hubmark.bench.machine.MachineSource;
import org.hubmark.core.FileErrors;
import org.jspecify.annotations.Nullable;

import java.io.IOException;

/**
 * The machine of a server elsewhere. When it can't be read any more, nothing is known of it from then
 * on: a load goes on all the same. One thread.
 */
public final class RemoteMachine implements MachineSource {
    private final MachineSource source;
    private final String command;
    private final WatchReading watch;
    private MachineReading last;
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
                throw new IOException("it was restarted");
            }
            last = reading;
            return reading;
        } catch (IOException e) {
            lost = "the watch no longer answers (" + FileErrors.reason(e) + ")";
            return MachineReading.UNKNOWN;
        }
    }

    /** {@return how it was read, for the results} */
    public TargetWatch account() {
        return new TargetWatch(command, watch.ofProcesses() ? "process" : "machine", lost);
    }

    @Override
    public void close() {
        source.close();
    }
}
