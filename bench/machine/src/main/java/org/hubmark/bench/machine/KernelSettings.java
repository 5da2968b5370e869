package org.hubmark.bench.machine;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

import org.jspecify.annotations.Nullable;

/**
 * Settings of the kernel that change what a message costs; the kernel's admin-guide: sysctl/vm.rst,
 * mm/transhuge.rst. Null where the kernel has no such setting.
 *
 * @param clockSource that times are read from
 * @param cpuAccounting how CPU time is counted: by ticks, where interrupts are in the time of the process
 *     that they hit; by ticks with interrupts apart; or by virtual times, which are exact
 */
public record KernelSettings(
        @JsonUnwrapped DirtyPages dirtyPages,
        @Nullable Long vmSwappiness,
        @JsonUnwrapped HugePages hugePages,
        @Nullable String tcpCongestionControl,
        @Nullable String clockSource,
        @Nullable String cpuAccounting) {
    private static final String VM = "proc/sys/vm/";
    private static final String PAGES = "sys/kernel/mm/transparent_hugepage/";

    /**
     * When what was written to files goes from memory to the disk.
     *
     * @param vmDirtyRatio percent of memory from which a writer has to write back itself; 0 where the
     *     bytes are set
     * @param vmDirtyBackgroundRatio percent of memory from which the kernel writes back
     */
    public record DirtyPages(
            @Nullable Long vmDirtyRatio,
            @Nullable Long vmDirtyBytes,
            @Nullable Long vmDirtyBackgroundRatio,
            @Nullable Long vmDirtyBackgroundBytes,
            @Nullable Long vmDirtyExpireCentisecs,
            @Nullable Long vmDirtyWritebackCentisecs) {}

    /**
     * Pages of more than the usual size.
     *
     * @param transparentHugePages always, madvise or never
     * @param transparentHugePagesDefrag when memory is moved to make huge pages
     */
    public record HugePages(
            @Nullable String transparentHugePages, @Nullable String transparentHugePagesDefrag) {}

    static KernelSettings of(HostFiles host) {
        return new KernelSettings(
                new DirtyPages(
                        host.number(VM + "dirty_ratio"),
                        host.number(VM + "dirty_bytes"),
                        host.number(VM + "dirty_background_ratio"),
                        host.number(VM + "dirty_background_bytes"),
                        host.number(VM + "dirty_expire_centisecs"),
                        host.number(VM + "dirty_writeback_centisecs")),
                host.number(VM + "swappiness"),
                new HugePages(
                        chosen(host.line(PAGES + "enabled")), chosen(host.line(PAGES + "defrag"))),
                host.line("proc/sys/net/ipv4/tcp_congestion_control"),
                host.line("sys/devices/system/clocksource/clocksource0/current_clocksource"),
                accounting(host));
    }

    /** By the kernel's configuration where it lies at hand, else by whether interrupts have ticks. */
    private static @Nullable String accounting(HostFiles host) {
        String config = host.text("boot/config-" + host.line("proc/sys/kernel/osrelease"));
        String stat = host.text("proc/stat");
        if (config.contains("CONFIG_VIRT_CPU_ACCOUNTING_NATIVE=y")) {
            return "virtual times";
        }
        if (config.isEmpty() && stat.isEmpty()) {
            return null;
        }
        boolean apart = config.isEmpty()
                // A tick is an interrupt itself, and would have to hit another one.
                ? MachineCpu.parse(stat, null).interruptTicks() > 0
                : config.contains("CONFIG_IRQ_TIME_ACCOUNTING=y");
        return apart ? "ticks, interrupts apart" : "ticks";
    }

    /** Finds the chosen word of a line, which is in brackets. */
    private static @Nullable String chosen(@Nullable String line) {
        return line == null ? null : line.replaceFirst(".*\\[(.+)].*", "$1");
    }
}
