package org.hubmark.bench.machine.volumes;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;

/**
 * A block device as sysfs shows it.
 *
 * @param name the kernel's name: sda1, nvme0n1p2, md0, dm-3, loop4
 * @param folder its folder in sysfs
 * @param sys where sysfs is mounted
 */
record BlockDevice(String name, Path folder, Path sys) {
    private static final Path SYS = Path.of("/sys");
    /** The field of /proc/diskstats that counts flushes, since Linux 5.5. */
    private static final int FLUSHES = 18;

    private static final int WRITES = 7;

    /** {@return the device behind a folder, or null for a virtual file system} */
    static @Nullable BlockDevice of(Path folder) throws IOException {
        String name = Volumes.device(folder);
        return name == null ? null : named(name, SYS);
    }

    static BlockDevice named(String name, Path sys) throws IOException {
        return new BlockDevice(name, sys.resolve("class/block").resolve(name).toRealPath(), sys);
    }

    /** {@return the disk that this is a part of, or itself} */
    BlockDevice disk() throws IOException {
        Path parent = folder.getParent();
        return Files.exists(folder.resolve("partition")) && parent != null
                ? named(String.valueOf(parent.getFileName()), sys)
                : this;
    }

    /** A partition has no queue of its own, its disk has. */
    Path queueFile(String file) throws IOException {
        return disk().folder.resolve("queue").resolve(file);
    }

    /** {@return the first line of a file below its folder, or null} */
    @Nullable
    String line(String file) throws IOException {
        return line(folder.resolve(file));
    }

    static @Nullable String line(Path file) throws IOException {
        if (!Files.isReadable(file)) {
            return null;
        }
        try {
            String text = Files.readString(file).trim();
            return text.isEmpty() ? null : text;
        } catch (IOException e) {
            // Some files of sysfs are there, but not for this device: EINVAL, ENODEV.
            return null;
        }
    }

    /** {@return the RAID level of Linux's own RAID, or null: a controller's is not to be seen} */
    @Nullable
    String raid() throws IOException {
        String level = disk().line("md/level");
        if (level != null) {
            return level;
        }
        String uuid = line("dm/uuid");
        return uuid != null && uuid.startsWith("LVM-") && slaves().size() > 1
                ? "LVM over " + slaves().size() + " devices"
                : null;
    }

    /** {@return the file that a loop device shows, or null for any other device} */
    @Nullable
    Path backingFile() throws IOException {
        String file = disk().line("loop/backing_file");
        return file == null ? null : Path.of(file);
    }

    /** {@return whether it is the device of a virtual machine, whose real medium is not known} */
    boolean virtual() throws IOException {
        String disk = disk().name;
        String maker = disk().line("device/vendor");
        return disk.startsWith("vd")
                || disk.startsWith("xvd")
                || (maker != null && maker.matches("(?i)(qemu|vmware|msft|xen|virtio|0x1af4).*"));
    }

    /** {@return what it is made of, down to the disks: names, sorted} */
    Set<String> media() throws IOException {
        Set<String> media = new TreeSet<>();
        Path file = backingFile();
        BlockDevice below = file == null || !Files.exists(file) ? null : of(file);
        Set<String> parts = disk().slaves();
        if (below != null) {
            media.addAll(below.media());
        } else if (parts.isEmpty()) {
            media.add(disk().name);
        }
        for (String part : parts) {
            media.addAll(named(part, sys).media());
        }
        return media;
    }

    Set<String> slaves() throws IOException {
        Set<String> slaves = new TreeSet<>();
        Path list = folder.resolve("slaves");
        if (Files.isDirectory(list)) {
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(list)) {
                for (Path entry : entries) {
                    slaves.add(String.valueOf(entry.getFileName()));
                }
            }
        }
        return slaves;
    }

    /** {@return flushes since the machine started; null where the kernel doesn't count them} */
    @Nullable
    Long flushes() throws IOException {
        return count(Files.readString(Path.of("/proc/diskstats")), disk().name, FLUSHES);
    }

    /** {@return writes since the machine started} */
    @Nullable
    Long writes() throws IOException {
        return count(Files.readString(Path.of("/proc/diskstats")), disk().name, WRITES);
    }

    static @Nullable Long count(String diskstats, String device, int field) {
        for (String line : diskstats.lines().toList()) {
            String[] fields = line.trim().split(" +", -1);
            if (fields.length > field && fields[2].equals(device)) {
                return Long.valueOf(fields[field]);
            }
        }
        return null;
    }
}
