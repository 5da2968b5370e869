package org.hubmark.bench.machine;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Proves on files that are written by the kernel's documentation, and on the words of dmesg and smartctl, that
 * errors between two moments are counted, and that a source that can't be read is none.
 */
class ReportedErrorsTest {
    private static final String QUIET = """
            <6>[    1.000000] sda: 1 partition
            <3>[    2.000000] sda: I/O error, before the test
            """;

    @TempDir
    Path root;

    private void write(String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(Objects.requireNonNull(path.getParent()));
        Files.writeString(path, text + "\n");
    }

    private ReportedErrors look(@Nullable String dmesg, @Nullable String smart) {
        return ReportedErrors.look(
                HostFiles.at(root),
                Set.of("sda", "sda1", "md0"),
                command -> command.getFirst().equals("dmesg") ? dmesg : smart);
    }

    private static Map<String, Long> counts(List<ReportedErrors.Found> found) {
        return found.stream()
                .collect(Collectors.toMap(
                        ReportedErrors.Found::source, ReportedErrors.Found::count));
    }

    @Test
    void linesOfTheKernelAreErrorsByTheirLevelOrTheirDevice() {
        ReportedErrors before = look(QUIET, null);
        ReportedErrors after = look(QUIET + """
                        <4>[   10.000000] sda: warm and well
                        <4>[   10.100000] sdb: reset
                        <4>[   10.200000] blk_update_request: critical timeout error, dev sda, sector 8
                        <12>[   10.300000] sda1: write failed, from a program
                        <3>[   10.400000] EXT4-fs error (device dm-7): no directory
                        <6>[   10.500000] sda: error, but for information
                        """, null);
        assertThat(after.since(before))
                .containsExactly(new ReportedErrors.Found(
                        ReportedErrors.KERNEL_LOG,
                        3,
                        List.of(
                                "blk_update_request: critical timeout error, dev sda, sector 8",
                                "sda1: write failed, from a program",
                                "EXT4-fs error (device dm-7): no directory")));
    }

    @Test
    void whatCanNotBeReadIsNotCounted() {
        assertThat(look("", null).since(look(QUIET, null))).isEmpty();
        assertThat(look(QUIET, null).since(look(null, null))).isEmpty();
    }

    @Test
    void countersAreThoseOfDisksArraysFileSystemsAndMemory() throws IOException {
        write("sys/class/block/sda/device/ioerr_cnt", "0x1");
        write("sys/class/block/sda/device/iotmo_cnt", "0x0");
        write("sys/fs/ext4/sda1/errors_count", "0");
        write("sys/class/block/md0/md/dev-sda/errors", "0");
        write("sys/class/block/md0/md/dev-sdb/errors", "2");
        write("sys/devices/system/edac/mc/mc0/ce_count", "5");
        ReportedErrors before = look(null, null);
        write("sys/class/block/sda/device/ioerr_cnt", "0x1a");
        write("sys/fs/ext4/sda1/errors_count", "1");
        write("sys/class/block/md0/md/dev-sda/errors", "4");
        assertThat(counts(look(null, null).since(before)))
                .isEqualTo(Map.of(
                        "sda ioerr_cnt", 25L,
                        "sda iotmo_cnt", 0L,
                        "sda1 ext4 errors_count", 1L,
                        "md0 md errors", 4L,
                        "memory ce_count", 0L));
    }

    @Test
    void disksAreAskedForTheirOwnErrors() throws IOException {
        write("sys/class/block/sda/size", "2048");
        String smart = """
                {"ata_smart_attributes": {"table": [
                  {"id": 5, "name": "Reallocated_Sector_Ct", "raw": {"value": 3, "string": "3"}},
                  {"id": 197, "name": "Current_Pending_Sector", "raw": {"value": 0, "string": "0"}}]}}
                """;
        ReportedErrors before = look(null, smart);
        assertThat(counts(look(null, smart.replace("\"value\": 3", "\"value\": 8"))
                        .since(before)))
                .isEqualTo(Map.of("sda SMART 5", 5L, "sda SMART 197", 0L));
        String nvme = "{\"nvme_smart_health_information_log\": {\"critical_warning\": 0,"
                + " \"media_errors\": 7}}";
        assertThat(counts(look(null, nvme.replace("7", "9")).since(look(null, nvme))))
                .isEqualTo(Map.of("sda NVMe critical_warning", 0L, "sda NVMe media_errors", 2L));
    }
}
