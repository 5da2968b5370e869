package org.hubmark.bench.mail.meter;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.List;

/** Proves that a device's counters are taken for a volume only where no other volume lies on it. */
class InstrumentsTest {
    @Test
    void seesWhichVolumesShareADevice() {
        assertThat(Instruments.ownDevice("log", volumes("sda", "sdb", "sdb"))).isEqualTo("sda");
        assertThat(Instruments.ownDevice("queue", volumes("sda", "sdb", "sdb"))).isNull();
        assertThat(Instruments.ownDevice("queue", volumes("sda", "sda", "sdb"))).isNull();
        assertThat(Instruments.ownDevice("log", volumes(null, "sda", "sdb"))).isNull();
        assertThat(Instruments.ownDevice("log", List.of())).isNull();
    }

    private static List<VolumeDisclosure> volumes(
            @Nullable String log, String queue, String tracking) {
        return List.of(volume("log", log), volume("queue", queue), volume("tracking", tracking));
    }

    private static VolumeDisclosure volume(String role, @Nullable String device) {
        return new VolumeDisclosure(
                role,
                "/" + role,
                device,
                null,
                null,
                new VolumeDisclosure.Disk(null, null, null),
                null,
                null,
                new VolumeDisclosure.Sync(null, null),
                null);
    }
}
