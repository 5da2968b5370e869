package org.hubmark.bench.machine;

import org.jspecify.annotations.Nullable;

import java.util.function.Function;
import java.util.function.ToLongFunction;

/** What is counted of a machine between two looks, on it or from elsewhere. */
public enum MachineCounter {
    /** Ticks of 10 ms of all cores, whoever used them. */
    BUSY_TICKS(ticks(MachineCpu::busyTicks)),
    /** Ticks of all cores, with work and without. */
    TOTAL_TICKS(ticks(MachineCpu::totalTicks)),
    /** Ticks of all cores in which a hypervisor ran something else. */
    STEAL_TICKS(ticks(MachineCpu::stealTicks)),
    /** CPU time of the control group whose limit holds for server and reader; unknown without one. */
    GROUP_NS(group(GroupCpu::usageNanos)),
    /** Time in which that group had used up its limit; unknown without one. */
    THROTTLED_NS(group(GroupCpu::throttledNanos)),
    /** CPU time of all processes, each by its own account; a group with a limit is their machine. */
    PROCESSES_NS((before, after) -> before.group() == null || after.group() == null
            ? Growth.of(before.processes().processNanos(), after.processes().processNanos())
            : GROUP_NS.growth(before, after)),
    /** CPU time of the server's processes. */
    SERVER_NS(grown(reading -> reading.processes().serverCpuNanos())),
    /** CPU time of the process that reads. */
    READER_NS(grown(reading -> reading.processes().readerCpuNanos())),
    /** Time in which some process waited for a CPU. */
    PRESSURE_NS(grown(MachineReading::pressureNanos)),
    /** Octets that came in by the interfaces of the machine; see {@link SystemCounters}. */
    RECEIVED_BYTES(system(SystemCounters::receivedBytes)),
    /** Octets that went out by them. */
    SENT_BYTES(system(SystemCounters::sentBytes)),
    /** Octets of loopback, each of which was sent and received. */
    LOOPBACK_BYTES(system(SystemCounters::loopbackBytes)),
    /** Pages that were read, or written out, for lack of memory. */
    PAGES(system(SystemCounters::pages));

    // All of them are without state.
    @SuppressWarnings("ImmutableEnumChecker")
    private final Grown grown;

    @FunctionalInterface
    private interface Grown {
        @Nullable
        Long between(MachineReading before, MachineReading after);
    }

    MachineCounter(Grown grown) {
        this.grown = grown;
    }

    /** {@return by how much it has grown; null where it isn't known, or began anew} */
    public @Nullable Long growth(MachineReading before, MachineReading after) {
        return grown.between(before, after);
    }

    private static Grown grown(Function<MachineReading, @Nullable Long> counter) {
        return (before, after) -> Growth.of(counter.apply(before), counter.apply(after));
    }

    private static Grown ticks(ToLongFunction<MachineCpu> counter) {
        return (before, after) -> MachineCpu.growth(before.cpu(), after.cpu(), counter);
    }

    private static Grown group(Function<GroupCpu, @Nullable Long> counter) {
        return grown(reading -> reading.group() == null ? null : counter.apply(reading.group()));
    }

    private static Grown system(Function<SystemCounters, @Nullable Long> counter) {
        return grown(reading -> reading.system() == null ? null : counter.apply(reading.system()));
    }
}
