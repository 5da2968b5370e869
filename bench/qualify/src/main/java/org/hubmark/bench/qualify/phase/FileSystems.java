package org.hubmark.bench.qualify.phase;

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
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The file systems with databases and logs: how large they are, and how much is in use. */
final class FileSystems {
    private FileSystems() {}

    /** {@return what is in use of each, once: two folders of one file system share its room} */
    static List<Repeat> counted(List<DatabasePlace> places) throws IOException {
        // The first folder that was named is that by which results know it.
        Map<String, Path> folders = new LinkedHashMap<>();
        Map<String, Set<String>> roles = new HashMap<>();
        Map<String, Long> bytes = new HashMap<>();
        for (DatabasePlace place : places) {
            String device = DatabasePlace.device(place.database(), folders);
            roles.computeIfAbsent(device, name -> new TreeSet<>()).add("database");
            bytes.merge(device, place.databaseBytes(), Long::sum);
        }
        for (DatabasePlace place : places) {
            String device = DatabasePlace.device(place.log(), folders);
            roles.computeIfAbsent(device, name -> new TreeSet<>()).add("log");
        }
        List<Repeat> all = new ArrayList<>();
        for (Map.Entry<String, Path> one : folders.entrySet()) {
            all.add(counted(one.getValue())
                    .name(
                            VolumeFigures.ROLES,
                            List.copyOf(roles.getOrDefault(one.getKey(), Set.of())))
                    .count(VolumeFigures.DATABASE_BYTES, bytes.get(one.getKey()))
                    .made());
        }
        return all;
    }

    private static Repeat.Builder counted(Path folder) throws IOException {
        VolumeStack stack = VolumeStack.of(folder);
        Long cacheBytes = stack.pageCacheBytes();
        FileStore store = Files.getFileStore(folder);
        String raid = stack.raid();
        String virtual = stack.virtual() ? "that of the virtual machine's host is not known" : null;
        return Repeat.counted()
                .name(VolumeFigures.VOLUME, folder.toString())
                .name(VolumeFigures.FILE_SYSTEM, store.type())
                .name(
                        VolumeFigures.RAID,
                        raid == null ? "none of Linux; a controller's is not visible" : raid)
                .name(
                        VolumeFigures.DISKS,
                        stack.disks().stream().map(BlockDevice::name).toList())
                .name(
                        VolumeFigures.CACHE_BELOW,
                        cacheBytes == null ? virtual : "page cache below a loop device")
                .count(VolumeFigures.RAW_BYTES, rawBytes(stack))
                .count(VolumeFigures.FORMATTED_BYTES, store.getTotalSpace())
                .count(VolumeFigures.BLOCK_BYTES, store.getBlockSize())
                .count(
                        VolumeFigures.USED_BYTES,
                        store.getTotalSpace() - store.getUnallocatedSpace())
                .count(VolumeFigures.CACHE_BYTES, cacheBytes);
    }

    /** {@return octets of all disks; null where that of one is not known} */
    private static @Nullable Long rawBytes(VolumeStack stack) {
        long bytes = 0;
        for (BlockDevice disk : stack.disks()) {
            Long size = Storage.bytes(disk);
            if (size == null) {
                return null;
            }
            bytes += size;
        }
        return bytes == 0 ? null : (Long) bytes;
    }
}
