package org.hubmark.bench.qualify.report;

import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.page.Cells;
import org.hubmark.bench.kit.page.Section;
import org.hubmark.bench.machine.volumes.Storage;
import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

/**
 * Disks and controllers by the rows of the source, the published ones beside ours. A row that is not known
 * says why: it is missing, or not applicable. GB are of 1024 x 1024 x 1024 bytes, as in the source.
 */
final class StorageSection {
    private static final double GIBIBYTE = 1 << 30;

    private final List<Storage> storages;
    private final Map<String, Storage.Disk> disks = new LinkedHashMap<>();

    private StorageSection(Document document) {
        storages = document.provenance().environment().volumes().stream()
                .map(VolumeDisclosure::storage)
                .filter(Objects::nonNull)
                .toList();
        storages.forEach(
                storage -> storage.disks().forEach(disk -> disks.putIfAbsent(disk.device(), disk)));
    }

    static Section of(Document document) {
        Map<String, @Nullable Object> facts = new StorageSection(document).facts();
        return new Section(
                2,
                "Storage",
                List.of(
                        EsrpForm.grid("Storage hardware", EsrpForm.FORM.hardware(), facts)
                                .with(Set.of(1, 2)),
                        EsrpForm.grid(
                                        "Best practices: settings of the controller",
                                        EsrpForm.FORM.bestPractices(),
                                        facts)
                                .with(Set.of(1, 2))));
    }

    private Map<String, @Nullable Object> facts() {
        Map<String, @Nullable Object> facts = new HashMap<>();
        facts.put("controller", ofDisks(Storage.Disk::controller));
        facts.put("driver", ofDisks(Storage.Disk::driver));
        facts.put("link", ofDisks(Storage.Disk::link));
        facts.put("queue_depth", ofDisks(Storage.Disk::queueDepth));
        List<String> layers = ofStorages(
                storage -> storage.layers() == null ? null : String.join(" ", storage.layers()));
        if (!layers.isEmpty()) {
            facts.put("multipathing", layers.stream().anyMatch(text -> text.contains("mpath")));
        }
        facts.put("disks", disks.isEmpty() ? null : (Integer) disks.size());
        facts.put("model", ofDisks(Storage.Disk::model));
        facts.put("type", ofDisks(StorageSection::type));
        boolean noneTurns =
                disks.values().stream().allMatch(disk -> Boolean.FALSE.equals(disk.rotational()));
        facts.put("turns", noneTurns ? "not applicable: no disk turns" : null);
        facts.put(
                "raw_gb",
                ofDisks(disk ->
                        disk.sizeBytes() == null ? null : (Double) (disk.sizeBytes() / GIBIBYTE)));
        facts.put("write_cache", ofDisks(Storage.Disk::writeCache));
        facts.put("access", "read_write");
        facts.put("io", "direct");
        return facts;
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

    private List<String> ofStorages(Function<Storage, @Nullable String> fact) {
        return storages.stream()
                .map(fact)
                .filter(Objects::nonNull)
                .distinct()
                .sorted()
                .toList();
    }
}
