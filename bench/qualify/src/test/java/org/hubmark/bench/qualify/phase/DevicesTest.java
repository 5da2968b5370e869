package org.hubmark.bench.qualify.phase;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.machine.kernel.DiskCounters;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Proves by lines of /proc/diskstats that writes and flushes of a device are told apart, that
 * what nobody counts is not known, and that counters that begin anew give no absurd figure.
 */
class DevicesTest {
    private static final long SECOND = 1_000_000_000;
    private static final String BEFORE = "8 0 sda 10 0 80 5 100 0 800 4 0 50 60 1 0 8 1 9 90";
    /** 800 writes in 1,600 ms; 400 flushes in 2,000 ms. */
    private static final String AFTER =
            "8 0 sda 30 0 240 25 900 0 7200 1604 0 550 999 5 0 9 2 409 2090";

    private static Repeat grown(String before, String after) {
        Repeat.Builder into = Repeat.counted().name(PhaseFigures.DEVICE, "sda");
        Devices.count(counters(before), counters(after), 2 * SECOND, into);
        return into.made();
    }

    private static @Nullable DiskCounters counters(String line) {
        return DiskCounters.parse(line, "sda");
    }

    private static double figure(Repeat device, String key) {
        Column column = PhaseFigures.DEVICES.columns().stream()
                .filter(one -> one.key().equals(key))
                .findFirst()
                .orElseThrow();
        return column.value(device);
    }

    @Test
    void writesAndFlushesAreToldApart() {
        Repeat device = grown(BEFORE, AFTER);
        assertThat(figure(device, "writes_per_s")).isEqualTo(400);
        assertThat(figure(device, "avg_write_latency_ms")).isEqualTo(2);
        assertThat(figure(device, "flushes_per_s")).isEqualTo(200);
        assertThat(figure(device, "avg_flush_latency_ms")).isEqualTo(5);
        assertThat(figure(device, "reads_per_s")).isEqualTo(10);
    }

    @Test
    void whatNobodyCountsIsNotKnown() {
        Repeat device = grown(BEFORE.replace(" 9 90", " 0 0"), AFTER);
        assertThat(figure(device, "writes_per_s")).isEqualTo(400);
        assertThat(figure(device, "flushes_per_s")).isNaN();
        assertThat(figure(device, "avg_flush_latency_ms")).isNaN();
        assertThat(figure(Repeat.counted().made(), "writes_per_s")).isNaN();
    }

    @Test
    void aDeviceThatCountsAnewIsNotKnown() {
        Repeat device = grown(/* before= */ AFTER, /* after= */ BEFORE);
        assertThat(figure(device, "writes_per_s")).isNaN();
        assertThat(figure(device, "reads_per_s")).isNaN();
    }
}
