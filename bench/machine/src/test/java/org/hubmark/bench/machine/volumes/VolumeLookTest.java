package org.hubmark.bench.machine.volumes;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.machine.devices.VolumeFacts;
import org.hubmark.bench.machine.devices.VolumeInspection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A short look judges as a long one does, and leaves nothing behind. */
class VolumeLookTest {
    @TempDir
    private Path folder;

    @Test
    void leavesNothingBehind() throws Exception {
        SyncReliability honesty = VolumeProbe.look(folder, facts(folder));
        assertThat(honesty.reasons()).isNotEmpty();
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).isEmpty();
        }
    }

    /** Nothing is written: what a profile is worth is known. */
    @Test
    void anEmulatedDeviceIsWorthWhatItsProfileIs() throws Exception {
        Path nowhere = folder.resolve("is-not-there");
        for (DeviceProfile profile : DeviceProfile.values()) {
            VolumeFacts facts = facts(folder).emulating(profile.toString());
            assertThat(VolumeProbe.look(nowhere, facts).verdict())
                    .isEqualTo(
                            profile.safe()
                                    ? SyncReliability.Grade.SAFE
                                    : SyncReliability.Grade.NOT_SAFE);
        }
    }

    private static VolumeFacts facts(Path folder) throws IOException {
        return VolumeInspection.inspect(List.of(folder)).getFirst();
    }
}
