package org.hubmark.bench.machine;

import org.hubmark.bench.machine.kernel.Growth;
import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.function.ToLongFunction;

/** What is counted of a machine, on it or from elsewhere. */
public enum MachineCounter {
    /** Ticks of 10 ms of all cores, whoever used them. */
    BUSY_TICKS(MachineCpu::busyTicks),
    /** Ticks of all cores, with work and without. */
    TOTAL_TICKS(MachineCpu::totalTicks),
    /** Ticks of all cores in which a hypervisor ran something else. */
    STEAL_TICKS(MachineCpu::stealTicks),
    /** CPU time of the control group whose limit holds for server and reader; unknown without one. */
    GROUP_NS,
    /** Time in which that group had work and had used up its limit, all CPUs together. */
    THROTTLED_NS,
    /**
     * CPU time of all processes but the kernel's own threads, each by its own account; it grows by that of a group
     * with a limit, which is their machine. Unknown where not all of them can be seen.
     */
    PROCESSES_NS,
    /** CPU time of the server's processes. */
    SERVER_NS,
    /** CPU time of the process that reads. */
    READER_NS,
    /**
     * Octets that came in by the interfaces that have hardware; where none has, as in a container, by those that
     * no other one lies below, without loopback.
     */
    RECEIVED_BYTES,
    /** Octets that went out by them. */
    SENT_BYTES,
    /** Pages that were read because they were not in memory (major faults), or written out for lack of it. */
    PAGES,
    /** Memory that programs can have now without paging; no counter that grows. */
    AVAILABLE_BYTES;

    // It has no state.
    @SuppressWarnings("ImmutableEnumChecker")
    private final @Nullable ToLongFunction<MachineCpu> ticks;

    MachineCounter() {
        this.ticks = null;
    }

    MachineCounter(ToLongFunction<MachineCpu> ticks) {
        this.ticks = ticks;
    }

    /** Takes it down where it is known. */
    void put(@Nullable Long value, Map<MachineCounter, Long> into) {
        if (value != null) {
            into.put(this, value);
        }
    }

    /** {@return by how much it has grown; null where it isn't known, or began anew} */
    public @Nullable Long growth(MachineReading before, MachineReading after) {
        if (ticks != null) {
            return MachineCpu.growth(before.cpu(), after.cpu(), ticks);
        }
        boolean isLimited =
                this == PROCESSES_NS && before.get(GROUP_NS) != null && after.get(GROUP_NS) != null;
        MachineCounter counter = isLimited ? GROUP_NS : this;
        return Growth.of(before.get(counter), after.get(counter));
    }
}
