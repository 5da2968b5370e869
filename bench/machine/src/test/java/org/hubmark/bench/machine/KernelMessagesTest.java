package org.hubmark.bench.machine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.Objects;
import java.util.Set;

/** Proves on the words of dmesg that warnings and errors about a device between two moments are counted. */
class KernelMessagesTest {
    private static final String QUIET = """
            <6>[    1.000000] sda: 1 partition
            <3>[    2.000000] sda: I/O error, before the test
            """;

    @Test
    void warningsAndErrorsThatNameADeviceAreCounted() {
        KernelMessages before = Objects.requireNonNull(KernelMessages.of(QUIET));
        KernelMessages after = Objects.requireNonNull(KernelMessages.of(QUIET + """
                <4>[   10.100000] sdb: reset
                <4>[   10.200000] blk_update_request: critical timeout error, dev sda, sector 8
                <12>[   10.300000] sda1: write failed, from a program
                <3>[   10.400000] EXT4-fs error (device dm-7): no directory
                <6>[   10.500000] sda: error, but for information
                """));
        assertThat(after.warnings(before, Set.of("sda", "sda1"))).isEqualTo(2);
        assertThat(after.warnings(after, Set.of("sda", "sda1"))).isZero();
        assertThat(KernelMessages.of("")).isNull();
    }
}
