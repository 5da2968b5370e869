package org.hubmark.bench.qualify.phase;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.machine.kernel.DiskCounters;
import org.junit.jupiter.api.Test;

import java.util.List;

/**
 * Proves by lines of /proc/diskstats that writes and flushes of a device are told apart, that
 * what nobody counts is not known, and that counters that begin anew give no absurd figure.
 */
class DevicesTest {
    private static final String BEFORE = "8 0 sda 10 0 80 5 100 0 800 4 0 50 60 1 0 8 1 9 90";
    /** 800 writes in 1,600 ms; 400 flushes in 2,000 ms. */
    private static final String AFTER =
            "8 0 sda 30 0 240 25 900 0 7200 1604 0 550 999 5 0 9 2 409 2090";

    /** {@return reads, writes, ms of a write, flushes and ms of a flush} */
    private static List<Double> figures(String before, String after) {
        Repeat.Builder into = Repeat.counted();
        Devices.count(
                DiskCounters.parse(before, "sda"),
                DiskCounters.parse(after, "sda"),
                2_000_000_000L,
                into);
        Repeat device = into.made();
        return List.of(
                        "reads_per_s",
                        "writes_per_s",
                        "avg_write_latency_ms",
                        "flushes_per_s",
                        "avg_flush_latency_ms")
                .stream()
                .flatMap(key -> PhaseFigures.DEVICES.columns().stream()
                        .filter(column -> column.key().equals(key)))
                .map((Column column) -> column.value(device))
                .toList();
    }

    @Test
    void writesAndFlushesAreToldApart() {
        double unknown = Double.NaN;
        assertThat(figures(BEFORE, AFTER)).containsExactly(10.0, 400.0, 2.0, 200.0, 5.0);
        assertThat(figures(BEFORE.replace(" 9 90", " 0 0"), AFTER))
                .containsExactly(10.0, 400.0, 2.0, unknown, unknown);
        assertThat(figures(/* before= */ AFTER, /* after= */ BEFORE)).containsOnly(unknown);
    }
}
