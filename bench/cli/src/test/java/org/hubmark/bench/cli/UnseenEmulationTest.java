package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import org.hubmark.bench.machine.volumes.DeviceProfile;
import org.hubmark.bench.machine.volumes.PreloadLibrary;
import org.hubmark.bench.machine.volumes.SyncEmulation;
import org.hubmark.bench.machine.volumes.TestVolumes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

class UnseenEmulationTest {
    @TempDir
    private Path folder;

    @Test
    void aVolumeThatIsFasterThanItWasMadeIsTold() throws IOException {
        assumeThat(PreloadLibrary.obstacle()).isNull();
        assumeThat(SyncEmulation.active()).isFalse();
        Path remembered = folder.resolve("state");
        Path slow = folder.resolve("slow");
        var unused = new TestVolumes(remembered).createFolder(slow, DeviceProfile.SATA_7200);

        assertThat(warnings(remembered, List.of(slow.resolve("log"), folder.resolve("queue"))))
                .contains(slow.resolve("log").toString(), "sata-7200", "volumes environment")
                .doesNotContain(folder.resolve("queue").toString());
        assertThat(warnings(remembered, List.of(folder.resolve("log")))).isEmpty();
        assertThat(warnings(folder.resolve("none"), List.of(slow))).isEmpty();
    }

    private static String warnings(Path remembered, List<Path> folders) throws IOException {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        try (PrintStream err = new PrintStream(text, true, StandardCharsets.UTF_8)) {
            UnseenEmulation.warn(remembered, folders, err);
        }
        return text.toString(StandardCharsets.UTF_8);
    }
}
