package org.hubmark.bench.mail.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.machine.devices.VolumeFacts;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.List;

/** Proves that volumes pass for devices of their own only where that is known. */
class GivenVolumesTest {
    @Test
    void whatIsUnknownIsNoDeviceOfItsOwn() {
        VolumeFacts disk = facts("/log", null);
        VolumeFacts pool = facts("/queue", "zpool can't be asked");
        assertThat(GivenVolumes.sharing(disk, facts("/queue", null))).isNull();
        for (String sharing :
                new String[] {GivenVolumes.sharing(disk, pool), GivenVolumes.sharing(pool, disk)}) {
            assertThat(sharing).endsWith("share one is unknown: zpool can't be asked");
        }
    }

    private static VolumeFacts facts(String path, @Nullable String unknown) {
        return new VolumeFacts(
                path,
                new VolumeFacts.Mounted(path, "zfs", "rw", true),
                new VolumeFacts.Disk(
                        null, List.of(), null, null, false, false, null, null, null, null, null),
                unknown,
                null,
                1,
                1,
                List.of(),
                List.of());
    }
}
