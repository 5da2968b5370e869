package org.hubmark.bench.qualify.report;

import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Formula;
import org.hubmark.bench.kit.page.Block;
import org.hubmark.bench.kit.page.Section;
import org.hubmark.bench.machine.volumes.Storage;
import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.hubmark.bench.qualify.result.PhaseFigures;
import org.hubmark.bench.qualify.result.VolumeFigures;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Disks, controllers and volumes by the rows of the source, the published ones beside ours. A row that is not
 * known says why: it is missing, or not applicable. GB are of 1024 x 1024 x 1024 bytes, as in the source.
 */
final class StorageSection {
    private static final double GIBIBYTE = 1 << 30;
    private static final double KIBIBYTE = 1 << 10;
    private static final String DATABASE = "database";
    private static final String UNTOLD = "missing: the kernel does not tell";
    private static final String UNASKED =
            "missing: hdparm is not there, or may not ask, or it is no ATA disk";

    private final Document document;
    /** By device, since two folders on one are one. */
    private final Map<String, List<VolumeDisclosure>> volumes = new LinkedHashMap<>();

    private final Map<String, Storage.Disk> disks = new LinkedHashMap<>();

    private StorageSection(Document document) {
        this.document = document;
        for (VolumeDisclosure volume : document.provenance().environment().volumes()) {
            String device = volume.device() == null ? volume.path() : volume.device();
            volumes.computeIfAbsent(device, unused -> new ArrayList<>()).add(volume);
            if (volume.storage() != null) {
                volume.storage().disks().forEach(disk -> disks.putIfAbsent(disk.device(), disk));
            }
        }
    }

    static Section of(Document document) {
        StorageSection made = new StorageSection(document);
        return new Section(2, "Storage", List.of(made.hardware(), made.capacity()));
    }

    private Block hardware() {
        List<List<String>> rows = new ArrayList<>();
        both(rows, "Storage connectivity", ofDisks(Storage.Disk::link), "connectivity", UNTOLD);
        Collection<String> service = service();
        both(
                rows,
                "Controller, or who gives the disks",
                service.isEmpty() ? attached(Storage.Attachment::controller) : service,
                "controller",
                UNTOLD);
        both(
                rows,
                "Controller firmware",
                attached(Storage.Attachment::firmware),
                "controller_firmware",
                "missing: the driver does not tell");
        both(rows, "Controllers", null, "controllers", UNTOLD);
        both(rows, "Ports", null, "ports", UNTOLD);
        both(rows, "Storage cache (MB)", null, "cache_mb", UNTOLD);
        both(
                rows,
                "Driver of the controller",
                attached(StorageSection::driver),
                "hba_driver",
                UNTOLD);
        both(
                rows,
                "HBA queue target",
                null,
                "hba_queue_target",
                "not applicable: Linux has no such setting");
        both(rows, "Queue depth", ofDisks(Storage.Disk::queueDepth), "hba_queue_depth", UNTOLD);
        both(rows, "Multipathing", multipathing(), "multipathing", UNTOLD);
        both(
                rows,
                "Maximum bandwidth to host",
                null,
                "max_bandwidth_to_host",
                "missing: that of each disk is its connectivity");
        both(
                rows,
                "Disks tested",
                disks.isEmpty() ? null : (Integer) disks.size(),
                "disks_tested",
                UNTOLD);
        both(
                rows,
                "Maximum spindles",
                null,
                "max_spindles",
                "missing: empty places of an enclosure are not seen");
        both(rows, "Disk model", ofDisks(Storage.Disk::model), "disk.model", UNTOLD);
        both(rows, "Disk type", ofDisks(StorageSection::type), "disk.type", UNTOLD);
        both(
                rows,
                "Turns a minute",
                attached(Storage.Attachment::turnsPerMinute),
                "disk.rpm",
                disks.values().stream().allMatch(disk -> Boolean.FALSE.equals(disk.rotational()))
                        ? "not applicable: no disk turns"
                        : UNASKED);
        both(
                rows,
                "Raw capacity of a disk (GB)",
                ofDisks(disk -> gigabytes(disk.sizeBytes())),
                "disk.raw_capacity_gb",
                UNTOLD);
        both(
                rows,
                "Write cache of the disks",
                ofDisks(Storage.Disk::writeCache),
                "drive_cache",
                UNTOLD);
        return new Block.Grid("Storage hardware", EsrpSections.BESIDE, rows).with(Set.of(1, 2));
    }

    private static void both(
            List<List<String>> rows,
            String label,
            @Nullable Object ours,
            String published,
            String otherwise) {
        boolean isKnown = ours instanceof Collection<?> all ? !all.isEmpty() : ours != null;
        rows.add(List.of(
                label,
                isKnown ? Tables.text(ours) : otherwise,
                Tables.text(Esrp.PUBLISHED.storage(published))));
    }

    private @Nullable Collection<String> attached(
            Function<Storage.Attachment, @Nullable Object> fact) {
        return ofDisks(disk -> {
            Storage.Attachment attachment = disk.attachment();
            return attachment == null ? null : fact.apply(attachment);
        });
    }

    private static @Nullable String driver(Storage.Attachment attachment) {
        String version = attachment.driverVersion();
        return version == null ? attachment.driver() : attachment.driver() + " " + version;
    }

    /** {@return what the disks say, each once; null where none does} */
    private @Nullable Collection<String> ofDisks(Function<Storage.Disk, @Nullable Object> fact) {
        Set<String> all = new LinkedHashSet<>();
        boolean known = false;
        for (Storage.Disk disk : disks.values()) {
            Object one = fact.apply(disk);
            known |= one != null;
            all.add(Tables.text(one));
        }
        return known ? all : null;
    }

    private static @Nullable String type(Storage.Disk disk) {
        return disk.rotational() == null ? null : disk.rotational() ? "turning" : "flash";
    }

    private Collection<String> service() {
        return ofVolumes(storage -> storage.service());
    }

    private Collection<String> ofVolumes(Function<Storage, @Nullable String> fact) {
        Set<String> all = new TreeSet<>();
        volumes.values().stream()
                .flatMap(List::stream)
                .map(VolumeDisclosure::storage)
                .filter(Objects::nonNull)
                .map(fact)
                .filter(Objects::nonNull)
                .forEach(all::add);
        return all;
    }

    /** {@return whether a layer has several ways to its disk; null where layers are not known} */
    private @Nullable Boolean multipathing() {
        Collection<String> layers = ofVolumes(
                storage -> storage.layers() == null ? null : String.join(" ", storage.layers()));
        return layers.isEmpty()
                ? null
                : (Boolean) layers.stream().anyMatch(text -> text.contains("multipath"));
    }

    private Block capacity() {
        List<String> headings = new ArrayList<>(List.of(""));
        volumes.forEach((device, its) -> headings.add(device + ": "
                + String.join(
                        ", ",
                        new TreeSet<>(its.stream().map(VolumeDisclosure::role).toList()))));
        headings.add("published: database");
        headings.add("published: system and log");
        List<List<String>> rows = new ArrayList<>();
        row(rows, "File system", VolumeDisclosure::filesystem, "");
        row(rows, "RAID", StorageSection::raid, "raid");
        row(rows, "Disks", StorageSection::count, "disks");
        row(rows, "Raw capacity (GB)", volume -> gigabytes(raw(volume)), "raw_capacity_gb");
        row(
                rows,
                "Formatted capacity (GB)",
                volume -> gigabytes(of(volume, Storage::formattedBytes)),
                "formatted_capacity_gb");
        row(
                rows,
                "Storage capacity utilization (formatted, % of raw)",
                volume -> percent(of(volume, Storage::formattedBytes), raw(volume)),
                "storage_capacity_utilization_percent");
        row(
                rows,
                "In use after the load (% of formatted)",
                volume -> ofDatabases(
                        volume, number(after(volume, VolumeFigures.USED_PERCENT.asInput()))),
                "");
        row(
                rows,
                "Databases (GB)",
                volume -> ofDatabases(volume, gigabytes(databases(volume))),
                "database_capacity_used_gb");
        row(
                rows,
                "Database capacity utilization (databases, % of raw)",
                volume -> ofDatabases(volume, percent(databases(volume), raw(volume))),
                "database_capacity_utilization_percent");
        row(rows, "Allocation unit (KB)", this::allocationUnit, "allocation_unit_kb");
        Set<Integer> words = new TreeSet<>();
        for (int i = 1; i < headings.size(); i++) {
            words.add(i);
        }
        return new Block.Grid("Storage capacity, and " + Esrp.NAME, headings, rows).with(words);
    }

    private void row(
            List<List<String>> rows,
            String label,
            Function<VolumeDisclosure, @Nullable Object> ours,
            String published) {
        List<String> cells = new ArrayList<>(List.of(label));
        volumes.values().forEach(its -> cells.add(Tables.text(ours.apply(its.getFirst()))));
        cells.add(Tables.text(
                published.isEmpty()
                        ? null
                        : Esrp.PUBLISHED.storage("volumes.database." + published)));
        // The source has fewer rows of its second volume.
        cells.add(Tables.text(
                Esrp.PUBLISHED.storage("volumes.system_and_log") instanceof Map<?, ?> second
                        ? second.get(published)
                        : null));
        rows.add(cells);
    }

    private static <T> @Nullable T of(
            VolumeDisclosure volume, Function<Storage, @Nullable T> fact) {
        return volume.storage() == null ? null : fact.apply(volume.storage());
    }

    private static @Nullable String raid(VolumeDisclosure volume) {
        Storage storage = volume.storage();
        return storage == null || storage.raid() != null
                ? of(volume, Storage::raid)
                : "none of Linux; that of a controller is not seen";
    }

    private @Nullable String allocationUnit(VolumeDisclosure volume) {
        Double bytes = after(volume, VolumeFigures.BLOCK_BYTES);
        return bytes != null
                ? Tables.number(bytes / KIBIBYTE)
                : holdsDatabases(volume) ? null : "missing: looked at below databases alone";
    }

    private @Nullable String ofDatabases(VolumeDisclosure volume, @Nullable String value) {
        return value != null || holdsDatabases(volume) ? value : "not applicable: no database";
    }

    private boolean holdsDatabases(VolumeDisclosure volume) {
        return volumes.values().stream()
                .filter(its -> its.contains(volume))
                .flatMap(List::stream)
                .anyMatch(one -> one.role().equals(DATABASE));
    }

    private static @Nullable String count(VolumeDisclosure volume) {
        List<Storage.Disk> disks = of(volume, Storage::disks);
        return disks == null || disks.isEmpty()
                ? null
                : disks.size() + " ("
                        + String.join(
                                ", ", disks.stream().map(Storage.Disk::device).toList())
                        + ")";
    }

    /** {@return the size of all disks together; null where that of one is not known} */
    private static @Nullable Long raw(VolumeDisclosure volume) {
        List<Storage.Disk> disks = of(volume, Storage::disks);
        if (disks == null || disks.isEmpty()) {
            return null;
        }
        long bytes = 0;
        for (Storage.Disk disk : disks) {
            if (disk.sizeBytes() == null) {
                return null;
            }
            bytes += disk.sizeBytes();
        }
        return bytes;
    }

    /**
     * {@return the size of the databases after the last phase that tells; null where none does, or where
     * they lie on several devices}
     */
    private @Nullable Long databases(VolumeDisclosure volume) {
        Double counted = after(volume, VolumeFigures.DATABASE_BYTES);
        if (counted != null) {
            return counted.longValue();
        }
        List<List<VolumeDisclosure>> holding = volumes.values().stream()
                .filter(its -> its.stream().anyMatch(one -> one.role().equals(DATABASE)))
                .toList();
        if (holding.size() != 1 || !holding.getFirst().contains(volume)) {
            return null;
        }
        return document.table(PhaseFigures.PHASES).rows().stream()
                .map(row -> row.repeat().count(PhaseFigures.FINAL_BYTES))
                .filter(Double::isFinite)
                .reduce((one, next) -> next)
                .map(Double::longValue)
                .orElse(null);
    }

    /** {@return what was counted of a volume after the last load that tells; null where none does} */
    private @Nullable Double after(VolumeDisclosure volume, Formula figure) {
        List<String> paths = volumes.values().stream()
                .filter(its -> its.contains(volume))
                .flatMap(List::stream)
                .map(VolumeDisclosure::path)
                .toList();
        return document.table(PhaseFigures.PHASES).rows().stream()
                .flatMap(row -> row.repeat().parts(VolumeFigures.VOLUMES).stream())
                .filter(one -> paths.contains(one.name(VolumeFigures.VOLUME)))
                .map(figure::value)
                .filter(Double::isFinite)
                .reduce((one, next) -> next)
                .orElse(null);
    }

    private static @Nullable String gigabytes(@Nullable Long bytes) {
        return bytes == null ? null : Tables.number(bytes / GIBIBYTE);
    }

    private static @Nullable String percent(@Nullable Long part, @Nullable Long whole) {
        return part == null || whole == null || whole == 0
                ? null
                : Tables.number(100.0 * part / whole);
    }

    private static @Nullable String number(@Nullable Double value) {
        return value == null ? null : Tables.number(value);
    }
}
