package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import org.hubmark.bench.machine.volumes.DeviceProfile;
import org.hubmark.bench.machine.volumes.PreloadLibrary;
import org.hubmark.bench.machine.volumes.SyncEmulation;
import org.hubmark.bench.machine.volumes.TestVolumes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Proves that a volume which acts like a device is seen, so that none is measured at the speed below it. */
class EmulatedCommandTest {
    @TempDir
    private Path folder;

    @Test
    void aFolderOnAnEmulatedVolumeIsSeenBeforeItExists() throws IOException {
        assumeThat(PreloadLibrary.obstacle()).isNull();
        assumeThat(SyncEmulation.active()).isFalse();
        TestVolumes volumes = new TestVolumes(folder.resolve("images"));
        Path slow = folder.resolve("slow");
        var unused = volumes.createFolder(slow, DeviceProfile.SATA_7200);

        Path other = folder.resolve("queue");
        assertThat(EmulatedCommand.isNeeded(volumes, List.of(other, slow.resolve("log"))))
                .isTrue();
        assertThat(EmulatedCommand.isNeeded(volumes, List.of(slow))).isTrue();
        assertThat(EmulatedCommand.isNeeded(volumes, List.of(other))).isFalse();
        assertThat(EmulatedCommand.isNeeded(new TestVolumes(other), List.of(slow)))
                .isFalse();
    }
}
