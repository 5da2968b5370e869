package org.hubmark.bench.machine.volumes;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Proves on files that a write cache setting is put back. */
class WriteCacheTest {
    @TempDir
    private Path sys;

    @Test
    void theDisksOfAnArrayAreSetTogether() throws IOException {
        Path one = Files.writeString(sys.resolve("sda"), "write through\n");
        Path other = Files.writeString(sys.resolve("sdb"), "write back\n");
        WriteCache cache = WriteCache.ofFiles(one, other);
        try (WriteCache.Restore restore = cache.set(false)) {
            assertThat(restore).isNotNull();
            assertThat(one).hasContent("write through");
            assertThat(other).hasContent("write through");
        }
        assertThat(Files.readString(one).trim()).isEqualTo("write through");
        assertThat(Files.readString(other).trim()).isEqualTo("write back");
    }
}
