package org.hubmark.bench.qualify;

import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.machine.devices.BlockDevice;
import org.hubmark.bench.machine.devices.VolumeStack;
import org.hubmark.bench.machine.volumes.Storage;
import org.hubmark.bench.qualify.pages.DatabasePlace;
import org.hubmark.bench.qualify.result.VolumeFigures;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The file systems with databases: how large they are, and how much is in use. One thread. */
final class DatabaseFileSystems {
    private static final int SECTOR_BYTES = 512;

    /** By device, since two folders of one file system share its room. */
    private final Map<String, List<DatabasePlace>> byDevice = new LinkedHashMap<>();

    DatabaseFileSystems(List<DatabasePlace> places) throws IOException {
        for (DatabasePlace place : places) {
            byDevice.computeIfAbsent(
                            DatabasePlace.device(volume(place)), unused -> new ArrayList<>())
                    .add(place);
        }
    }

    /** As it was named, by which results know it. */
    private static Path volume(DatabasePlace place) {
        Path parent = place.database().getParent();
        return parent == null ? Path.of(".") : parent;
    }

    /** {@return what is in use of each} */
    List<Repeat> counted() throws IOException {
        List<Repeat> all = new ArrayList<>();
        for (List<DatabasePlace> places : byDevice.values()) {
            Path volume = volume(places.getFirst());
            VolumeStack stack = VolumeStack.of(volume);
            VolumeStack.Cache cache = Storage.cache(stack);
            FileStore store = Files.getFileStore(volume);
            all.add(Repeat.counted()
                    .name(VolumeFigures.VOLUME, volume.toString())
                    .name(
                            VolumeFigures.CACHE_BELOW,
                            cache != null
                                    ? cache.what()
                                    : stack.virtual()
                                            ? "that of the virtual machine's host is not known"
                                            : null)
                    .count(VolumeFigures.RAW_BYTES, rawBytes(stack))
                    .count(VolumeFigures.FORMATTED_BYTES, store.getTotalSpace())
                    .count(VolumeFigures.BLOCK_BYTES, store.getBlockSize())
                    .count(VolumeFigures.USED_BYTES, used(store))
                    .count(VolumeFigures.DATABASE_BYTES, DatabasePlace.bytes(places))
                    .count(VolumeFigures.CACHE_BYTES, cache == null ? null : (Long) cache.bytes())
                    .made());
        }
        return all;
    }

    private static long used(FileStore store) throws IOException {
        return store.getTotalSpace() - store.getUnallocatedSpace();
    }

    /** {@return octets of all disks; null where that of one is not known} */
    private static @Nullable Long rawBytes(VolumeStack stack) throws IOException {
        long bytes = 0;
        for (BlockDevice disk : stack.disks()) {
            String sectors = disk.line("size");
            if (sectors == null) {
                return null;
            }
            bytes += Long.parseLong(sectors) * SECTOR_BYTES;
        }
        return bytes == 0 ? null : (Long) bytes;
    }
}
