package org.hubmark.bench.machine.devices;

import org.hubmark.core.ForeignText;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
    private static final Pattern CHOSEN = Pattern.compile("\\[(.+)]");
    /** The field of /proc/diskstats that counts flushes, since Linux 5.5. */
    public static final int FLUSHES = 18;

    /** The field that counts writes. */
    static final int WRITES = 7;

    /** {@return the numbers of the device that a file lies on, as MAJOR:MINOR; of none, too} */
    static String number(Path file) throws IOException {
        long number = ((Number) Files.getAttribute(file, "unix:dev")).longValue();
        // How glibc's gnu_dev_major and gnu_dev_minor read a dev_t.
        long major = ((number >>> 8) & 0xfff) | ((number >>> 32) & ~0xfffL);
        long minor = (number & 0xff) | ((number >>> 12) & ~0xffL);
        return major + ":" + minor;
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
            String text = ForeignText.read(file).trim();
            return text.isEmpty() ? null : text;
        } catch (IOException e) {
            // Some files of sysfs are there, but not for this device: EINVAL, ENODEV.
            return null;
        }
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
        String level = line("md/level");
        if (level != null) {
            return level;
        }
        Set<String> parts = slaves();
        if (!isMapping("LVM-") || parts.size() < 2) {
            return null;
        }
        int images = 0;
        for (String part : parts) {
            String name = named(part, sys).line("dm/name");
            images += name != null && name.matches(".*_[rm]image_\\d+") ? 1 : 0;
        }
        return images == 0
                ? "LVM over " + parts.size() + " devices"
                : "LVM RAID of " + images + " images";
    }

    /** {@return what kind of layer it is, for a reader; null for a disk that has no name} */
    @Nullable
    String kind() throws IOException {
        String level = line("md/level");
        if (level != null) {
            return level;
        }
        String mapping = line("dm/name");
        if (mapping != null) {
            return (isMapping("LVM-")
                            ? "LVM "
                            : isMapping("CRYPT-")
                                    ? "encrypted "
                                    : isMapping("mpath-") ? "multipath " : "mapping ")
                    + mapping;
        }
        Path file = backingFile();
        return file == null ? fullModel() : "file " + file;
    }

    private boolean isMapping(String kind) throws IOException {
        String uuid = line("dm/uuid");
        return uuid != null && uuid.startsWith(kind);
    }

    /** {@return what a disk calls itself, with its maker; null if it does not} */
    public @Nullable String fullModel() throws IOException {
        String model = line("device/model");
        String maker = line("device/vendor");
        // That of a PCI device is a number.
        return model == null || maker == null || maker.startsWith("0x")
                ? model
                : maker + " " + model;
    }

    /** {@return the file that a loop device shows, or null for any other device} */
    public @Nullable Path backingFile() throws IOException {
        String file = disk().line("loop/backing_file");
        return file == null ? null : Path.of(file);
    }

    /** {@return whether it is the device of a virtual machine, whose real medium is not known} */
    boolean virtual() throws IOException {
        String maker = line("device/vendor");
        String model = line("device/model");
        return name.startsWith("vd")
                || name.startsWith("xvd")
                || (maker != null && maker.matches("(?i)(qemu|vmware|msft|xen|virtio|0x1af4).*"))
                || (model != null && model.matches("(?i)(qemu|vmware|vbox|virtual) .*"));
    }

    /** {@return the devices that an array or a logical volume is made of; none for others} */
    public Set<String> slaves() throws IOException {
        Set<String> slaves = new TreeSet<>();
        for (Path entry : entries(folder.resolve("slaves"))) {
            slaves.add(String.valueOf(entry.getFileName()));
        }
        return slaves;
    }

    /** {@return the disks with the cache of a bcache or dm-cache device; none for others} */
    List<BlockDevice> caches() throws IOException {
        List<BlockDevice> caches = new ArrayList<>();
        for (Path entry : entries(folder.resolve("bcache/cache"))) {
            if (String.valueOf(entry.getFileName()).matches("cache\\d+")) {
                Path disk = entry.toRealPath().getParent();
                caches.add(named(String.valueOf(disk == null ? entry : disk.getFileName()), sys));
            }
        }
        for (String slave : slaves()) {
            BlockDevice below = named(slave, sys);
            String mapping = below.line("dm/name");
            if (mapping != null && mapping.matches(".*[_-]cdata")) {
                caches.add(below);
            }
        }
        return caches;
    }

    /** {@return what is in a folder, by name; nothing when there is no such folder} */
    static List<Path> entries(Path folder) throws IOException {
        List<Path> all = new ArrayList<>();
        if (Files.isDirectory(folder)) {
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
                entries.forEach(all::add);
            }
        }
        all.sort(null);
        return all;
    }

    /** {@return a field of the device's own line of /proc/diskstats; null where there is none} */
    public static @Nullable Long count(String diskstats, String device, int field) {
        for (String line : diskstats.lines().toList()) {
            String[] fields = line.trim().split(" +", -1);
            if (fields.length > field && fields[2].equals(device)) {
                return Long.valueOf(fields[field]);
            }
        }
        return null;
    }
}
