package org.hubmark.bench.qualify.report;

import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.page.Block;
import org.hubmark.bench.kit.page.Cells;
import org.hubmark.bench.kit.page.Section;
import org.hubmark.bench.machine.volumes.Storage;
import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.hubmark.bench.qualify.result.PhaseFigures;
import org.hubmark.bench.qualify.result.VolumeFigures;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Disks, controllers and volumes by the rows of the source, the published ones beside ours. A row that is not
 * known says why: it is missing, or not applicable. GB are of 1024 x 1024 x 1024 bytes, as in the source.
 */
final class StorageSection {
    private static final double GIBIBYTE = 1 << 30;
    private static final double KIBIBYTE = 1 << 10;

    private final Document document;
    private final Map<String, Device> devices = new LinkedHashMap<>();
    private final Map<String, Storage.Disk> disks = new LinkedHashMap<>();

    /** The volumes of one device, since two folders on one are one. */
    private record Device(List<VolumeDisclosure> volumes) {
        private <T> @Nullable T of(Function<Storage, @Nullable T> fact) {
            Storage storage = volumes.getFirst().storage();
            return storage == null ? null : fact.apply(storage);
        }

        private boolean holdsDatabases() {
            return volumes.stream().anyMatch(one -> one.role().equals("database"));
        }

        private List<Storage.Disk> disks() {
            List<Storage.Disk> all = of(Storage::disks);
            return all == null ? List.of() : all;
        }

        /** {@return the size of all disks together; null where that of one is not known} */
        private @Nullable Long rawBytes() {
            List<Long> known = disks().stream()
                    .map(Storage.Disk::sizeBytes)
                    .filter(Objects::nonNull)
                    .toList();
            return known.isEmpty() || known.size() < disks().size()
                    ? null
                    : (Long) known.stream().mapToLong(Long::longValue).sum();
        }

        private @Nullable String raid() {
            String raid = of(Storage::raid);
            return raid != null || volumes.getFirst().storage() == null
                    ? raid
                    : "none of Linux; that of a controller is not seen";
        }

        private @Nullable String diskNames() {
            return disks().isEmpty()
                    ? null
                    : disks().stream()
                            .map(Storage.Disk::device)
                            .collect(Collectors.joining(", ", disks().size() + " (", ")"));
        }
    }

    private StorageSection(Document document) {
        this.document = document;
        for (VolumeDisclosure volume : document.provenance().environment().volumes()) {
            String device = volume.device() == null ? volume.path() : volume.device();
            devices.computeIfAbsent(device, unused -> new Device(new ArrayList<>()))
                    .volumes()
                    .add(volume);
            if (volume.storage() != null) {
                volume.storage().disks().forEach(disk -> disks.putIfAbsent(disk.device(), disk));
            }
        }
    }

    static Section of(Document document) {
        StorageSection made = new StorageSection(document);
        return new Section(
                2, "Storage", List.of(made.hardware(), made.bestPractices(), made.capacity()));
    }

    private Block hardware() {
        Map<String, @Nullable Object> facts = new HashMap<>();
        Collection<String> service = ofVolumes(Storage::service);
        facts.put(
                "controller",
                service.isEmpty() ? attached(Storage.Attachment::controller) : service);
        facts.put("firmware", attached(Storage.Attachment::firmware));
        facts.put("driver", attached(StorageSection::driver));
        facts.put("link", ofDisks(Storage.Disk::link));
        facts.put("queue_depth", ofDisks(Storage.Disk::queueDepth));
        Collection<String> layers = ofVolumes(
                storage -> storage.layers() == null ? null : String.join(" ", storage.layers()));
        if (!layers.isEmpty()) {
            facts.put("multipathing", layers.stream().anyMatch(text -> text.contains("multipath")));
        }
        if (!disks.isEmpty()) {
            facts.put("disks", disks.size());
        }
        facts.put("model", ofDisks(Storage.Disk::model));
        facts.put("type", ofDisks(StorageSection::type));
        boolean noneTurns =
                disks.values().stream().allMatch(disk -> Boolean.FALSE.equals(disk.rotational()));
        Object turns = attached(Storage.Attachment::turnsPerMinute);
        facts.put("turns", turns == null && noneTurns ? "not applicable: no disk turns" : turns);
        facts.put("raw_gb", ofDisks(disk -> gigabytes(disk.sizeBytes())));
        facts.put("write_cache", ofDisks(Storage.Disk::writeCache));
        return EsrpForm.grid(
                        "Storage hardware",
                        EsrpForm.FORM.hardware(),
                        facts,
                        Esrp.PUBLISHED::storage)
                .with(Set.of(1, 2));
    }

    /** What the kernel knows of it beside what the source advises. */
    private Block bestPractices() {
        Map<String, @Nullable Object> facts = new HashMap<>();
        facts.put("access", "read_write");
        facts.put("io", "direct");
        facts.put("write_cache", ofDisks(Storage.Disk::writeCache));
        return EsrpForm.grid(
                        "Best practices: settings of the controller",
                        EsrpForm.FORM.bestPractices(),
                        facts,
                        Esrp.PUBLISHED::storage)
                .with(Set.of(1, 2));
    }

    private @Nullable Collection<String> attached(
            Function<Storage.Attachment, @Nullable Object> fact) {
        return ofDisks(disk -> disk.attachment() == null ? null : fact.apply(disk.attachment()));
    }

    private static @Nullable String driver(Storage.Attachment attachment) {
        String version = attachment.driverVersion();
        return version == null ? attachment.driver() : attachment.driver() + " " + version;
    }

    private static @Nullable String type(Storage.Disk disk) {
        return disk.rotational() == null ? null : disk.rotational() ? "turning" : "flash";
    }

    /** {@return what the disks say, each once; null where none does} */
    private @Nullable Collection<String> ofDisks(Function<Storage.Disk, @Nullable Object> fact) {
        Set<String> all = new LinkedHashSet<>();
        disks.values().forEach(disk -> all.add(Tables.ours(fact.apply(disk))));
        return all.equals(Set.of(Cells.UNKNOWN)) ? null : all;
    }

    private Collection<String> ofVolumes(Function<Storage, @Nullable String> fact) {
        return devices.values().stream()
                .flatMap(device -> device.volumes().stream())
                .map(VolumeDisclosure::storage)
                .filter(Objects::nonNull)
                .map(fact)
                .filter(Objects::nonNull)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private Block capacity() {
        List<String> headings = new ArrayList<>(List.of(""));
        devices.forEach((name, device) -> headings.add(device.volumes().stream()
                .map(VolumeDisclosure::role)
                .distinct()
                .sorted()
                .collect(Collectors.joining(", ", name + ": ", ""))));
        headings.add("published: database");
        headings.add("published: system and log");
        List<List<String>> rows = EsrpForm.FORM.capacity().stream()
                .map(row -> {
                    List<String> cells = new ArrayList<>(List.of(row.label()));
                    devices.values().forEach(device -> cells.add(row.ours(facts(device))));
                    cells.add(row.published(
                            name -> Esrp.PUBLISHED.storage("volumes.database." + name)));
                    // The source has fewer rows of its second volume.
                    cells.add(row.published(name -> Esrp.PUBLISHED.storage("volumes.system_and_log")
                                    instanceof Map<?, ?> second
                            ? second.get(name)
                            : null));
                    return cells;
                })
                .toList();
        return new Block.Grid("Storage capacity, and " + Esrp.NAME, headings, rows)
                .with(IntStream.range(1, headings.size()).boxed().collect(Collectors.toSet()));
    }

    private Map<String, @Nullable Object> facts(Device device) {
        Long raw = device.rawBytes();
        Long formatted = device.of(Storage::formattedBytes);
        Double databases = databases(device);
        Map<String, @Nullable Object> facts = new HashMap<>();
        facts.put("file_system", device.volumes().getFirst().filesystem());
        facts.put("raid", device.raid());
        facts.put("disks", device.diskNames());
        facts.put("raw_gb", gigabytes(raw));
        facts.put("formatted_gb", gigabytes(formatted));
        facts.put("formatted_percent", percent(formatted, raw));
        Double used = last(device, VolumeFigures.USED_PERCENT::value);
        facts.put("used_percent", ofDatabases(device, used));
        facts.put("databases_gb", ofDatabases(device, gigabytes(databases)));
        facts.put("databases_percent", ofDatabases(device, percent(databases, raw)));
        facts.put("allocation_unit_kb", allocationUnit(device));
        return facts;
    }

    private @Nullable Object allocationUnit(Device device) {
        Double bytes = last(device, VolumeFigures.BLOCK_BYTES::value);
        return bytes != null
                ? (Double) (bytes / KIBIBYTE)
                : device.holdsDatabases() ? null : "missing: looked at below databases alone";
    }

    private static @Nullable Object ofDatabases(Device device, @Nullable Double value) {
        return value != null || device.holdsDatabases() ? value : "not applicable: no database";
    }

    /**
     * {@return the size of the databases after the last phase that tells; null where none does, or where
     * they lie on several devices}
     */
    private @Nullable Double databases(Device device) {
        Double counted = last(device, VolumeFigures.DATABASE_BYTES::value);
        List<Device> holding =
                devices.values().stream().filter(Device::holdsDatabases).toList();
        return counted != null || !holding.equals(List.of(device))
                ? counted
                : last(phases().map(phase -> phase.count(PhaseFigures.FINAL_BYTES)));
    }

    private Stream<Repeat> phases() {
        return document.table(PhaseFigures.PHASES).rows().stream().map(Row::repeat);
    }

    /** {@return what was counted of a device after the last load that tells; null where none does} */
    private @Nullable Double last(Device device, ToDoubleFunction<Repeat> figure) {
        List<String> paths =
                device.volumes().stream().map(VolumeDisclosure::path).toList();
        return last(phases().flatMap(phase -> phase.parts(VolumeFigures.VOLUMES).stream())
                .filter(one -> paths.contains(one.name(VolumeFigures.VOLUME)))
                .map(figure::applyAsDouble));
    }

    private static @Nullable Double last(Stream<Double> values) {
        return values.filter(Double::isFinite).reduce((one, next) -> next).orElse(null);
    }

    private static @Nullable Double gigabytes(@Nullable Number bytes) {
        return bytes == null ? null : (Double) (bytes.doubleValue() / GIBIBYTE);
    }

    private static @Nullable Double percent(@Nullable Number part, @Nullable Number whole) {
        return part == null || whole == null || whole.doubleValue() == 0
                ? null
                : (Double) (100 * part.doubleValue() / whole.doubleValue());
    }
}
