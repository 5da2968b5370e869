package org.hubmark.bench.machine.devices;

import org.hubmark.bench.machine.kernel.DiskCounter;
import org.hubmark.bench.machine.kernel.DiskCounters;
import org.hubmark.bench.machine.kernel.HostFiles;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Layers below a folder, from the one device of its file system over mappings and arrays down to the disks.
 * What can't be told is null, and never a guess; of a file system on several devices (ZFS, Btrfs) nothing is
 * told. Any thread.
 */
public final class VolumeStack {
    private static final String WRITE_BACK = "write back";
    private static final String MOUNTS = "proc/self/mountinfo";

    private final HostFiles host;
    private final Path sys;
    private final Map<String, BlockDevice> layers = new LinkedHashMap<>();
    private final List<BlockDevice> disks = new ArrayList<>();
    private final Set<String> media = new TreeSet<>();
    private @Nullable Mount mount;
    private @Nullable BlockDevice device;
    private @Nullable String unknown;

    private VolumeStack(HostFiles host) {
        this.host = host;
        this.sys = host.root().resolve("sys");
    }

    /** {@return what is below an existing folder of this machine} */
    public static VolumeStack of(Path folder) throws IOException {
        return of(folder.toRealPath(), HostFiles.HERE);
    }

    /** {@return what is below a folder of a machine, which is absolute and without links} */
    public static VolumeStack of(Path folder, HostFiles host) {
        VolumeStack stack = new VolumeStack(host);
        stack.mount = Mount.parse(host.text(MOUNTS), folder);
        stack.walk(stack.below(folder, stack.mount));
        return stack;
    }

    /** {@return what is below a device; nothing where a machine has none of that name} */
    public static VolumeStack ofDevice(String name, HostFiles host) {
        VolumeStack stack = new VolumeStack(host);
        stack.walk(stack.named("/dev/" + name));
        return stack;
    }

    private void walk(@Nullable BlockDevice first) {
        device = first;
        if (first != null) {
            add(first.disk(), true);
            disks.sort(Comparator.comparing(BlockDevice::name));
        }
    }

    /** The first layers that are made of no others are disks, or loop devices: they have queues of requests. */
    private void add(BlockDevice layer, boolean isAboveDisks) {
        if (layers.putIfAbsent(layer.name(), layer) != null) {
            return;
        }
        List<BlockDevice> below = new ArrayList<>(layer.parts());
        boolean isDisk = below.isEmpty();
        if (isDisk && isAboveDisks) {
            disks.add(layer);
        }
        Path file = layer.backingFile();
        BlockDevice under = file == null ? null : backing(layer.name(), file);
        if (under != null) {
            below.add(under);
        }
        if (below.isEmpty()) {
            media.add(layer.name());
        }
        for (BlockDevice one : below) {
            add(one.disk(), isAboveDisks && !isDisk);
        }
    }

    /** {@return what the file of a loop device lies on; null where that can't be seen} */
    private @Nullable BlockDevice backing(String loop, Path file) {
        if (!Files.exists(host.root().resolve(file.toString().substring(1)))) {
            unknown = "the file behind " + loop + ", " + file + ", can't be seen from here";
            return null;
        }
        return below(file, Mount.parse(host.text(MOUNTS), file));
    }

    /** {@return the device that a file system lies on; null where it has none, several, or one that isn't known} */
    private @Nullable BlockDevice below(Path path, @Nullable Mount mounted) {
        if (mounted == null) {
            unknown = "no mounted file system is known to hold " + path;
            return null;
        }
        Path number = sys.resolve("dev/block").resolve(mounted.device());
        BlockDevice found =
                Files.exists(number) ? BlockDevice.of(number, sys) : named(mounted.source());
        if (found != null && !isPool(found) && !mounted.options().contains("logdev=")) {
            return found;
        }
        String filesystem = mounted.filesystem();
        if (!VolumeInspection.isVolatile(filesystem)) {
            unknown = VolumeInspection.isRemote(filesystem)
                    ? path + " is on another machine (" + filesystem + ")"
                    : "no single block device is known behind " + filesystem + " at "
                            + mounted.point();
        }
        return null;
    }

    /** {@return whether a device is one of several of a Btrfs file system} */
    private boolean isPool(BlockDevice member) {
        return host.names("sys/fs/btrfs", "*").stream()
                .map(pool -> host.names("sys/fs/btrfs/" + pool + "/devices", "*"))
                .anyMatch(all -> all.size() > 1 && all.contains(member.name()));
    }

    /** {@return the device of a file in /dev; null where there is none} */
    private @Nullable BlockDevice named(String source) {
        Path file = BlockDevice.real(host.root().resolve(source.replaceFirst("^/", "")));
        Path found = sys.resolve("class/block").resolve(file.getFileName());
        return source.startsWith("/dev/") && Files.exists(found)
                ? BlockDevice.of(found, sys)
                : null;
    }

    /** {@return the file system; null if it can't be told} */
    public @Nullable Mount mount() {
        return mount;
    }

    /** {@return the device that the file system lies on, by which counters are read; null where none is known} */
    public @Nullable String deviceName() {
        return device == null ? null : device.name();
    }

    /** {@return all layers, from the file system down; never parts of disks} */
    public Collection<BlockDevice> layers() {
        return layers.values();
    }

    /** {@return the disks below everything, by name} */
    public Set<String> media() {
        return media;
    }

    /** {@return why the disks can't be told, in words; null where they can, or where there are none} */
    public @Nullable String unknown() {
        return unknown;
    }

    /** {@return disks, and loop devices as disks: what gets the flushes} */
    public List<BlockDevice> disks() {
        return disks;
    }

    /**
     * {@return whether a cache below is volatile, as the kernel says of the disks: write back if one is,
     * write through if none is; null if it does not say}
     */
    public @Nullable String writeCache() {
        List<@Nullable String> modes = ofDisks("queue/write_cache");
        return modes.contains(WRITE_BACK)
                ? WRITE_BACK
                : modes.size() == 1 ? modes.getFirst() : null;
    }

    /** {@return whether a disk turns; null if one does not say} */
    public @Nullable Boolean rotational() {
        List<@Nullable String> said = ofDisks("queue/rotational");
        if (said.contains("1")) {
            return true;
        }
        return (said.isEmpty() || said.contains(null)) ? null : Boolean.FALSE;
    }

    private List<@Nullable String> ofDisks(String file) {
        List<@Nullable String> all = new ArrayList<>();
        for (BlockDevice disk : disks) {
            String line = disk.line(file);
            if (!all.contains(line)) {
                all.add(line);
            }
        }
        return all;
    }

    /** {@return the I/O scheduler of the disks, several where they differ; null if none is known} */
    public @Nullable String scheduler() {
        return joined(", ", disks, BlockDevice::scheduler);
    }

    /** {@return what the disks call themselves; null if none does} */
    public @Nullable String model() {
        return joined(", ", disks, disk -> disk.line("device/model"));
    }

    /** {@return levels of RAID by Linux, top down; null for none: that of a controller is not to be seen} */
    public @Nullable String raid() {
        return joined(" over ", layers.values(), BlockDevice::raid);
    }

    private static @Nullable String joined(
            String by,
            Collection<BlockDevice> devices,
            Function<BlockDevice, @Nullable String> fact) {
        String all = devices.stream()
                .map(fact)
                .filter(Objects::nonNull)
                .distinct()
                .collect(Collectors.joining(by));
        return all.isEmpty() ? null : all;
    }

    /** {@return whether a disk is that of a virtual machine or a cloud, whose medium is not known} */
    public boolean virtual() {
        return disks.stream().anyMatch(BlockDevice::virtual);
    }

    /** {@return whether what is on a disk goes when the virtual machine stops} */
    public boolean ephemeral() {
        return disks.stream().anyMatch(BlockDevice::ephemeral);
    }

    /** {@return the file that a loop device below shows; null where there is no loop device} */
    public @Nullable Path backingFile() {
        return disks.stream()
                .map(BlockDevice::backingFile)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** {@return whether a loop device below goes round the page cache; null where there is none} */
    public @Nullable Boolean directIo() {
        String said = joined(" ", disks, disk -> disk.line("loop/dio"));
        return said == null ? null : said.equals("1");
    }

    /** {@return the most that the page cache below a loop device can hold; null where there is none} */
    public @Nullable Long pageCacheBytes() {
        boolean isCached = layers.values().stream()
                .anyMatch(layer -> layer.backingFile() != null && !layer.isDirect());
        return isCached ? host.bytes("proc/meminfo", "MemTotal") : null;
    }

    /**
     * {@return flushes that the disks have answered since the machine started, of all of them together;
     * null where nobody counts them, or none ever was}
     */
    public @Nullable Long flushes() {
        String diskstats = host.text(DiskCounters.FILE);
        return disks.stream()
                .map(one -> DiskCounters.parse(diskstats, one.name()))
                .filter(Objects::nonNull)
                .map(one -> one.get(DiskCounter.FLUSHES))
                .filter(Objects::nonNull)
                .reduce(Long::sum)
                .orElse(null);
    }

    /** {@return whether both lie on a disk, or in a file system, that is the same; null if unknown} */
    public @Nullable Boolean shares(VolumeStack other) {
        if ((mount != null && other.mount != null && mount.device().equals(other.mount.device()))
                || media.stream().anyMatch(other.media::contains)) {
            return true;
        }
        return (unknown != null || other.unknown != null) ? null : Boolean.FALSE;
    }
}
