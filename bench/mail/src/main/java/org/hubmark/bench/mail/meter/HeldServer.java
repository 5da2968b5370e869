package org.hubmark.bench.mail.meter;

import org.hubmark.bench.machine.ResourceLimits;
import org.hubmark.bench.mail.document.Limiting;
import org.jspecify.annotations.Nullable;

import java.util.Objects;
import java.util.Set;

/**
 * A server that may use less than the whole machine: some of its cores (pinning, cpuset) or so much
 * CPU time (quota). What it may not use does not help it, however idle that is.
 *
 * @param server what our hub is held to
 * @param driver what the load driver is held to
 */
record HeldServer(ResourceLimits server, ResourceLimits driver) {
    /** {@return how much of what it may use is used up, percent; null where it may use everything} */
    @Nullable
    Double busyPercent(Window window) {
        Double cores = coresBusyPercent(window);
        Double quota = quotaUsedPercent(window);
        if (cores == null || quota == null) {
            return cores == null ? quota : cores;
        }
        return Math.max(cores, quota);
    }

    /** {@return the limit that it is at; null when it isn't, or may use everything} */
    @Nullable
    Limiting limit(Window window) {
        Double cores = coresBusyPercent(window);
        if (cores != null && cores >= Bottleneck.BUSY_PERCENT) {
            return ofCores(window, cores);
        }
        Double quota = quotaUsedPercent(window);
        if (quota == null || quota < Bottleneck.BUSY_PERCENT) {
            return null;
        }
        return Bottleneck.limit(
                Bottleneck.CPU,
                "a larger CPU quota of the hub's control group",
                "%.0f%% of the CPU time was used that the hub's control group allows, %.2f cores",
                quota,
                Objects.requireNonNull(server.cpuQuotaCores()));
    }

    private Limiting ofCores(Window window, double busy) {
        Double own = window.serverCoresUsed();
        Double others = window.driverCoresUsed();
        int count = server.cores().size();
        boolean drivers = own != null
                && others != null
                && others > own
                && server.cores().containsAll(driver.cores());
        return Bottleneck.limit(
                drivers ? Bottleneck.DRIVER : Bottleneck.CPU,
                drivers ? "other cores for the driver" : "more cores for the hub",
                "the cores that the hub may use (%s, %d of %d) were busy %.0f%% of the time; the hub"
                        + " itself used %.0f%% of it%s",
                String.valueOf(server.allowedCores()),
                count,
                window.cores(),
                busy,
                own == null ? 0.0 : 100 * own / count,
                drivers ? ", and the driver, which is held to the same cores, more" : "");
    }

    private @Nullable Double coresBusyPercent(Window window) {
        Set<Integer> cores = server.cores();
        return cores.isEmpty() || cores.size() >= window.cores() ? null : window.busyPercent(cores);
    }

    /** A group that the driver is in, too, has one quota for both. */
    private @Nullable Double quotaUsedPercent(Window window) {
        Double quota = server.cpuQuotaCores();
        Double own = window.serverCoresUsed();
        if (quota == null || own == null || quota >= window.cores()) {
            return null;
        }
        Double others = quota.equals(driver.cpuQuotaCores()) ? window.driverCoresUsed() : null;
        return 100 * (own + (others == null ? 0 : others)) / quota;
    }
}
