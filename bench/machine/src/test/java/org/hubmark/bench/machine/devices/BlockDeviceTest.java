package org.hubmark.bench.machine.devices;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Proves what is read of a device alone, its line of counters and the options of a mount. */
class BlockDeviceTest {
    @TempDir
    private Path root;

    @Test
    void aPartHasTheQueueOfItsDisk() throws IOException {
        Path disk = Files.createDirectories(root.resolve("devices/sda"));
        Path part = Files.createDirectories(disk.resolve("sda2"));
        Files.writeString(part.resolve("partition"), "2\n");
        Path links = Files.createDirectories(root.resolve("class/block"));
        Files.createSymbolicLink(links.resolve("sda"), disk);
        Files.createSymbolicLink(links.resolve("sda2"), part);
        assertThat(BlockDevice.named("sda2", root).queueFile("write_cache"))
                .isEqualTo(root.toRealPath().resolve("devices/sda/queue/write_cache"));
        assertThat(BlockDevice.named("sda2", root).raid()).isNull();
    }

    @Test
    void readsCountersOfWholeDisks() {
        String diskstats = """
                 254       0 vda 75516 10826 4731378 38568 31538 13347 3324960 10129 0 8668 49367 8633 35 738160 530 4024 139
                   8       0 sda 1 2 3 4 5 6 7 8 9 10 11
                """;
        assertThat(BlockDevice.count(diskstats, "vda", 18)).isEqualTo(4024);
        assertThat(BlockDevice.count(diskstats, "vda", 7)).isEqualTo(31538);
        assertThat(BlockDevice.count(diskstats, "sda", 18)).isNull();
        assertThat(BlockDevice.count(diskstats, "sdx", 7)).isNull();
    }

    @Test
    void tellsWhichMountOptionsMatter() {
        List<String> options =
                List.of("rw", "noatime", "nobarrier", "data=writeback", "resuid=65534", "discard");
        assertThat(VolumeInspection.optionsThatMatter(options))
                .containsExactly("noatime", "nobarrier", "data=writeback", "discard");
        assertThat(VolumeInspection.barriers(options)).isFalse();
        assertThat(VolumeInspection.barriers(List.of("rw", "barrier=0"))).isFalse();
        assertThat(VolumeInspection.barriers(List.of("rw", "barrier=1"))).isTrue();
    }
}
