package org.hubmark.bench.machine.volumes;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.machine.devices.VolumeFacts;
import org.hubmark.bench.machine.devices.VolumeInspection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A short look judges as a long one does, and leaves nothing behind. */
class VolumeLookTest {
    @TempDir
    private Path folder;

    @Test
    void leavesNothingBehind() throws Exception {
        SyncReliability honesty = VolumeProbe.look(folder, facts(folder));
        assertThat(honesty.reasons()).isNotEmpty();
        assertThat(folder).isEmptyDirectory();
    }

    /** Nothing is written: what a profile is worth is known. */
    @Test
    void anEmulatedDeviceIsWorthWhatItsProfileIs() throws Exception {
        Path nowhere = folder.resolve("is-not-there");
        for (DeviceProfile profile : DeviceProfile.values()) {
            VolumeFacts facts = facts(folder).emulating(profile.toString());
            SyncReliability found = VolumeProbe.look(nowhere, facts);
            assertThat(found.verdict())
                    .isEqualTo(
                            profile == DeviceProfile.SATA_7200_CACHE
                                    ? SyncReliability.Grade.NOT_SAFE
                                    : SyncReliability.Grade.SAFE);
            assertThat(found.reasons().getFirst()).startsWith("Emulated: ");
        }
    }

    private static VolumeFacts facts(Path folder) throws IOException {
        return VolumeInspection.inspect(List.of(folder)).getFirst();
    }
}
