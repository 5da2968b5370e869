package org.hubmark.bench.machine.devices;

import org.hubmark.bench.machine.kernel.HostFiles;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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

    /** Makers and models of the disks of virtual machines and clouds, by the providers' documentation. */
    private static final Pattern VIRTUAL = Pattern.compile(
            "(?i)(qemu|vmware|vbox|msft|xen|virtio|virtual|0x1af4|amazon|google|nvme_card|microsoft).*");

    /** Models of disks whose content is lost when the virtual machine stops, likewise. */
    private static final Pattern EPHEMERAL = Pattern.compile("Amazon EC2 NVMe Instance Storage"
            + "|Google EphemeralDisk|nvme_card\\d*|Microsoft NVMe Direct Disk.*");

    /** {@return the device that a link in sysfs leads to} */
    static BlockDevice of(Path link, Path sys) {
        Path folder = real(link);
        return new BlockDevice(String.valueOf(folder.getFileName()), folder, sys);
    }

    /** {@return what a link leads to; itself where it leads nowhere} */
    static Path real(Path link) {
        try {
            return link.toRealPath();
        } catch (IOException e) {
            // The device has gone in between.
            return link;
        }
    }

    /** {@return the disk that this is a part of, or itself} */
    public BlockDevice disk() {
        Path parent = folder.getParent();
        return Files.exists(folder.resolve("partition")) && parent != null ? of(parent, sys) : this;
    }

    /** {@return the first line of a file below its folder, or null} */
    public @Nullable String line(String file) {
        return new HostFiles(folder).line(file);
    }

    /** {@return the I/O scheduler in force; null where it isn't known} */
    public @Nullable String scheduler() {
        String line = line("queue/scheduler");
        Matcher chosen = CHOSEN.matcher(line == null ? "" : line);
        return chosen.find() ? chosen.group(1) : line;
    }

    /** {@return the RAID level of Linux's own RAID, or null: a controller's is not to be seen} */
    public @Nullable String raid() {
        return line("md/level");
    }

    /** {@return its name with what it is: sda (PM9A3), dm-0 (LVM vg-log), dm-1 (mpath a), md0 (raid1)} */
    public String text() {
        String mapping = line("dm/uuid");
        String kind = raid() != null
                ? raid()
                : mapping != null
                        ? mapping.split("-", 2)[0] + " " + line("dm/name")
                        : backingFile() != null ? "file " + backingFile() : fullModel();
        return name + (kind == null ? "" : " (" + kind + ")");
    }

    /** {@return what a disk calls itself, with its maker; null if it does not} */
    public @Nullable String fullModel() {
        String model = line("device/model");
        String maker = line("device/vendor");
        // That of a PCI device is a number.
        return model == null || maker == null || maker.startsWith("0x")
                ? model
                : maker + " " + model;
    }

    /** {@return the file that a loop device shows, or null for any other device} */
    public @Nullable Path backingFile() {
        String file = line("loop/backing_file");
        return file == null ? null : Path.of(file);
    }

    /** {@return whether a loop device goes round the page cache} */
    boolean isDirect() {
        return "1".equals(line("loop/dio"));
    }

    /** {@return whether it is the device of a virtual machine or a cloud, whose real medium is not known} */
    boolean virtual() {
        return name.startsWith("vd")
                || name.startsWith("xvd")
                || VIRTUAL.matcher(String.valueOf(line("device/vendor"))).matches()
                || VIRTUAL.matcher(String.valueOf(line("device/model"))).matches();
    }

    /** {@return whether its content is known to be lost when the virtual machine stops} */
    boolean ephemeral() {
        return EPHEMERAL.matcher(String.valueOf(fullModel())).matches();
    }

    /** {@return the devices that an array or a logical volume is made of, by name; none for others} */
    List<BlockDevice> parts() {
        return new HostFiles(folder)
                .names("slaves", "*").stream()
                        .sorted()
                        .map(part -> of(sys.resolve("class/block").resolve(part), sys))
                        .toList();
    }
}
