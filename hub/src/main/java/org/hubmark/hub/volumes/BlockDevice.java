package org.hubmark.hub.volumes;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A block device as sysfs shows it.
 *
 * @param name the kernel's name: sda1, nvme0n1p2, md0, dm-3, loop4
 * @param folder its folder in sysfs
 * @param sys where sysfs is mounted
 */
public record BlockDevice(String name, Path folder, Path sys) {
    private static final Path SYS = Path.of("/sys");
    private static final Pattern CHOSEN = Pattern.compile("\\[(.+)]");
    /** The field of /proc/diskstats that counts flushes, since Linux 5.5. */
    private static final int FLUSHES = 18;

    private static final int WRITES = 7;

    /** {@return the device behind a folder, or null for a virtual file system} */
    public static @Nullable BlockDevice of(Path folder) throws IOException {
        String name = nameOf(folder);
        return name == null ? null : named(name, SYS);
    }

    /** {@return the kernel's name of the device behind a folder, or null for a virtual file system} */
    public static @Nullable String nameOf(Path folder) throws IOException {
        long number = ((Number) Files.getAttribute(folder, "unix:dev")).longValue();
        // How glibc's gnu_dev_major and gnu_dev_minor read a dev_t.
        long major = ((number >>> 8) & 0xfff) | ((number >>> 32) & ~0xfffL);
        long minor = (number & 0xff) | ((number >>> 12) & ~0xffL);
        Path link = Path.of("/sys/dev/block/" + major + ":" + minor);
        return Files.exists(link) ? link.toRealPath().getFileName().toString() : null;
    }

    /** {@return the device of that name} */
    public static BlockDevice named(String name, Path sys) throws IOException {
        return new BlockDevice(name, sys.resolve("class/block").resolve(name).toRealPath(), sys);
    }

    /** {@return the disk that this is a part of, or itself} */
    public BlockDevice disk() throws IOException {
        Path parent = folder.getParent();
        return Files.exists(folder.resolve("partition")) && parent != null
                ? named(String.valueOf(parent.getFileName()), sys)
                : this;
    }

    /** {@return a file of its request queue} A partition has none of its own, its disk has. */
    public Path queueFile(String file) throws IOException {
        return disk().folder.resolve("queue").resolve(file);
    }

    /** {@return the first line of a file below its folder, or null} */
    public @Nullable String line(String file) throws IOException {
        return line(folder.resolve(file));
    }

    /** {@return the first line of a file of sysfs, or null} */
    public static @Nullable String line(Path file) throws IOException {
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

    /** {@return write back or write through, as the kernel says; null if it does not} */
    public @Nullable String writeCache() throws IOException {
        return line(queueFile("write_cache"));
    }

    /** {@return as the device says; null if it does not} Virtual disks often say true whatever they are. */
    public @Nullable Boolean rotational() throws IOException {
        String line = line(queueFile("rotational"));
        return line == null ? null : line.equals("1");
    }

    /** {@return the I/O scheduler in force; null if the kernel does not say} */
    public @Nullable String scheduler() throws IOException {
        return scheduler(line(queueFile("scheduler")));
    }

    /** {@return the scheduler in force, of a line in which it stands in brackets} */
    public static @Nullable String scheduler(@Nullable String line) {
        if (line == null) {
            return null;
        }
        Matcher chosen = CHOSEN.matcher(line);
        return chosen.find() ? chosen.group(1) : line;
    }

    /** {@return the RAID level of Linux's own RAID, or null: a controller's is not to be seen} */
    public @Nullable String raid() throws IOException {
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
    public @Nullable Path backingFile() throws IOException {
        String file = disk().line("loop/backing_file");
        return file == null ? null : Path.of(file);
    }

    /** {@return whether it is the device of a virtual machine, whose real medium is not known} */
    public boolean virtual() throws IOException {
        String disk = disk().name;
        String maker = disk().line("device/vendor");
        return disk.startsWith("vd")
                || disk.startsWith("xvd")
                || (maker != null && maker.matches("(?i)(qemu|vmware|msft|xen|virtio|0x1af4).*"));
    }

    /** {@return what it is made of, down to the disks: names, sorted} */
    public Set<String> media() throws IOException {
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

    /** {@return the devices that an array or a logical volume is made of; none for others} */
    public Set<String> slaves() throws IOException {
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
    public @Nullable Long flushes() throws IOException {
        return count(Files.readString(Path.of("/proc/diskstats")), disk().name, FLUSHES);
    }

    /** {@return those of the device itself, also where it is a part of a disk} */
    public @Nullable Long ownWrites() throws IOException {
        return count(Files.readString(Path.of("/proc/diskstats")), name, WRITES);
    }

    /** {@return writes since the machine started} */
    public @Nullable Long writes() throws IOException {
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
