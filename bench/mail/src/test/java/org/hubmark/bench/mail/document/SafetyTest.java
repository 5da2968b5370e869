package org.hubmark.bench.mail.document;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.machine.volumes.DeviceProfile;
import org.junit.jupiter.api.Test;

/** Proves what is called unsafe, and that no reason hides another. */
class SafetyTest {
    @Test
    void aSyncedQueueOnADeviceThatKeepsWhatItAnsweredForIsSafe() {
        Safety safety = Safety.of("synced").on(DeviceProfile.SCSI_15K_BBWC);
        assertThat(safety).isEqualTo(Safety.UNCHALLENGED);
    }

    /** Nobody asked a server that isn't ours, and one that throws mail away promises nothing. */
    @Test
    void ofAServerThatNobodyAskedNothingIsKnown() {
        assertThat(Conditions.UNKNOWN.safety().unsafe()).isNull();
        assertThat(Safety.UNKNOWN.unsafeReason()).isNull();
        Safety found = Safety.UNKNOWN.on(DeviceProfile.SATA_7200_CACHE);
        assertThat(found.unsafe()).isTrue();
    }

    @Test
    void everyReasonIsSaidOnce() {
        Safety safety = Safety.of("periodic=10ms")
                .on(DeviceProfile.SATA_7200_CACHE)
                .withoutFlushes()
                .on(DeviceProfile.SATA_7200_CACHE);
        assertThat(safety.unsafe()).isTrue();
        assertThat(safety.unsafeReason())
                .isEqualTo("durability periodic=10ms: a 250 is given before the message is synced;"
                        + " sata-7200-cache: the device's write cache answers a sync and is lost"
                        + " with the power; no flush is sent for a sync: what the device's write"
                        + " cache holds is lost with the power, unless a battery or capacitor keeps"
                        + " it");
    }
}
