package org.hubmark.bench.machine.devices;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.machine.kernel.HostFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/** Proves on captured text that the mount below a path is found. */
class MountTest {
    @Test
    void findsTheMountOfAPath() {
        String mountinfo = """
                27 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard
                40 27 7:1 / /mnt/my\\040disk rw,noatime shared:7 - xfs /dev/loop1 rw,nobarrier
                41 27 0:9 / /mnt/my rw - tmpfs tmpfs rw
                """;
        assertThat(Mount.parse(mountinfo, Path.of("/mnt/my disk/log")))
                .isEqualTo(new Mount(
                        "7:1",
                        Path.of("/mnt/my disk"),
                        "xfs",
                        "/dev/loop1",
                        "rw,noatime,nobarrier"));
        assertThat(Objects.requireNonNull(Mount.parse(mountinfo, Path.of("/mnt/mystery")))
                        .filesystem())
                .isEqualTo("ext4");
        assertThat(Objects.requireNonNull(Mount.parse(mountinfo, Path.of("/mnt/my/x")))
                        .filesystem())
                .isEqualTo("tmpfs");
    }

    /** One anywhere on the machine is enough; names have any octets. */
    @Test
    void aNameThatIsNoUtf8HidesNoOtherMount(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("mountinfo");
        Files.writeString(file, """
                26 1 0:9 / /mnt/gr\u00fc\u00dfe rw - tmpfs none rw
                27 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard
                """, StandardCharsets.ISO_8859_1);
        String read = new HostFiles(folder).text("mountinfo");
        assertThat(Objects.requireNonNull(Mount.parse(read, Path.of("/mnt"))).filesystem())
                .isEqualTo("ext4");
    }
}
