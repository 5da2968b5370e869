package org.hubmark.hub.volumes;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Proves on a sysfs made of files that disks below partitions, arrays and logical volumes are found. */
class BlockDeviceTest {
    @TempDir
    private Path sys;

    @Test
    void findsTheDisksBelow() throws IOException {
        disk("sda", "sda2");
        disk("sdb", "sdb1");
        Path array = disk("md0", null);
        Files.createDirectories(array.resolve("md"));
        Files.writeString(array.resolve("md/level"), "raid1\n");
        Files.createDirectories(array.resolve("slaves/sda2"));
        Files.createDirectories(array.resolve("slaves/sdb1"));
        Path logical = disk("dm-0", null);
        Files.createDirectories(logical.resolve("slaves/md0"));

        assertThat(named("sda2").media()).containsExactly("sda");
        assertThat(named("sda2").queueFile("write_cache"))
                .isEqualTo(sys.toRealPath().resolve("devices/sda/queue/write_cache"));
        assertThat(named("md0").media()).containsExactly("sda", "sdb");
        assertThat(named("md0").raid()).isEqualTo("raid1");
        assertThat(named("dm-0").media()).containsExactly("sda", "sdb");
        assertThat(named("sda2").raid()).isNull();
        assertThat(named("sda").virtual()).isFalse();
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

    private BlockDevice named(String name) throws IOException {
        return BlockDevice.named(name, sys);
    }

    private Path disk(String name, @Nullable String partition) throws IOException {
        Path folder = Files.createDirectories(sys.resolve("devices").resolve(name));
        Path links = Files.createDirectories(sys.resolve("class/block"));
        Files.createDirectories(folder.resolve("queue"));
        Files.createSymbolicLink(links.resolve(name), folder);
        if (partition != null) {
            Path part = Files.createDirectories(folder.resolve(partition));
            Files.writeString(part.resolve("partition"), "1\n");
            Files.createSymbolicLink(links.resolve(partition), part);
        }
        return folder;
    }
}
