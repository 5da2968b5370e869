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
import java.util.Set;
import java.util.TreeSet;

/** The file systems with databases and logs: how large they are, and how much is in use. One thread. */
final class FileSystems {
    private static final int SECTOR_BYTES = 512;

    /** By device, since two folders of one file system share its room. */
    private final Map<String, Volume> byDevice = new LinkedHashMap<>();

    /**
     * A file system.
     *
     * @param folder the first that was named, by which results know it
     * @param databases that lie there; none where it has logs alone
     */
    private record Volume(Path folder, Set<String> roles, List<DatabasePlace> databases) {}

    FileSystems(List<DatabasePlace> places) throws IOException {
        for (DatabasePlace place : places) {
            volume("database", place.database()).databases.add(place);
        }
        for (DatabasePlace place : places) {
            var unused = volume("log", place.log());
        }
    }

    private Volume volume(String role, Path folder) throws IOException {
        Path parent = folder.getParent() == null ? Path.of(".") : folder.getParent();
        Volume volume = byDevice.computeIfAbsent(
                DatabasePlace.device(parent),
                unused -> new Volume(parent, new TreeSet<>(), new ArrayList<>()));
        volume.roles.add(role);
        return volume;
    }

    /** {@return what is in use of each} */
    List<Repeat> counted() throws IOException {
        List<Repeat> all = new ArrayList<>();
        for (Volume volume : byDevice.values()) {
            VolumeStack stack = VolumeStack.of(volume.folder);
            VolumeStack.Cache cache = Storage.cache(stack);
            FileStore store = Files.getFileStore(volume.folder);
            String raid = stack.raid();
            all.add(Repeat.counted()
                    .name(VolumeFigures.VOLUME, volume.folder.toString())
                    .name(VolumeFigures.ROLES, List.copyOf(volume.roles))
                    .name(VolumeFigures.FILE_SYSTEM, store.type())
                    .name(
                            VolumeFigures.RAID,
                            raid == null ? "none of Linux; that of a controller is not seen" : raid)
                    .name(
                            VolumeFigures.DISKS,
                            stack.disks().stream().map(BlockDevice::name).toList())
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
                    .count(
                            VolumeFigures.DATABASE_BYTES,
                            volume.databases.isEmpty()
                                    ? null
                                    : (Long) DatabasePlace.bytes(volume.databases))
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
