package org.hubmark.bench.machine.volumes;

import org.hubmark.hub.volumes.BlockDevice;
import org.hubmark.hub.volumes.Mount;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What a volume is made of, for a report that somebody else is to repeat.
 *
 * @param filesystemFeatures as the file system was made; null where its tool is missing or may not look
 * @param raid level, disks and chunk of Linux's own RAID; null for none, and for that of a controller,
 *     which can't be seen
 * @param disks down to the last that this machine sees
 */
public record Storage(
        @Nullable String filesystemFeatures, @Nullable String raid, List<Disk> disks) {
    private static final String EXT_FEATURES = "Filesystem features:";

    /** Copies the list. */
    public Storage {
        disks = List.copyOf(disks);
    }

    /**
     * One disk. What it doesn't say is null.
     *
     * @param device the kernel's name
     * @param model what it calls itself, with its maker
     * @param firmware revision
     * @param writeCache as the kernel says: write back or write through
     * @param scheduler the I/O scheduler in force
     * @param queueDepth requests that the device takes at once
     * @param requestsMax requests that the kernel queues for it
     */
    public record Disk(
            String device,
            @Nullable String model,
            @Nullable String firmware,
            @Nullable String writeCache,
            @Nullable Boolean rotational,
            @Nullable String scheduler,
            @Nullable Integer queueDepth,
            @Nullable Integer requestsMax) {
        static Disk of(BlockDevice disk) throws IOException {
            String rotational = disk.line("queue/rotational");
            return new Disk(
                    disk.name(),
                    model(disk),
                    first(disk, "device/firmware_rev", "device/rev", "device/fwrev"),
                    disk.line("queue/write_cache"),
                    rotational == null ? null : rotational.equals("1"),
                    BlockDevice.scheduler(disk.line("queue/scheduler")),
                    number(disk.line("device/queue_depth")),
                    number(disk.line("queue/nr_requests")));
        }

        private static @Nullable String model(BlockDevice disk) throws IOException {
            String model = first(disk, "device/model", "device/name");
            String maker = disk.line("device/vendor");
            // That of a PCI device is a number.
            return model == null || maker == null || maker.startsWith("0x")
                    ? model
                    : maker + " " + model;
        }

        private static @Nullable String first(BlockDevice disk, String... files)
                throws IOException {
            for (String file : files) {
                String line = disk.line(file);
                if (line != null) {
                    return line;
                }
            }
            return null;
        }
    }

    /** {@return what is behind a folder; null for a virtual file system} */
    static @Nullable Storage of(Path folder) throws IOException {
        BlockDevice device = BlockDevice.of(folder);
        Mount mount = Mount.of(folder);
        return device == null
                ? null
                : of(device, mount == null ? null : features(mount, device.name()));
    }

    static Storage of(BlockDevice device, @Nullable String features) throws IOException {
        List<Disk> disks = new ArrayList<>();
        for (String name : device.media()) {
            disks.add(Disk.of(BlockDevice.named(name, device.sys())));
        }
        return new Storage(features, raid(device), disks);
    }

    private static @Nullable String raid(BlockDevice device) throws IOException {
        String level = device.raid();
        String disks = device.disk().line("md/raid_disks");
        Integer chunk = number(device.disk().line("md/chunk_size"));
        return level == null
                ? null
                : level
                        + (disks == null ? "" : ", " + disks + " disks")
                        + (chunk == null || chunk == 0
                                ? ""
                                : ", chunks of " + chunk / 1024 + " KiB");
    }

    private static @Nullable String features(Mount mount, String device) {
        try {
            if (mount.filesystem().startsWith("ext") && SystemTool.exists("dumpe2fs")) {
                return extFeatures(SystemTool.run(List.of("dumpe2fs", "-h", "/dev/" + device)));
            }
            if (mount.filesystem().equals("xfs") && SystemTool.exists("xfs_info")) {
                return xfsFeatures(
                        SystemTool.run(List.of("xfs_info", mount.point().toString())));
            }
        } catch (IOException e) {
            // It takes root to read a device.
            return null;
        }
        return null;
    }

    static @Nullable String extFeatures(String dumpe2fs) {
        return dumpe2fs.lines()
                .filter(line -> line.startsWith(EXT_FEATURES))
                .map(line -> line.substring(EXT_FEATURES.length()).strip())
                .findFirst()
                .orElse(null);
    }

    /** Its lines are sections of name=value, of which those that say nothing begin with an =. */
    static String xfsFeatures(String info) {
        return info.lines()
                .map(line -> line.replaceFirst("^ *=", "").strip().replaceAll("[ ,]+", " "))
                .collect(Collectors.joining(" "));
    }

    private static @Nullable Integer number(@Nullable String line) {
        return line != null && line.matches("\\d{1,9}") ? Integer.valueOf(line) : null;
    }

    /**
     * {@return whether the kernel counts what is written to the device behind a folder} A file of one
     * block is written there, synced and deleted.
     */
    static boolean countsWrites(Path folder, BlockDevice device) throws IOException {
        Long before = device.ownWrites();
        Path file = Files.createTempFile(folder, ".hubmark-look-", ".tmp");
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE)) {
            channel.write(ByteBuffer.allocate(4096));
            channel.force(true);
        }
        Long after = device.ownWrites();
        return before != null && after != null && after > before;
    }
}
