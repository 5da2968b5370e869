package org.hubmark.bench.machine;

import org.jspecify.annotations.Nullable;

/**
 * Settings of the kernel that change what a message costs; the kernel's admin-guide: sysctl/vm.rst,
 * mm/transhuge.rst. Null where the kernel has no such setting.
 *
 * @param vmDirtyRatio percent of memory from which a writer has to write back itself; 0 where the bytes
 *     are set
 * @param vmDirtyBackgroundRatio percent of memory from which the kernel writes back
 * @param transparentHugePages always, madvise or never
 * @param transparentHugePagesDefrag when memory is moved to make huge pages
 * @param clockSource that times are read from
 */
public record KernelSettings(
        @Nullable Long vmDirtyRatio,
        @Nullable Long vmDirtyBytes,
        @Nullable Long vmDirtyBackgroundRatio,
        @Nullable Long vmDirtyBackgroundBytes,
        @Nullable Long vmDirtyExpireCentisecs,
        @Nullable Long vmDirtyWritebackCentisecs,
        @Nullable Long vmSwappiness,
        @Nullable String transparentHugePages,
        @Nullable String transparentHugePagesDefrag,
        @Nullable String tcpCongestionControl,
        @Nullable String clockSource) {
    private static final String VM = "proc/sys/vm/";
    private static final String PAGES = "sys/kernel/mm/transparent_hugepage/";

    static KernelSettings of(HostFiles host) {
        return new KernelSettings(
                host.number(VM + "dirty_ratio"),
                host.number(VM + "dirty_bytes"),
                host.number(VM + "dirty_background_ratio"),
                host.number(VM + "dirty_background_bytes"),
                host.number(VM + "dirty_expire_centisecs"),
                host.number(VM + "dirty_writeback_centisecs"),
                host.number(VM + "swappiness"),
                chosen(host.line(PAGES + "enabled")),
                chosen(host.line(PAGES + "defrag")),
                host.line("proc/sys/net/ipv4/tcp_congestion_control"),
                host.line("sys/devices/system/clocksource/clocksource0/current_clocksource"));
    }

    /** Of all that could be, the one in brackets is. */
    private static @Nullable String chosen(@Nullable String line) {
        return line == null ? null : line.replaceFirst(".*\\[(.+)].*", "$1");
    }
}
