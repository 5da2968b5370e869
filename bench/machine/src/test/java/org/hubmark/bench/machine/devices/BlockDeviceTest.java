package org.hubmark.bench.machine.devices;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Proves what is read of a device alone, and of the options of a mount. */
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
        BlockDevice found = BlockDevice.of(links.resolve("sda2"), root);
        assertThat(found.disk().folder()).isEqualTo(root.toRealPath().resolve("devices/sda"));
        assertThat(found.raid()).isNull();
    }

    @Test
    void tellsWhetherAMountSendsFlushes() {
        assertThat(barriers("rw,noatime,nobarrier,data=writeback")).isFalse();
        assertThat(barriers("rw,barrier=0")).isFalse();
        assertThat(barriers("rw,barrier=1")).isTrue();
    }

    private static boolean barriers(String options) {
        return new Mount("254:0", Path.of("/"), "ext4", "/dev/vda", options).barriers();
    }
}
