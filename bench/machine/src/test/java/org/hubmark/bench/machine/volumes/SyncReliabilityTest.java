package org.hubmark.bench.machine.volumes;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.machine.devices.VolumeFacts;
import org.hubmark.bench.machine.volumes.SyncReliability.Grade;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.List;

/** Proves by a table of volumes which syncs are taken to be honest, and why. */
class SyncReliabilityTest {
    private static final String BACK = "write back";
    private static final String THROUGH = "write through";

    @Test
    void aDiskThatTakesItsTimeIsSafe() {
        SyncReliability disk = judge(facts(BACK, true, false), 8.3, 1.0);
        assertThat(disk.verdict()).isEqualTo(Grade.SAFE);
        assertThat(disk.cacheAnswers()).isFalse();
        assertThat(disk.reasons()).anyMatch(reason -> reason.contains("1.0 flushes"));
        assertThat(judge(facts(THROUGH, true, false), 4.1, 0.0).verdict()).isEqualTo(Grade.SAFE);
        assertThat(judge(facts(BACK, false, false), 0.9, 2.0).verdict()).isEqualTo(Grade.SAFE);
    }

    @Test
    void fasterThanTheMediumMeansThatACacheAnswers() {
        for (SyncReliability fast : List.of(
                judge(facts(BACK, true, false), 0.2, 1.0),
                judge(facts(THROUGH, true, false), 0.2, 0.0),
                judge(facts(BACK, false, false), 0.03, 1.0))) {
            assertThat(fast.verdict()).isEqualTo(Grade.UNKNOWN);
            assertThat(fast.cacheAnswers()).isTrue();
            assertThat(fast.reasons().getFirst()).contains("a cache answers");
        }
    }

    @Test
    void aVolatileCacheWithoutFlushesIsNotSafeHoweverSlow() {
        SyncReliability none = judge(facts(BACK, true, false), 8.3, 0.01);
        assertThat(none.verdict()).isEqualTo(Grade.NOT_SAFE);
        assertThat(none.reasons().getFirst()).contains("no flush");
        SyncReliability barriersOff =
                judge(facts("ext4", "sda1", BACK, false, false, null, false, null), 0.5, null);
        assertThat(barriersOff.verdict()).isEqualTo(Grade.NOT_SAFE);
        assertThat(barriersOff.reasons().getFirst()).contains("barriers are off");
    }

    @Test
    void whatIsNotKnownIsNotCalledSafe() {
        assertThat(judge(facts(BACK, true, false), 8.3, null).verdict()).isEqualTo(Grade.UNKNOWN);
        assertThat(judge(facts(null, true, false), 8.3, 1.0).verdict()).isEqualTo(Grade.UNKNOWN);
        assertThat(judge(facts(BACK, null, false), 8.3, 1.0).verdict()).isEqualTo(Grade.UNKNOWN);
        SyncReliability virtual = judge(facts(BACK, true, true), 8.3, 1.0);
        assertThat(virtual.verdict()).isEqualTo(Grade.UNKNOWN);
        assertThat(virtual.cacheAnswers()).isNull();
        assertThat(judge(facts("nfs4", null, null, true, null, null, false, null), 3, null)
                        .verdict())
                .isEqualTo(Grade.UNKNOWN);
    }

    @Test
    void disksThatCannotBeToldAreNotCalledSafe() {
        VolumeFacts pool = facts("zfs", null, null, true, null, null, false, null);
        VolumeFacts unknown = new VolumeFacts(
                pool.path(),
                pool.mount(),
                pool.disk(),
                "zpool can't be asked",
                null,
                1,
                1,
                List.of(),
                List.of());
        SyncReliability honesty = judge(unknown, 8.3, 1.0);
        assertThat(honesty.verdict()).isEqualTo(Grade.UNKNOWN);
        assertThat(honesty.reasons().getFirst()).contains("(zpool can't be asked)");
    }

    @Test
    void memoryIsNotSafe() {
        assertThat(judge(facts("tmpfs", null, null, true, null, null, false, null), 0.001, null)
                        .verdict())
                .isEqualTo(Grade.NOT_SAFE);
    }

    @Test
    void aLoopDeviceIsWorthWhatIsBelowIt() {
        VolumeFacts loop = facts("ext4", "loop3", BACK, true, false, "/disk/a.img", false, null);
        SyncReliability honesty = judge(loop, 1.0, 1.0);
        assertThat(honesty.verdict()).isEqualTo(Grade.UNKNOWN);
        assertThat(honesty.reasons().getFirst()).contains("/disk/a.img");
    }

    @Test
    void anEmulatedDeviceIsJudgedAsThatDevice() {
        for (DeviceProfile profile : DeviceProfile.values()) {
            VolumeFacts facts =
                    facts("ext4", "loop3", BACK, true, false, "/a", false, profile.toString());
            SyncReliability emulated = SyncReliability.judge(facts, 1, 0.0, true);
            assertThat(emulated.verdict())
                    .isEqualTo(
                            profile == DeviceProfile.SATA_7200_CACHE ? Grade.NOT_SAFE : Grade.SAFE);
            assertThat(emulated.reasons().getFirst()).startsWith("Emulated: ");
        }
    }

    private static SyncReliability judge(VolumeFacts facts, double ms, @Nullable Double flushes) {
        return SyncReliability.judge(facts, ms, flushes, false);
    }

    private static VolumeFacts facts(
            @Nullable String cache, @Nullable Boolean rotational, boolean virtual) {
        return facts("ext4", "sda1", cache, true, rotational, null, virtual, null);
    }

    private static VolumeFacts facts(
            String filesystem,
            @Nullable String device,
            @Nullable String cache,
            boolean barriers,
            @Nullable Boolean rotational,
            @Nullable String backingFile,
            boolean virtual,
            @Nullable String emulates) {
        return new VolumeFacts(
                "/v",
                new VolumeFacts.Mounted("/v", filesystem, "rw", barriers),
                new VolumeFacts.Disk(
                        device,
                        List.of(),
                        null,
                        rotational,
                        virtual,
                        false,
                        null,
                        cache,
                        null,
                        backingFile,
                        null),
                null,
                emulates,
                1,
                1,
                List.of(),
                List.of());
    }
}
