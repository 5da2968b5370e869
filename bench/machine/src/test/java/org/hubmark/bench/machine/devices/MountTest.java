package org.hubmark.bench.machine.devices;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.machine.kernel.HostFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/** Proves that mounts have names of any octets, and what their options say of flushes. */
class MountTest {
    /** One anywhere on the machine is enough. */
    @Test
    void aNameThatIsNoUtf8HidesNoOtherMount(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("mountinfo"), """
                26 1 0:9 / /mnt/gr\u00fc\u00dfe rw - tmpfs none rw
                27 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard
                """, StandardCharsets.ISO_8859_1);
        String read = new HostFiles(folder).text("mountinfo");
        assertThat(Objects.requireNonNull(Mount.parse(read, Path.of("/mnt"))).filesystem())
                .isEqualTo("ext4");
    }

    @ParameterizedTest
    @CsvSource({
        "'rw,noatime,nobarrier,data=writeback', false",
        "'rw,barrier=0', false",
        "'rw,barrier=1', true",
    })
    void tellsWhetherItSendsFlushes(String options, boolean barriers) {
        assertThat(new Mount("254:0", Path.of("/"), "ext4", "/dev/vda", options).barriers())
                .isEqualTo(barriers);
    }
}
