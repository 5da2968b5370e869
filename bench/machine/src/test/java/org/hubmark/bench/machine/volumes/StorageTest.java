package org.hubmark.bench.machine.volumes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.hubmark.bench.machine.RecordedFiles;
import org.hubmark.bench.machine.devices.VolumeStack;
import org.hubmark.bench.machine.kernel.HostFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** Proves on a sysfs made of files that a volume is told down to its disks. */
class StorageTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    @Test
    void aVolumeIsToldDownToItsDisks(@TempDir Path folder) throws IOException {
        HostFiles host = new HostFiles(folder.toRealPath());
        RecordedFiles.add(host.root(), RecordedFiles.text("storage"));
        for (Map.Entry<String, JsonNode> volume : MAPPER.readTree(
                        Path.of("src/test/resources/machines/storage.json").toFile())
                .properties()) {
            VolumeStack stack = VolumeStack.of(Path.of(volume.getKey()), host);
            String told = MAPPER.writeValueAsString(Storage.of(stack, 1_000_000L, 25.0));
            assertThat(MAPPER.readTree(told)).isEqualTo(volume.getValue());
        }
    }
}
