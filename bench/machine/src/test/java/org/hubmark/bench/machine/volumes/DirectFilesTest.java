package org.hubmark.bench.machine.volumes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/** Proves that what was taken out of the page cache is as it was, and comes from the device. */
class DirectFilesTest {
    private static final int BYTES = (3 << 20) + 1234;

    @TempDir
    Path folder;

    @Test
    void whatIsEvictedIsReadFromTheDevice() throws IOException {
        assumeTrue(DirectFiles.isPossible(folder), "no direct I/O here");
        byte[] content = new byte[BYTES];
        new Random(1).nextBytes(content);
        Path file = Files.write(folder.resolve("file"), content);
        DirectFiles.evict(file);
        long before = readBytes();
        assertThat(Files.readAllBytes(file)).isEqualTo(content);
        assertThat(readBytes() - before).isGreaterThanOrEqualTo(3 << 20);
    }

    /** {@return octets that this process has had read from devices} */
    private static long readBytes() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/io")).stream()
                .filter(line -> line.startsWith("read_bytes: "))
                .mapToLong(line -> Long.parseLong(line.substring("read_bytes: ".length())))
                .findFirst()
                .orElseThrow();
    }
}
