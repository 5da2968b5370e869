package org.hubmark.bench.machine.volumes;

import com.fasterxml.jackson.annotation.JsonInclude;

import org.hubmark.bench.machine.devices.BlockDevice;
import org.hubmark.bench.machine.devices.VolumeStack;
import org.hubmark.bench.machine.kernel.HostFiles;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What a volume is made of, for a report that somebody else is to repeat.
 *
 * @param raid levels of the RAID of Linux; null for none, and for that of a controller, which can't be seen
 * @param layers from the file system down, each with what it is; null in earlier files
 * @param formattedBytes of the file system; null in earlier files
 * @param usedPercent of these; null in earlier files
 * @param disks down to the last that this machine sees, but for loop devices, which are disks
 */
public record Storage(
        @Nullable String raid,
        @Nullable List<String> layers,
        @Nullable Long formattedBytes,
        @Nullable Double usedPercent,
        List<Disk> disks) {
    private static final int SECTOR_BYTES = 512;

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
     * @param link speed and width of its controller: 8.0 GT/s PCIe x4
     * @param writeCache as the kernel says: write back or write through
     * @param scheduler the I/O scheduler in force
     * @param queueDepth requests that the device takes at once
     * @param controller virtio, or the numbers of its maker and model
     * @param driver of the controller, a module of the kernel; both left out where nothing is known
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
            String controller,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            String driver) {
        static Disk of(BlockDevice disk) throws IOException {
            String rotational = disk.line("queue/rotational");
            String model = disk.fullModel();
            String firmware = disk.line("device/firmware_rev");
            Long depth = new HostFiles(disk.folder()).number("device/queue_depth");
            Path controller = controller(disk.folder());
            return new Disk(
                    disk.name(),
                    model == null ? disk.line("device/name") : model,
                    firmware == null ? disk.line("device/rev") : firmware,
                    bytes(disk),
                    link(disk.folder()),
                    disk.line("queue/write_cache"),
                    rotational == null ? null : rotational.equals("1"),
                    disk.scheduler(),
                    depth == null ? null : (Integer) depth.intValue(),
                    controller == null ? null : name(controller),
                    controller == null ? null : driver(controller));
        }

        /** {@return the speed of the nearest PCI function above it that has one} */
        private static @Nullable String link(Path disk) {
            for (Path at = disk; at != null; at = at.getParent()) {
                String speed = new HostFiles(at).line("current_link_speed");
                if (speed != null) {
                    return speed + " x" + new HostFiles(at).line("current_link_width");
                }
            }
            return null;
        }

        /** {@return the nearest above a disk that has a driver, but for the driver of SCSI disks} */
        private static @Nullable Path controller(Path disk) throws IOException {
            for (Path at = disk; at != null; at = at.getParent()) {
                if (Files.exists(at.resolve("driver")) && !driver(at).equals("sd")) {
                    return at;
                }
            }
            return null;
        }

        private static String driver(Path controller) throws IOException {
            return String.valueOf(controller.resolve("driver").toRealPath().getFileName());
        }

        private static @Nullable String name(Path controller) {
            HostFiles files = new HostFiles(controller);
            String vendor = files.line("vendor");
            return String.valueOf(controller.getFileName()).startsWith("virtio")
                    ? "virtio"
                    : vendor == null
                            ? null
                            : ("PCI " + vendor + ":" + files.line("device")).replace("0x", "");
        }
    }

    /** {@return the raw size of a disk; null where it isn't known} */
    public static @Nullable Long bytes(BlockDevice disk) {
        Long sectors = new HostFiles(disk.folder()).number("size");
        return sectors == null ? null : (Long) (sectors * SECTOR_BYTES);
    }

    /** {@return what a volume is made of; null for a virtual file system} */
    static @Nullable Storage of(VolumeStack stack, FileStore store) throws IOException {
        long bytes = store.getTotalSpace();
        double used = 100.0 * (bytes - store.getUnallocatedSpace()) / bytes;
        return stack.deviceName() == null ? null : of(stack, bytes, bytes == 0 ? null : used);
    }

    static Storage of(
            VolumeStack stack, @Nullable Long formattedBytes, @Nullable Double usedPercent)
            throws IOException {
        List<Disk> disks = new ArrayList<>();
        for (BlockDevice disk : stack.disks()) {
            disks.add(Disk.of(disk));
        }
        return new Storage(
                stack.raid(),
                stack.layers().stream().map(BlockDevice::text).toList(),
                formattedBytes,
                usedPercent,
                disks);
    }
}
