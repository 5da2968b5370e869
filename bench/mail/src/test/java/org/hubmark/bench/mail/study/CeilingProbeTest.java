package org.hubmark.bench.mail.study;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.hub.LogGroups;
import org.hubmark.bench.machine.volumes.GroupWriter.Groups;
import org.junit.jupiter.api.Test;

import java.util.List;

/** Proves that the log device is asked with the writes that were really made, not with their mean. */
class CeilingProbeTest {
    @Test
    void writesEachSizeAsOftenAsTheScenarioDid() {
        LogGroups small = new LogGroups(65_536, 900, 900, 900 * 61_440, 900);
        LogGroups large = new LogGroups(4 << 20, 100, 300, 100L * 3_000_000, 4_800);
        assertThat(CeilingProbe.writers(List.of(small, large)))
                .containsExactly(new Groups(900, 1, 61_440, 1), new Groups(100, 3, 1_000_000, 48));
    }
}
