package org.hubmark.bench.machine;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.machine.kernel.DiskCounter;
import org.hubmark.bench.machine.kernel.DiskCounters;
import org.hubmark.bench.machine.kernel.HostFiles;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Proves on lines of a Debian kernel, recorded, that the writes of a volume are its device's and the
 * flushes its disks'.
 */
class DiskReaderTest {
    @TempDir
    private Path root;

    @BeforeEach
    void make() throws IOException {
        Path devices = Files.createDirectories(root.resolve("sys/class/block"));
        for (String device : List.of("sda", "vdb", "nvme1n1", "dm-12")) {
            Files.createDirectories(devices.resolve(device));
        }
        Files.createDirectories(devices.resolve("dm-12/slaves/sda"));
        diskstats("""
                   8       0 sda 629 356 68622 2600 210 144 28108 2381 0 4180 6645 6 0 114694 4 175 1659
                 252      12 dm-12 132 0 1768 312 72 0 4598 184 0 288 496 2 0 32770 0 0 0
                 254      16 vdb 85 0 5288 350 58 1152 9936 406 0 572 851 1 0 524288 6 18 88
                 259       0 nvme1n1 67 0 4720 128 45 1068 9200 368 0 368 582 1 0 524288 3 0 0
                """);
    }

    @Test
    void aMappingHasTheFlushesOfItsDisk() {
        DiskCounters counters = read("dm-12");
        assertThat(counters.get(DiskCounter.WRITES)).isEqualTo(72);
        assertThat(counters.values())
                .containsEntry(DiskCounter.FLUSHES, 175L)
                .containsEntry(DiskCounter.FLUSH_MS, 1659L);
    }

    @Test
    void whatIsNotThereOrCountsNothingIsUnknown() {
        Map<String, DiskCounters> counters = reader("nvme1n1", "sdx").read();
        assertThat(counters).containsOnlyKeys("nvme1n1");
        assertThat(Objects.requireNonNull(counters.get("nvme1n1")).get(DiskCounter.FLUSHES))
                .isNull();
    }

    @Test
    void whatIsNoLongerCountedIsUnknown() throws IOException {
        Path queue = Files.createDirectories(root.resolve("sys/class/block/nvme1n1/queue"));
        Files.writeString(queue.resolve("iostats"), "0\n");
        assertThat(reader("nvme1n1").read()).isEmpty();
        Files.writeString(queue.resolve("iostats"), "1\n");
        assertThat(reader("nvme1n1").read()).containsOnlyKeys("nvme1n1");
    }

    private DiskCounters read(String device) {
        return Objects.requireNonNull(reader(device).read().get(device));
    }

    private DiskReader reader(String... devices) {
        return new DiskReader(List.of(devices), new HostFiles(root));
    }

    private void diskstats(String text) throws IOException {
        Files.createDirectories(root.resolve("proc"));
        Files.writeString(root.resolve("proc/diskstats"), text);
    }
}
