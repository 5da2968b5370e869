package org.hubmark.bench.durability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.hubmark.bench.machine.volumes.DeviceProfile;
import org.hubmark.bench.machine.volumes.PreloadLibrary;
import org.hubmark.bench.machine.volumes.SyncEmulation;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Proves that a file on an emulated device can have faults: dd writes and syncs under the library, told to
 * do both, and the device's own count says which syncs it has answered.
 */
final class FaultControlTest {
    @TempDir
    private Path folder;

    private Path disk;
    private SyncEmulation emulation;

    @BeforeEach
    void emulate() throws IOException {
        assumeTrue(PreloadLibrary.obstacle() == null, "no C compiler");
        disk = Files.createDirectory(folder.resolve("disk"));
        emulation = SyncEmulation.prepare(
                folder, List.of(new SyncEmulation.Device(disk, DeviceProfile.NVME, 1)));
    }

    @Test
    void aSyncOfAnEmulatedDeviceFailsAndTheDeviceIsFull() throws Exception {
        try (FaultControl faults =
                FaultControl.open(PreloadLibrary.load(folder), folder.resolve("faults"))) {
            assertThat(write(faults)).isEmpty();
            assertThat(syncs()).isEqualTo(1);
            assertThat(faults.struck()).isZero();
            faults.fail(false, 1, false);
            assertThat(write(faults)).contains("Input/output error");
            assertThat(syncs()).as("a sync that fails takes no time").isEqualTo(1);
            assertThat(faults.struck()).isEqualTo(1);
            assertThat(write(faults)).isEmpty();
            assertThat(syncs()).isEqualTo(2);
            faults.fill(5_000);
            assertThat(write(faults)).isEmpty();
            assertThat(write(faults)).contains("No space left on device");
            faults.makeRoom();
            long before = syncs();
            assertThat(write(faults)).isEmpty();
            assertThat(syncs()).isEqualTo(before + 1);
        }
    }

    private long syncs() throws IOException {
        return Objects.requireNonNull(emulation.counters(disk)).syncs();
    }

    /** Writes 4,000 octets to a file and syncs it. {@return what dd has to say} */
    private String write(FaultControl faults) throws Exception {
        Map<String, String> environment = new HashMap<>(emulation.environment());
        environment.putAll(faults.environment(disk, null));
        ProcessBuilder builder = new ProcessBuilder(
                        "dd",
                        "if=/dev/zero",
                        "of=" + disk.resolve("x"),
                        "bs=4000",
                        "count=1",
                        "conv=fsync",
                        "status=none")
                .redirectErrorStream(true);
        builder.environment().putAll(environment);
        builder.environment().put("LC_ALL", "C");
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor() == 0).as(said).isEqualTo(said.isEmpty());
        return said;
    }
}
