package org.hubmark.bench.mail.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assumptions.assumeThat;

import org.hubmark.bench.hub.DataFolders;
import org.hubmark.bench.hub.HubSpec;
import org.hubmark.bench.machine.folders.Folders;
import org.hubmark.bench.machine.volumes.DeviceProfile;
import org.hubmark.bench.machine.volumes.PreloadLibrary;
import org.hubmark.bench.machine.volumes.SyncEmulation;
import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.hubmark.bench.mail.document.Condition;
import org.hubmark.bench.mail.document.Conditions;
import org.hubmark.bench.mail.document.Safety;
import org.hubmark.hub.VolumeFolders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** What results say of volumes: of an emulated device, what it acts like. */
class HubVolumesTest {
    @TempDir
    private Path folder;

    /** Tracking is no promise: a cache that would lose it makes nothing unsafe. MatrixProcessTest has one of the log. */
    @Test
    void anEmulatedDeviceIsToldAsWhatItActsLike() throws Exception {
        assumeThat(PreloadLibrary.obstacle()).isNull();
        DataFolders folders = folders(folder);
        VolumeFolders volumes = folders.volumes();
        Map<String, String> emulation = SyncEmulation.prepare(
                        folder.resolve("emulation"),
                        List.of(
                                new SyncEmulation.Device(volumes.log(), DeviceProfile.SATA_7200, 1),
                                new SyncEmulation.Device(volumes.queue(), DeviceProfile.NVME, 1),
                                new SyncEmulation.Device(
                                        volumes.tracking(), DeviceProfile.SATA_7200_CACHE, 1)))
                .environment();
        HubVolumes looked = HubVolumes.of(hub(folders, emulation, true));
        assertThat(looked.volumes())
                .extracting(
                        VolumeDisclosure::emulates,
                        volume -> volume.disk().writeCache(),
                        volume -> volume.disk().rotational(),
                        volume -> volume.sync().syncVerdict())
                .containsExactly(
                        tuple("sata-7200", "off", true, "safe"),
                        tuple("nvme", "on, protected", false, "safe"),
                        tuple("sata-7200-cache", "on, flushes not honoured", true, null));
        Conditions conditions = complete(folders, emulation, looked);
        assertThat(conditions.get(Condition.FLUSH)).isEqualTo("sent");
        assertThat(conditions.safety().unsafe()).isFalse();
    }

    /** By the verdict that volumes probe has of memory. */
    @Test
    void memoryIsUnsafeWhereMailIsKept() throws Exception {
        Path memory = Path.of("/dev/shm");
        assumeThat(Files.isWritable(memory)).isTrue();
        Path own = Files.createTempDirectory(memory, "hub-volumes-");
        try {
            DataFolders folders = folders(own);
            HubVolumes looked = HubVolumes.of(hub(folders, Map.of(), true));
            assertThat(looked.volumes().getFirst().sync().syncVerdict()).isEqualTo("not safe");
            assertThat(complete(folders, Map.of(), looked).safety().unsafe()).isTrue();
            HubVolumes unused = HubVolumes.of(hub(folders, Map.of(), false));
            assertThat(unused.syncs()).isEmpty();
            assertThat(unused.volumes().getFirst().emulates()).isNull();
            assertThat(unused.volumes().getFirst().sync().syncVerdict()).isNull();
        } finally {
            Folders.delete(own);
        }
    }

    @Test
    void anInterruptionIsNoVolumeThatCantBeWritten() throws Exception {
        HubRequest hub = hub(folders(folder), Map.of(), true);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> HubVolumes.of(hub)).isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
    }

    private static Conditions complete(
            DataFolders folders, Map<String, String> environment, HubVolumes looked) {
        return looked.complete(
                Conditions.UNKNOWN.with(Safety.of("synced")), hub(folders, environment, true));
    }

    private static HubRequest hub(
            DataFolders folders, Map<String, String> environment, boolean keeps) {
        return new HubRequest(
                folders,
                new HubSpec("discard", "synced", 1 << 20, keeps, Map.of()),
                environment,
                null);
    }

    private static DataFolders folders(Path in) throws Exception {
        return new DataFolders(new VolumeFolders(
                Files.createDirectories(in.resolve("log")),
                Files.createDirectories(in.resolve("queue")),
                Files.createDirectories(in.resolve("tracking"))));
    }
}
