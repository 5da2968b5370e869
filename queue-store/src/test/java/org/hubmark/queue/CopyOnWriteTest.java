package org.hubmark.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Proves which file systems are named to the operator, by their types in mount(8). */
class CopyOnWriteTest {
    @ParameterizedTest
    @CsvSource({
        "btrfs, true",
        "zfs, true",
        "bcachefs, true",
        "f2fs, true",
        "ext4, false",
        "xfs, false",
        "tmpfs, false"
    })
    void thoseThatNeverWriteInPlace(String type, boolean named) {
        assertThat(CopyOnWrite.isType(type)).isEqualTo(named);
    }
}
