package org.hubmark.bench.results;

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
        assertThat(Safety.UNKNOWN.endangered()).isFalse();
        Safety found = Safety.UNKNOWN.on(DeviceProfile.SATA_7200_CACHE);
        assertThat(found.unsafe()).isTrue();
    }

    /** At most as many messages share a sync as there are connections that wait for it. */
    @Test
    void tooFewSyncsProveThatMailWasAcknowledgedBeforeItWasSynced() {
        Safety none = Safety.UNKNOWN.counted(0, 1_000, 8);
        assertThat(none.unsafe()).isTrue();
        assertThat(none.unsafeReason())
                .isEqualTo("0 flushes reached the device of its queue for 1000 acknowledged"
                        + " messages, 0.000 a message; at most 8 messages can share one that comes"
                        + " before their answers, so some were acknowledged before they were"
                        + " synced");
        assertThat(Safety.UNKNOWN.counted(124, 1_000, 8).unsafe()).isTrue();
        Safety enough = Safety.UNKNOWN.counted(125, 1_000, 8);
        assertThat(enough.unsafe()).isFalse();
        assertThat(enough.safetyEvidence())
                .isEqualTo(new SafetyEvidence(
                        "syncs",
                        "125 flushes reached the device of its queue for 1000 acknowledged messages,"
                                + " 0.125 a message: enough for one before each answer on 8"
                                + " connections, though when they came was not seen",
                        null,
                        null));
        assertThat(Safety.UNKNOWN.counted(0, 0, 8)).isEqualTo(Safety.UNKNOWN);
    }

    @Test
    void crashesTellMoreThanSyncsThatWereCounted() {
        Safety crashed = Safety.proven(SafetyEvidence.durability("kept all", "d.json", "ab"));
        assertThat(crashed.counted(0, 1_000, 8)).isEqualTo(crashed);
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
