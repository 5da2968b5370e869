package org.hubmark.bench.qualify.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Provenance;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.document.Table;
import org.hubmark.bench.kit.document.Tool;
import org.hubmark.bench.kit.page.Block;
import org.hubmark.bench.kit.page.TableCell;
import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.machine.volumes.Storage;
import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.hubmark.bench.qualify.phase.CacheFigures;
import org.hubmark.bench.qualify.phase.PhaseFigures;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Proves that what is known of disks and volumes stands in the rows of the source, beside what was
 * published, and that all else is a dash.
 */
class StorageSectionTest {
    private static final long GIB = 1L << 30;

    private static final Storage MIRROR = new Storage(
            "raid1",
            List.of("md0 (raid1)", "sda (ATA ST91000640NS)", "sdb"),
            900 * GIB,
            12.5,
            List.of(
                    new Storage.Disk(
                            "sda",
                            "ATA ST91000640NS",
                            "CC02",
                            1000 * GIB,
                            "6.0 Gbps",
                            "write back",
                            true,
                            "mq-deadline",
                            32,
                            "PCI 1000:005b",
                            "megaraid_sas"),
                    new Storage.Disk(
                            "sdb",
                            null,
                            null,
                            1000 * GIB,
                            "6.0 Gbps",
                            "write back",
                            true,
                            null,
                            32,
                            null,
                            null)));

    private static VolumeDisclosure volume(String role, String device, @Nullable Storage storage) {
        return new VolumeDisclosure(
                role,
                "/" + role,
                device,
                "ext4",
                "rw",
                new VolumeDisclosure.Disk(null, null, null),
                1L,
                null,
                new VolumeDisclosure.Sync(null, null),
                storage);
    }

    private static Map<String, List<String>> rows(VolumeDisclosure... volumes) {
        Document document = new Document(
                Qualification.KIND,
                new Provenance(
                        new Tool("1", null),
                        "",
                        "",
                        "",
                        Map.of(),
                        new Environment(
                                new Environment.Processor("cpu", 2, 2, null, null),
                                null,
                                new Environment.Software("os", "6", "25", null),
                                List.of(volumes),
                                null)),
                true,
                Map.of(),
                List.of(
                        new Table(
                                PhaseFigures.PHASES,
                                List.of(new Row(
                                        Map.of(PhaseFigures.PHASE.key(), "performance"),
                                        List.of(Repeat.counted().made())))),
                        new Table(CacheFigures.CACHES, List.of())),
                List.of());
        Block.Grid found = (Block.Grid) StorageSection.of(document).blocks().getFirst();
        return found.rows().stream()
                .map(row -> row.stream().map(TableCell::text).toList())
                .collect(Collectors.toMap(List::getFirst, row -> row.subList(1, row.size())));
    }

    @Test
    void hardwareStandsInTheRowsOfTheSource() {
        Map<String, List<String>> rows =
                rows(volume("database", "md0", MIRROR), volume("log", "md0", MIRROR));
        assertThat(rows)
                .containsEntry("Storage connectivity", List.of("6.0 Gbps", "SATA"))
                .containsEntry(
                        "Driver of the controller",
                        List.of("megaraid_sas, -", "megasas2.sys 4.32.0.64"))
                .containsEntry("Queue depth", List.of("32", "-"))
                .containsEntry("Multipathing", List.of("no", "-"))
                .containsEntry("Disks tested", List.of("2", "16"))
                .containsEntry("Disk model", List.of("ATA ST91000640NS, -", "Seagate ST91000640NS"))
                .containsEntry("Disk type", List.of("turning", "SATA"))
                .containsEntry("Raw capacity of a disk (GB)", List.of("1000", "931.513"))
                .containsEntry("Write cache of the disks", List.of("write back", "disabled"))
                .containsEntry(
                        "Controller", List.of("PCI 1000:005b, -", "LSI MegaRAID SAS 9261-8i"));
    }
}
