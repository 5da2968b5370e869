package org.hubmark.bench.machine.volumes;

import com.fasterxml.jackson.annotation.JsonInclude;

import org.hubmark.bench.machine.devices.BlockDevice;
import org.hubmark.bench.machine.devices.DiskService;
import org.hubmark.bench.machine.devices.VolumeStack;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a volume is made of, for a report that somebody else is to repeat.
 *
 * @param raid levels of the RAID of Linux, of Btrfs or ZFS, with disks and chunk; null for none, and for
 *     that of a controller, which can't be seen
 * @param layers from the file system down, each with what it is; null in earlier files
 * @param service who gives the disks, where they are none of this machine; null for nobody known
 * @param formattedBytes of the file system; null in earlier files
 * @param usedPercent of these; null in earlier files
 * @param disks down to the last that this machine sees, but for loop devices, which are disks
 */
public record Storage(
        @Nullable String raid,
        @Nullable List<String> layers,
        @Nullable String service,
        @Nullable Long formattedBytes,
        @Nullable Double usedPercent,
        List<Disk> disks) {
    private static final int SECTOR_BYTES = 512;
    private static final int KIBIBYTE = 1024;

    /** Copies the lists. */
    public Storage {
        layers = layers == null ? null : List.copyOf(layers);
        disks = List.copyOf(disks);
    }

    /**
     * One disk. What it doesn't say is null.
     *
     * @param device the kernel's name
     * @param model what it calls itself, with its maker
     * @param firmware revision
     * @param sizeBytes raw
     * @param link speed and width, of the disk or else of its controller: 8.0 GT/s PCIe x4, 6.0 Gbps
     * @param writeCache as the kernel says: write back or write through
     * @param scheduler the I/O scheduler in force
     * @param queueDepth requests that the device takes at once
     * @param attachment how it is attached; left out where nothing is known, and in earlier files
     */
    public record Disk(
            String device,
            @Nullable String model,
            @Nullable String firmware,
            @Nullable Long sizeBytes,
            @Nullable String link,
            @Nullable String writeCache,
            @Nullable Boolean rotational,
            @Nullable String scheduler,
            @Nullable Integer queueDepth,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Attachment attachment) {
        static Disk of(BlockDevice disk) throws IOException {
            String rotational = disk.line("queue/rotational");
            String sectors = disk.line("size");
            String model = disk.fullModel();
            return new Disk(
                    disk.name(),
                    model == null ? disk.line("device/name") : model,
                    first(disk, "device/firmware_rev", "device/rev", "device/fwrev"),
                    sectors == null ? null : Long.valueOf(sectors) * SECTOR_BYTES,
                    link(disk.folder()),
                    disk.line("queue/write_cache"),
                    rotational == null ? null : rotational.equals("1"),
                    BlockDevice.scheduler(disk.line("queue/scheduler")),
                    number(disk.line("device/queue_depth")),
                    Attachment.of(disk));
        }

        /** The nearest above it that has one: the port of a SATA disk, or a PCI function. */
        private static @Nullable String link(Path disk) throws IOException {
            return nearest(disk, at -> {
                Path port =
                        at.resolve("link" + String.valueOf(at.getFileName()).replace("ata", ""));
                String sata = BlockDevice.line(
                        port.resolve("ata_link").resolve(port.getFileName()).resolve("sata_spd"));
                String speed = BlockDevice.line(at.resolve("current_link_speed"));
                String width = BlockDevice.line(at.resolve("current_link_width"));
                return sata != null || speed == null
                        ? sata
                        : speed + (width == null ? "" : " x" + width);
            });
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

    /**
     * What is between a disk and this machine, and what the disk says of itself when it is asked. What nobody
     * tells is null.
     *
     * @param controller what it calls itself, or the numbers of its maker and model
     * @param driver module of the kernel
     * @param firmware of the controller; that of an NVMe disk is the disk's own
     * @param cacheBytes of the disk
     * @param turnsPerMinute of the disk
     */
    public record Attachment(
            @Nullable String controller,
            @Nullable String driver,
            @Nullable String driverVersion,
            @Nullable String firmware,
            @Nullable Integer cacheBytes,
            @Nullable Integer turnsPerMinute) {
        private static final Attachment UNKNOWN =
                new Attachment(null, null, null, null, null, null);
        private static final Pattern CACHE =
                Pattern.compile("cache/buffer size\\s*=\\s*(\\d{1,6}) KBytes");
        private static final Pattern TURNS =
                Pattern.compile("Nominal Media Rotation Rate:\\s*(\\d{1,5})");

        /** {@return what is known; null where nothing is} */
        static @Nullable Attachment of(BlockDevice disk) throws IOException {
            Path controller = controller(disk.folder());
            Path driver = controller == null
                    ? null
                    : controller.resolve("driver").toRealPath().getFileName();
            String said = driver == null || !disk.sys().equals(Path.of("/sys"))
                    ? ""
                    : identity(disk.name());
            Integer cacheKib = first(CACHE, said);
            Attachment found = new Attachment(
                    controller == null ? null : name(controller, disk.folder()),
                    driver == null ? null : driver.toString(),
                    driver == null
                            ? null
                            : BlockDevice.line(disk.sys().resolve("module/" + driver + "/version")),
                    ofHost(disk.folder(), "version_fw"),
                    cacheKib == null ? null : (Integer) (cacheKib * KIBIBYTE),
                    first(TURNS, said));
            return found.equals(UNKNOWN) ? null : found;
        }

        /** {@return the nearest above a disk that has a driver, but for the driver of SCSI disks} */
        private static @Nullable Path controller(Path disk) throws IOException {
            return nearest(disk, at -> {
                Path driver = at.resolve("driver");
                return Files.exists(driver)
                                && !String.valueOf(driver.toRealPath().getFileName())
                                        .equals("sd")
                        ? at
                        : null;
            });
        }

        private static @Nullable String name(Path controller, Path disk) throws IOException {
            if (String.valueOf(controller.getFileName()).startsWith("virtio")) {
                return "virtio";
            }
            String board = ofHost(disk, "board_name");
            String vendor = BlockDevice.line(controller.resolve("vendor"));
            String device = BlockDevice.line(controller.resolve("device"));
            return board != null || vendor == null || device == null
                    ? board
                    : ("PCI " + vendor + ":" + device).replace("0x", "");
        }

        /** {@return what the SCSI host above a disk says; few drivers have it} */
        private static @Nullable String ofHost(Path disk, String file) throws IOException {
            return nearest(
                    disk,
                    at -> BlockDevice.line(at.resolve("scsi_host")
                            .resolve(String.valueOf(at.getFileName()))
                            .resolve(file)));
        }

        private static String identity(String disk) {
            try {
                return disk.startsWith("sd") && SystemTool.exists("hdparm")
                        ? SystemTool.run(List.of("hdparm", "-I", "/dev/" + disk))
                        : "";
            } catch (IOException e) {
                // It takes root to ask a disk.
                return "";
            }
        }

        private static @Nullable Integer first(Pattern pattern, String said) {
            Matcher found = pattern.matcher(said);
            return found.find() ? Integer.valueOf(found.group(1)) : null;
        }
    }

    private interface Question<T> {
        @Nullable
        T answer(Path folder) throws IOException;
    }

    /** {@return the answer of the nearest folder that has one, from the device up; null for none} */
    private static <T> @Nullable T nearest(Path device, Question<T> question) throws IOException {
        for (Path at = device; at != null; at = at.getParent()) {
            T answer = question.answer(at);
            if (answer != null) {
                return answer;
            }
        }
        return null;
    }

    /** {@return what a volume is made of; null for a virtual file system} */
    static @Nullable Storage of(VolumeStack stack, FileStore store) throws IOException {
        if (stack.deviceName() == null || stack.mount() == null) {
            return null;
        }
        long bytes = store.getTotalSpace();
        return of(
                stack,
                bytes,
                bytes == 0 ? null : 100.0 * (bytes - store.getUnallocatedSpace()) / bytes);
    }

    static Storage of(
            VolumeStack stack, @Nullable Long formattedBytes, @Nullable Double usedPercent)
            throws IOException {
        List<String> layers = new ArrayList<>();
        for (VolumeStack.Layer layer : stack.layers()) {
            layers.add(layer.text());
        }
        List<Disk> disks = new ArrayList<>();
        for (BlockDevice disk : stack.disks()) {
            disks.add(Disk.of(disk));
        }
        DiskService service = stack.service();
        return new Storage(
                raid(stack),
                layers,
                service == null ? null : service.text(),
                formattedBytes,
                usedPercent,
                disks);
    }

    /** {@return the largest cache below that is known, those of the disks together among them; null for none} */
    public static VolumeStack.@Nullable Cache cache(VolumeStack stack) throws IOException {
        VolumeStack.Cache above = stack.cache();
        long bytes = 0;
        for (BlockDevice disk : stack.disks()) {
            Attachment attachment = Attachment.of(disk);
            Integer own = attachment == null ? null : attachment.cacheBytes();
            bytes += own == null ? 0 : own;
        }
        return bytes == 0 || (above != null && above.bytes() >= bytes)
                ? above
                : new VolumeStack.Cache("caches of the disks", bytes);
    }

    private static @Nullable String raid(VolumeStack stack) throws IOException {
        String levels = stack.raid();
        for (VolumeStack.Layer layer : stack.layers()) {
            String disks = layer.device().line("md/raid_disks");
            Integer chunk = number(layer.device().line("md/chunk_size"));
            if (levels != null && disks != null) {
                levels += ", " + disks + " disks"
                        + (chunk == null || chunk == 0
                                ? ""
                                : ", chunks of " + chunk / 1024 + " KiB");
            }
        }
        return levels;
    }

    private static @Nullable Integer number(@Nullable String line) {
        return line != null && line.matches("\\d{1,9}") ? Integer.valueOf(line) : null;
    }

    /**
     * {@return whether the kernel counts what is written to the device behind a folder} A file of one
     * block is written there, synced and deleted.
     */
    static boolean countsWrites(Path folder, VolumeStack stack) throws IOException {
        Long before = stack.writes();
        Path file = Files.createTempFile(folder, ".hubmark-look-", ".tmp");
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE)) {
            channel.write(ByteBuffer.allocate(4096));
            channel.force(true);
        }
        Long after = stack.writes();
        return before != null && after != null && after > before;
    }
}
