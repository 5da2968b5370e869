package org.hubmark.bench.machine;

import java.io.IOException;

/**
 * Where the cycles of the cores come from. What it gives is of the whole machine; whose they are is
 * told by whose CPU time it was.
 */
public sealed interface CycleSource extends AutoCloseable permits CountedCycles, SampledClock {
    /** {@return the best that this machine has: counted, else time by the clock as it is sampled} */
    static CycleSource open() throws IOException {
        return CountedCycles.available()
                ? CountedCycles.start(CountedCycles.COMMAND, HostFiles.HERE)
                : new SampledClock(HostFiles.HERE);
    }

    /** {@return cycles and busy time until now, of which only the growth counts} */
    BusyCycles read();

    /** {@return what it is, in a few words} */
    String words();

    @Override
    void close();
}
