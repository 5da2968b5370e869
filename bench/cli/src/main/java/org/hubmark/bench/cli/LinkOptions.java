package org.hubmark.bench.cli;

import org.hubmark.bench.machine.cluster.ClusterNetwork;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Option;

import java.time.Duration;

/** The links of hosts that are network namespaces. */
final class LinkOptions {
    private static final long MEGA = 1_000_000L;

    @Option(
            names = "--link-rate",
            paramLabel = "MBIT",
            description =
                    "Rate of each host's link, megabits a second each way. Default: no limit.")
    private @Nullable Integer linkRate;

    @Option(
            names = "--link-delay",
            paramLabel = "TIME",
            description =
                    "Delay that each host's link adds each way, such as 250us; needs the kernel's netem."
                            + " Default: none.")
    private @Nullable Duration linkDelay;

    /** {@return the option that was given; empty for none} */
    String given() {
        if (linkRate != null) {
            return "--link-rate";
        }
        return linkDelay == null ? "" : "--link-delay";
    }

    /** {@return what was asked for} */
    ClusterNetwork network() {
        try {
            return new ClusterNetwork(
                    linkRate == null ? null : Math.multiplyExact(MEGA, linkRate), linkDelay);
        } catch (IllegalArgumentException e) {
            throw UserError.usage(String.valueOf(e.getMessage()));
        }
    }
}
