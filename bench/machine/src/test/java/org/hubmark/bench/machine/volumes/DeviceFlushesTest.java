package org.hubmark.bench.machine.volumes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;

/** Proves, on the machine of the test, that each sync is counted where syncs are said to be. */
class DeviceFlushesTest {
    private static final int SYNCS = 5;

    @TempDir
    Path folder;

    @Test
    void countsTheSyncsOfAFile() throws Exception {
        DeviceFlushes found = DeviceFlushes.below(folder);
        assertThat(folder).isEmptyDirectory();
        assumeTrue(found != null, "no device that counts flushes");
        DeviceFlushes flushes = Objects.requireNonNull(found);
        Path name = folder.resolve("synced");
        try (FileChannel file =
                FileChannel.open(name, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            long before = flushes.count();
            for (int i = 0; i < SYNCS; i++) {
                assertThat(file.write(ByteBuffer.wrap(new byte[100]))).isEqualTo(100);
                file.force(true);
            }
            // Others may use the device, too.
            assertThat(flushes.count()).isGreaterThanOrEqualTo(before + SYNCS);
        }
    }

    @Test
    void thereAreNoneInMemory() throws Exception {
        Path memory = Path.of("/dev/shm");
        assumeThat(memory).isWritable();
        assertThat(DeviceFlushes.below(memory)).isNull();
    }
}
