package org.hubmark.bench.machine.volumes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Proves on a file that a write cache setting is put back, and that an unknown device is refused by name. */
class WriteCacheTest {
    @TempDir
    private Path sys;

    @Test
    void theDisksOfAnArrayAreSetTogether() throws IOException {
        Path one = Files.writeString(sys.resolve("sda"), "write through\n");
        Path other = Files.writeString(sys.resolve("sdb"), "write back\n");
        WriteCache cache = WriteCache.ofFiles(one, other);
        try (WriteCache.Restore restore = cache.set(false)) {
            assertThat(restore).isNotNull();
            assertThat(one).hasContent("write through");
            assertThat(other).hasContent("write through");
        }
        assertThat(Files.readString(one).trim()).isEqualTo("write through");
        assertThat(Files.readString(other).trim()).isEqualTo("write back");
    }

    @Test
    void namesTheProfilesThatThereAre() {
        assertThat(DeviceProfile.named("sata-7200")).isEqualTo(DeviceProfile.SATA_7200);
        assertThat(DeviceProfile.named("raid1")).isEqualTo(DeviceProfile.SATA_7200_RAID1);
        assertThatThrownBy(() -> DeviceProfile.named("floppy"))
                .hasMessage("'floppy' is not a device profile"
                        + " (sata-7200, sata-7200-cache, scsi-15k-bbwc, nvme, sata-7200-raid5,"
                        + " sata-7200-raid1, sata-7200-raid10)");
    }
}
