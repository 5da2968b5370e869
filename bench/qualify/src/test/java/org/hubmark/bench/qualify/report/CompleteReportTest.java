package org.hubmark.bench.qualify.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;

import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.JsonFile;
import org.hubmark.bench.kit.document.Provenance;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.document.Table;
import org.hubmark.bench.kit.page.Block;
import org.hubmark.bench.kit.page.Cells;
import org.hubmark.bench.kit.page.Section;
import org.hubmark.bench.kit.page.TableCell;
import org.hubmark.bench.machine.Disclosure;
import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.machine.Platform;
import org.hubmark.bench.machine.volumes.Storage;
import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.hubmark.bench.qualify.phase.PhaseFigures;
import org.hubmark.bench.qualify.result.InstanceFigures;
import org.hubmark.bench.qualify.result.IoCounter;
import org.hubmark.bench.qualify.result.VolumeFigures;
import org.hubmark.golden.GoldenFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Proves on a qualification in which everything was known that no row of the source's form is a dash in our
 * column: it is measured, or says why it is missing or not applicable. A name that the source has not, or
 * that no record of ours writes, is found by that too.
 */
class CompleteReportTest {
    private static final double SOME = 1000;
    private static final long GIB = 1L << 30;
    private static final Set<IoCounter> NONE_IS_GOOD =
            EnumSet.of(IoCounter.STALLS, IoCounter.ERRORS, IoCounter.BAD_BLOCKS);

    @TempDir
    Path folder;

    private static VolumeDisclosure volume(String role, String device) {
        Storage.Disk disk = new Storage.Disk(
                device,
                "Maker " + device,
                "1.0",
                100 * GIB,
                "6.0 Gbps",
                "write back",
                true,
                "none",
                32,
                "PCI 1:2",
                "driver");
        return new VolumeDisclosure(
                role,
                "/" + role,
                device,
                "ext4",
                "rw",
                new VolumeDisclosure.Disk("write back", true, "none"),
                50 * GIB,
                null,
                new VolumeDisclosure.Sync("safe", "It is."),
                new Storage(null, List.of(device), 98 * GIB, 40.0, List.of(disk)));
    }

    private static Environment machine(Environment recorded) {
        Disclosure told = Objects.requireNonNull(recorded.disclosure());
        return recorded.withVolumes(List.of(volume("database", "sda"), volume("log", "sdb")))
                .withDisclosure(new Disclosure(
                        told.serverOnThisMachine(),
                        told.driverLimits(),
                        told.serverLimits(),
                        told.driverJvmOptions(),
                        told.serverJvmOptions(),
                        new Platform("Maker", "Server 1", "Maker", "1.2", "01/02/2026", "3.4")));
    }

    /** Every operation was done, and every part was looked at. */
    private static Repeat complete(Repeat phase) {
        Map<String, List<Repeat>> parts = new LinkedHashMap<>(phase.parts());
        parts.put(
                InstanceFigures.INSTANCES.key(),
                phase.parts(InstanceFigures.INSTANCES).stream()
                        .map(CompleteReportTest::busy)
                        .toList());
        parts.put(
                VolumeFigures.VOLUMES.key(),
                List.of(
                        capacity("/database", "database", 100, 98)
                                .count(VolumeFigures.DATABASE_BYTES, 20 * GIB)
                                .made(),
                        capacity("/more", "database", 200, 150)
                                .count(VolumeFigures.DATABASE_BYTES, 10 * GIB)
                                .made(),
                        capacity("/log", "log", 10, 9).made()));
        return new Repeat(
                phase.complete(),
                phase.names(),
                phase.counters(),
                phase.times(),
                parts,
                phase.samples());
    }

    private static Repeat.Builder capacity(
            String path, String holds, long rawGiB, long formattedGiB) {
        return Repeat.counted()
                .name(VolumeFigures.VOLUME, path)
                .name(VolumeFigures.ROLES, List.of(holds))
                .name(VolumeFigures.FILE_SYSTEM, "ext4")
                .name(VolumeFigures.RAID, "raid1, 2 disks")
                .name(VolumeFigures.DISKS, List.of("sda", "sdb"))
                .count(VolumeFigures.RAW_BYTES, rawGiB * GIB)
                .count(VolumeFigures.FORMATTED_BYTES, formattedGiB * GIB)
                .count(VolumeFigures.USED_BYTES, formattedGiB * GIB / 2)
                .count(VolumeFigures.BLOCK_BYTES, 4096);
    }

    private static Repeat busy(Repeat instance) {
        Map<String, Double> counters = new LinkedHashMap<>(instance.counters());
        for (IoCounter counter : EnumSet.complementOf(EnumSet.copyOf(NONE_IS_GOOD))) {
            counters.merge(
                    counter.counter().key(), SOME, (known, some) -> known == 0 ? some : known);
        }
        return new Repeat(
                instance.complete(),
                instance.names(),
                counters,
                instance.times(),
                instance.parts(),
                instance.samples());
    }

    private static Document full() throws IOException {
        ObjectNode recorded = (ObjectNode)
                JsonFile.read(GoldenFiles.FOLDER.resolve("recorded/qualification.json"));
        ((ObjectNode) recorded.path("settings")).put("mailbox", "1352MiB");
        Document document =
                new GoldenInput(recorded, GoldenFiles.FOLDER.resolve("recorded")).document();
        List<Table> tables = new ArrayList<>();
        for (Table table : document.tables()) {
            tables.add(
                    table.form().equals(PhaseFigures.PHASES)
                            ? new Table(
                                    table.form(),
                                    table.rows().stream()
                                            .map(row -> new Row(
                                                    row.names(), List.of(complete(row.repeat()))))
                                            .toList())
                            : table);
        }
        Provenance from = document.provenance();
        return new Document(
                document.kind(),
                from.with(machine(from.environment())),
                true,
                document.facts(),
                tables,
                List.of());
    }

    /** {@return dashes in our columns of a table that has published ones, each by its row} */
    private static List<String> dashes(Block.Grid grid) {
        List<String> headings = grid.headings().stream()
                .map(heading -> String.join(" ", heading.lines()))
                .toList();
        List<String> dashes = new ArrayList<>();
        boolean isBeside = headings.equals(EsrpForm.BESIDE);
        int ours = isBeside ? 2 : 0;
        for (var row : grid.rows()) {
            for (int i = 1; i < ours; i++) {
                if (row.get(i).text().equals(Cells.UNKNOWN)) {
                    dashes.add(grid.caption() + ": " + row.getFirst().text());
                }
            }
        }
        return dashes;
    }

    @Test
    void noRowOfTheFormIsADash() throws IOException {
        List<String> dashes = new ArrayList<>();
        int grids = 0;
        for (Section section : EsrpSections.of(full())) {
            for (Block block : section.blocks()) {
                if (block instanceof Block.Grid grid) {
                    dashes.addAll(dashes(grid));
                    grids++;
                }
            }
        }
        assertThat(grids).isGreaterThan(20);
        assertThat(dashes).isEmpty();
    }

    /** {@return the rows of the volumes, each by its first cell: the source has two of one name} */
    private static List<List<String>> volumes() throws IOException {
        return EsrpSections.of(full()).stream()
                .filter(section -> section.title().equals("Volumes"))
                .map(section -> (Block.Grid) section.blocks().getFirst())
                .flatMap(grid -> grid.rows().stream())
                .map(row -> row.stream().map(TableCell::text).toList())
                .limit(5)
                .toList();
    }

    /** Capacity and what is in use of it stand beside those of the source, of volumes of logs too. */
    @Test
    void capacityStandsForEachDevice() throws IOException {
        List<List<String>> rows = volumes();
        assertThat(rows.get(0))
                .containsExactly(
                        "/database",
                        "database",
                        "ext4",
                        "raid1, 2 disks",
                        "sda, sdb",
                        "-",
                        "100",
                        "98",
                        "98",
                        "4096",
                        "49",
                        "50",
                        "20",
                        "20",
                        "-",
                        "-");
        assertThat(rows.get(2))
                .containsExactly(
                        "/log",
                        "log",
                        "ext4",
                        "raid1, 2 disks",
                        "sda, sdb",
                        "-",
                        "10",
                        "9",
                        "90",
                        "4096",
                        "4.50",
                        "50",
                        "-",
                        "-",
                        "-",
                        "-");
        assertThat(rows.get(3))
                .containsExactly(
                        Esrp.NAME,
                        "database",
                        "-",
                        "raid10",
                        "14",
                        "-",
                        "13041.18",
                        "6512.61",
                        "49.93",
                        "-",
                        "-",
                        "-",
                        "4152",
                        "31.84",
                        "-",
                        "-");
        assertThat(rows.get(4))
                .containsExactly(
                        Esrp.NAME,
                        "system, log",
                        "-",
                        "raid1",
                        "2",
                        "-",
                        "931.513",
                        "930.29",
                        "-",
                        "-",
                        "-",
                        "-",
                        "-",
                        "-",
                        "-",
                        "-");
    }

    /** Each device has the databases that lie on it, and not a share of all. */
    @Test
    void databasesOnSeveralDevicesAreNotDealtOut() throws IOException {
        assertThat(volumes()).extracting(row -> row.get(12)).startsWith("20", "10", "-");
    }
}
