package org.hubmark.bench.scale.result;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * One run with so many hosts.
 *
 * @param run from 1
 * @param hosts how many
 * @param startedAt of its measured time
 * @param measuredS how long that was
 * @param throughputMsgsPerS accepted by all hubs together
 * @param sendLatencyMs from the intended start of a message to the answer to its end; null when nothing
 *     was accepted
 * @param arrivalLatencyMs from the start of a message's transaction to its delivery; null when nothing was
 *     delivered
 * @param driverCpuCores CPU time of the driver's loops in a second of the measured time, seconds
 * @param machineCpuPercent of all CPUs of the machine, whoever used them; null where that isn't known
 * @param startS how long cluster and hubs took to start
 * @param hostFigures of each host
 */
public record ScaleRun(
        int run,
        int hosts,
        String startedAt,
        double measuredS,
        double throughputMsgsPerS,
        @Nullable Latencies sendLatencyMs,
        @Nullable Latencies arrivalLatencyMs,
        long acceptedMsgs,
        long refusedMsgs,
        long failedMsgs,
        @Nullable String firstRefusal,
        double driverCpuCores,
        @Nullable Double machineCpuPercent,
        double startS,
        List<HostFigures> hostFigures) {
    /** Copies. */
    public ScaleRun {
        hostFigures = List.copyOf(hostFigures);
    }

    /** {@return what makes it no measurement; empty when nothing does} */
    List<String> faults() {
        List<String> faults = new ArrayList<>();
        String where = hosts + (hosts == 1 ? " host" : " hosts") + ", run " + run + ": ";
        if (acceptedMsgs == 0) {
            faults.add(where + "nothing was accepted");
        }
        if (refusedMsgs > 0) {
            faults.add(where + refusedMsgs + " messages were refused"
                    + (firstRefusal == null ? "" : ", the first with: " + firstRefusal));
        }
        if (failedMsgs > 0) {
            faults.add(where + failedMsgs + " messages were not answered");
        }
        return faults;
    }
}
