package org.hubmark.bench.machine.devices;

import org.hubmark.core.ForeignText;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Layers below a folder, from its file system over mappings, arrays and pools down to the disks. It
 * is walked once; what is said of flushes, caches, sharing, RAID and counters is read from it. What
 * can't be told is null, and never a guess. Any thread.
 */
public final class VolumeStack {
    private static final String WRITE_BACK = "write back";
    private static final int SECTOR_BYTES = 512;
    private static final int KIBIBYTE = 1024;

    private final @Nullable Mount mount;
    private final List<BlockDevice> devices;
    private final Map<String, Layer> layers;
    private final Set<String> media;
    private final @Nullable String poolRaid;
    private final @Nullable String unknown;
    private final Path root;
    /** Layers whose flushes are counted below them: where that is does not change between two looks. */
    private final Set<String> countedBelow = ConcurrentHashMap.newKeySet();

    /**
     * A block device of the stack.
     *
     * @param device a disk, an array, a mapping; never a part of a disk
     * @param below what it is made of; empty for a disk
     */
    public record Layer(BlockDevice device, List<BlockDevice> below) {
        /** Copies the list. */
        public Layer {
            below = List.copyOf(below);
        }

        /** {@return whether it has a queue of requests of its own, as disks and loop devices have} */
        boolean hasQueue() throws IOException {
            return below.isEmpty() || device.backingFile() != null;
        }

        /** {@return its name with what it is: sda, dm-0 (LVM vg-log), md0 (raid1)} */
        public String text() throws IOException {
            String kind = device.kind();
            return device.name() + (kind == null ? "" : " (" + kind + ")");
        }
    }

    /**
     * Cache between a file system and its medium.
     *
     * @param what it is, in words
     * @param bytes it has at most
     */
    public record Cache(String what, long bytes) {}

    /**
     * Source of the kernel's files.
     *
     * @param root / of this machine, or a recorded tree
     * @param poolStatus what {@code zpool status -P} says of a pool; null where it can't be asked
     */
    public record Machine(Path root, Function<String, @Nullable String> poolStatus) {
        /** This machine. */
        public static final Machine HERE = new Machine(Path.of("/"), Pools::status);

        String text(String file) throws IOException {
            return ForeignText.read(root.resolve(file));
        }
    }

    private VolumeStack(Machine machine, @Nullable Mount mount, Walk walk) {
        this.root = machine.root();
        this.mount = mount;
        this.devices = walk.devices.stream()
                .sorted(Comparator.comparing(BlockDevice::name))
                .toList();
        this.layers = walk.layers;
        this.media = walk.media;
        this.poolRaid = walk.poolRaid;
        this.unknown = walk.unknown;
    }

    /** {@return what is below an existing folder of this machine} */
    public static VolumeStack of(Path folder) throws IOException {
        return of(folder.toRealPath(), Machine.HERE);
    }

    /** {@return what is below a folder of a machine, which is absolute and without links} */
    public static VolumeStack of(Path folder, Machine machine) throws IOException {
        Walk walk = new Walk(machine);
        Mount mount = Mount.parse(machine.text("proc/self/mountinfo"), folder);
        walk.fileSystem(folder, mount, true);
        return new VolumeStack(machine, mount, walk);
    }

    /**
     * {@return what is below devices, named as by {@link #deviceName}; nothing where a machine has none of
     * them}
     */
    public static VolumeStack ofDevices(String names, Machine machine) {
        Walk walk = new Walk(machine);
        for (String name : names.split("\\+", -1)) {
            try {
                BlockDevice device = BlockDevice.named(name, machine.root().resolve("sys"));
                walk.devices.add(device);
                walk.layer(device.disk());
            } catch (IOException e) {
                walk.unknown = "there is no block device " + name;
            }
        }
        return new VolumeStack(machine, null, walk);
    }

    /** {@return the file system; null if it can't be told} */
    public @Nullable Mount mount() {
        return mount;
    }

    /** {@return the devices that the file system lies on directly, by name; none where it has none} */
    public List<BlockDevice> devices() {
        return devices;
    }

    /**
     * {@return their names, joined by a plus where there are several, by which counters are read; null
     * where there is none}
     */
    public @Nullable String deviceName() {
        return devices.isEmpty()
                ? null
                : devices.stream().map(BlockDevice::name).collect(Collectors.joining("+"));
    }

    /** {@return all layers, from the file system down} */
    public Collection<Layer> layers() {
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
    public List<BlockDevice> disks() throws IOException {
        List<BlockDevice> disks = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (BlockDevice device : devices) {
            addDisks(device.disk(), disks, seen);
        }
        disks.sort(Comparator.comparing(BlockDevice::name));
        return disks;
    }

    private void addDisks(BlockDevice disk, List<BlockDevice> disks, Set<String> seen)
            throws IOException {
        Layer layer = layers.get(disk.name());
        if (layer == null || !seen.add(disk.name())) {
            return;
        }
        if (layer.hasQueue()) {
            disks.add(disk);
            return;
        }
        for (BlockDevice below : layer.below()) {
            addDisks(below.disk(), disks, seen);
        }
    }

    /**
     * {@return whether a cache below is volatile, as the kernel says of the disks: write back if one is,
     * write through if none is; null if it does not say}
     */
    public @Nullable String writeCache() throws IOException {
        Set<@Nullable String> modes = ofDisks("queue/write_cache");
        return modes.contains(WRITE_BACK)
                ? WRITE_BACK
                : modes.size() == 1 ? modes.iterator().next() : null;
    }

    /** {@return whether a disk turns; null if one does not say} */
    public @Nullable Boolean rotational() throws IOException {
        Set<@Nullable String> said = ofDisks("queue/rotational");
        if (said.contains("1")) {
            return true;
        }
        return (said.isEmpty() || said.contains(null)) ? null : Boolean.FALSE;
    }

    /** {@return the I/O scheduler of the disks, several where they differ; null if none is known} */
    public @Nullable String scheduler() throws IOException {
        Set<String> all = new TreeSet<>();
        for (String line : ofDisks("queue/scheduler")) {
            String scheduler = BlockDevice.scheduler(line);
            if (scheduler != null) {
                all.add(scheduler);
            }
        }
        return all.isEmpty() ? null : String.join(", ", all);
    }

    /** {@return what the disks call themselves; null if none does} */
    public @Nullable String model() throws IOException {
        Set<String> all = new TreeSet<>();
        for (String line : ofDisks("device/model")) {
            if (line != null) {
                all.add(line);
            }
        }
        return all.isEmpty() ? null : String.join(", ", all);
    }

    private Set<@Nullable String> ofDisks(String file) throws IOException {
        Set<@Nullable String> all = new LinkedHashSet<>();
        for (BlockDevice disk : disks()) {
            all.add(disk.line(file));
        }
        return all;
    }

    /** {@return whether a disk is that of a virtual machine or a service, whose medium is not known} */
    public boolean virtual() throws IOException {
        for (BlockDevice disk : disks()) {
            if (disk.virtual() || service(disk) != null) {
                return true;
            }
        }
        return false;
    }

    /** {@return the service or the kind of guest that gives the disks; null for none that is known} */
    public @Nullable DiskService service() throws IOException {
        DiskService found = null;
        for (BlockDevice disk : disks()) {
            DiskService one = service(disk);
            if (found == null || (one != null && Boolean.TRUE.equals(one.ephemeral()))) {
                found = one;
            }
        }
        return found;
    }

    private @Nullable DiskService service(BlockDevice disk) throws IOException {
        return DiskService.of(disk, BlockDevice.line(root.resolve("sys/class/dmi/id/sys_vendor")));
    }

    /** {@return the file that a loop device below shows; null where there is no loop device} */
    public @Nullable Path backingFile() throws IOException {
        for (BlockDevice disk : disks()) {
            if (disk.backingFile() != null) {
                return disk.backingFile();
            }
        }
        return null;
    }

    /** {@return whether a loop device below goes round the page cache; null where there is none} */
    public @Nullable Boolean directIo() throws IOException {
        for (BlockDevice disk : disks()) {
            String said = disk.line("loop/dio");
            if (said != null) {
                return said.equals("1");
            }
        }
        return null;
    }

    /**
     * {@return the largest cache below that is known; null where none is} It is memory of this machine below
     * a loop device or in a ZFS pool, or a disk of bcache or dm-cache. What a controller or the host of a virtual machine keeps
     * can't be seen.
     */
    public @Nullable Cache cache() throws IOException {
        List<Cache> all = new ArrayList<>();
        for (Layer layer : layers.values()) {
            BlockDevice device = layer.device();
            if (device.backingFile() != null && !"1".equals(device.line("loop/dio"))) {
                add(all, "page cache below " + device.name(), memoryBytes());
            }
            for (BlockDevice disk : device.caches()) {
                String sectors = disk.line("size");
                add(
                        all,
                        disk.name() + ", cache of " + device.name(),
                        sectors == null ? null : (Long) (Long.parseLong(sectors) * SECTOR_BYTES));
            }
        }
        if (mount != null && mount.filesystem().equals("zfs")) {
            Long most = number("proc/spl/kstat/zfs/arcstats", "c_max");
            add(all, "cache of ZFS in memory", most == null ? memoryBytes() : most);
        }
        return all.stream().max(Comparator.comparingLong(Cache::bytes)).orElse(null);
    }

    private static void add(List<Cache> all, String what, @Nullable Long bytes) {
        if (bytes != null) {
            all.add(new Cache(what, bytes));
        }
    }

    private @Nullable Long memoryBytes() throws IOException {
        Long kibibytes = number("proc/meminfo", "MemTotal:");
        return kibibytes == null ? null : (Long) (kibibytes * KIBIBYTE);
    }

    /** {@return the first number behind another word of a line that begins so; null where there is none} */
    private @Nullable Long number(String file, String name) throws IOException {
        Path path = root.resolve(file);
        if (Files.isReadable(path)) {
            for (String line : Files.readAllLines(path)) {
                String[] words = line.strip().split("\\s+", -1);
                String number = words.length > 2 && words[2].matches("\\d+") ? words[2] : "";
                if (words[0].equals(name)) {
                    return Long.valueOf(number.isEmpty() ? words[1] : number);
                }
            }
        }
        return null;
    }

    /** {@return levels of RAID by Linux, top down; null for none: that of a controller is not to be seen} */
    public @Nullable String raid() throws IOException {
        Set<String> levels = new LinkedHashSet<>();
        if (poolRaid != null) {
            levels.add(poolRaid);
        }
        for (Layer layer : layers.values()) {
            String level = layer.device().raid();
            if (level != null) {
                levels.add(level);
            }
        }
        return levels.isEmpty() ? null : String.join(" over ", levels);
    }

    /**
     * {@return flushes that the disks have answered since the machine started, of all of them together;
     * null where nobody counts them} Mappings and arrays pass flushes on and count none, so the first
     * layers downwards that ever counted one are asked, and stay those that are asked.
     */
    public @Nullable Long flushes() throws IOException {
        String diskstats = Files.readString(root.resolve("proc/diskstats"));
        Long sum = null;
        for (String disk : flushLines(diskstats)) {
            Long count = BlockDevice.count(diskstats, disk, BlockDevice.FLUSHES);
            if (count != null) {
                sum = (sum == null ? 0 : sum) + count;
            }
        }
        return sum;
    }

    /** {@return the devices whose lines count the flushes of this stack; none where nobody does} */
    public List<String> flushLines(String diskstats) throws IOException {
        Set<String> lines = new TreeSet<>();
        for (BlockDevice device : devices) {
            addFlushLines(device.disk().name(), diskstats, lines);
        }
        return List.copyOf(lines);
    }

    private void addFlushLines(String disk, String diskstats, Set<String> lines)
            throws IOException {
        Long own = BlockDevice.count(diskstats, disk, BlockDevice.FLUSHES);
        Layer layer = layers.get(disk);
        if (own != null && own > 0 && !countedBelow.contains(disk)) {
            lines.add(disk);
        } else if (layer != null) {
            Set<String> found = new TreeSet<>();
            for (BlockDevice below : layer.below()) {
                addFlushLines(below.disk().name(), diskstats, found);
            }
            if (!found.isEmpty()) {
                countedBelow.add(disk);
            }
            lines.addAll(found);
        }
    }

    /** {@return writes to the devices of the file system since the machine started; null if not counted} */
    public @Nullable Long writes() throws IOException {
        String diskstats = Files.readString(root.resolve("proc/diskstats"));
        Long sum = null;
        for (BlockDevice device : devices) {
            Long count = BlockDevice.count(diskstats, device.name(), BlockDevice.WRITES);
            if (count != null) {
                sum = (sum == null ? 0 : sum) + count;
            }
        }
        return sum;
    }

    /** {@return whether both lie on a disk, or in a file system, that is the same; null if unknown} */
    public @Nullable Boolean shares(VolumeStack other) {
        if ((mount != null && other.mount != null && mount.device().equals(other.mount.device()))
                || media.stream().anyMatch(other.media::contains)) {
            return true;
        }
        return (unknown != null || other.unknown != null) ? null : Boolean.FALSE;
    }

    /** Goes down, and notes what it passes. One thread. */
    private static final class Walk {
        private final Machine machine;
        private final Path sys;
        private final List<BlockDevice> devices = new ArrayList<>();
        private final Map<String, Layer> layers = new LinkedHashMap<>();
        private final Set<String> media = new TreeSet<>();
        private final Set<String> mounts = new HashSet<>();
        private @Nullable String poolRaid;
        private @Nullable String unknown;

        Walk(Machine machine) {
            this.machine = machine;
            this.sys = machine.root().resolve("sys");
        }

        /**
         * Goes on below a file system.
         *
         * @param first whether nothing lies on it, so that its devices are the volume's
         */
        void fileSystem(Path path, @Nullable Mount mount, boolean first) throws IOException {
            if (mount == null) {
                unknown = "no mounted file system is known to hold " + path;
                return;
            }
            List<BlockDevice> below = below(path, mount, first);
            for (BlockDevice device : below) {
                if (first && devices.stream().noneMatch(device::equals)) {
                    devices.add(device);
                }
                layer(device.disk());
            }
        }

        private List<BlockDevice> below(Path path, Mount mount, boolean first) throws IOException {
            String number = number(path, mount);
            if (number != null) {
                List<BlockDevice> all = new ArrayList<>(List.of(numbered(number)));
                all.addAll(logs(mount));
                return all;
            }
            String filesystem = mount.filesystem();
            if (VolumeInspection.isVolatile(filesystem)) {
                if (!mounts.isEmpty()) {
                    unknown = path + ", below it, is in memory";
                }
                return List.of();
            }
            if (filesystem.equals("overlay")) {
                overlay(mount, first);
                return List.of();
            }
            List<BlockDevice> pool = switch (filesystem) {
                case "btrfs" -> btrfs(mount);
                case "zfs" -> zfs(mount);
                default -> sources(mount);
            };
            if (pool.isEmpty() && unknown == null) {
                unknown = VolumeInspection.isRemote(filesystem)
                        ? path + " is on another machine (" + filesystem + ")"
                        : "no block device is known behind " + filesystem + " at " + mount.point();
            }
            return pool;
        }

        /** By the folder itself where it can be asked: another mount may lie over that of its path. */
        private @Nullable String number(Path path, Mount mount) throws IOException {
            if (machine.root().equals(path.getRoot()) && Files.exists(path)) {
                String number = BlockDevice.number(path);
                if (Files.exists(sys.resolve("dev/block").resolve(number))) {
                    return number;
                }
            }
            return Files.exists(sys.resolve("dev/block").resolve(mount.device()))
                    ? mount.device()
                    : null;
        }

        private BlockDevice numbered(String number) throws IOException {
            Path folder = sys.resolve("dev/block").resolve(number).toRealPath();
            return new BlockDevice(String.valueOf(folder.getFileName()), folder, sys);
        }

        /** XFS may have its log, or its data, on devices of their own. */
        private List<BlockDevice> logs(Mount mount) throws IOException {
            List<BlockDevice> all = new ArrayList<>();
            for (String option : List.of("logdev", "rtdev")) {
                String source = mount.option(option);
                BlockDevice device = source == null ? null : named(source);
                if (device != null) {
                    all.add(device);
                }
            }
            return all;
        }

        /** What is written there goes to the upper folder. */
        private void overlay(Mount mount, boolean first) throws IOException {
            String upper = mount.option("upperdir");
            if (upper == null || !exists(Path.of(upper))) {
                unknown = "the folder below the overlay at " + mount.point()
                        + (upper == null ? "" : ", " + upper + ",") + " can't be seen from here";
                return;
            }
            follow(Path.of(upper), first);
        }

        private void follow(Path path, boolean first) throws IOException {
            Mount mount = Mount.parse(machine.text("proc/self/mountinfo"), path);
            if (mounts.add(path.toString())) {
                fileSystem(path, mount, first);
            }
        }

        private boolean exists(Path path) {
            return Files.exists(machine.root().resolve(path.toString().substring(1)));
        }

        private List<BlockDevice> btrfs(Mount mount) throws IOException {
            BlockDevice source = named(mount.source());
            for (Path pool : BlockDevice.entries(sys.resolve("fs/btrfs"))) {
                List<BlockDevice> members = new ArrayList<>();
                String gone = null;
                for (Path member : BlockDevice.entries(pool.resolve("devices"))) {
                    String name = String.valueOf(member.getFileName());
                    if (Files.exists(sys.resolve("class/block").resolve(name))) {
                        members.add(BlockDevice.named(name, sys));
                    } else {
                        gone = name;
                    }
                }
                if (source != null && members.contains(source)) {
                    if (gone != null) {
                        unknown = "the Btrfs file system at " + mount.point() + " has a member, "
                                + gone + ", that is gone";
                    }
                    if (members.size() > 1 || gone != null) {
                        poolRaid = BlockDevice.entries(pool.resolve("allocation/data")).stream()
                                .filter(Files::isDirectory)
                                .map(profile -> String.valueOf(profile.getFileName()))
                                .collect(Collectors.joining(", "));
                    }
                    return members;
                }
            }
            return source == null ? List.of() : List.of(source);
        }

        private List<BlockDevice> zfs(Mount mount) throws IOException {
            String pool = mount.source().split("/", 2)[0];
            String status = machine.poolStatus().apply(pool);
            if (status == null) {
                unknown = "the disks of the ZFS pool " + pool
                        + " are not known: zpool can't be asked";
                return List.of();
            }
            List<BlockDevice> members = new ArrayList<>();
            for (String source : Pools.members(status)) {
                BlockDevice member = named(source);
                if (member == null) {
                    unknown = "the ZFS pool " + pool + " has " + source
                            + ", which is not a known block device";
                } else {
                    members.add(member);
                }
            }
            poolRaid = Pools.raid(status);
            return members;
        }

        /** As bcachefs names them: /dev/sda:/dev/sdb. */
        private List<BlockDevice> sources(Mount mount) throws IOException {
            List<BlockDevice> all = new ArrayList<>();
            for (String source : mount.source().split(":", -1)) {
                BlockDevice device = source.startsWith("/dev/") ? named(source) : null;
                if (device != null) {
                    all.add(device);
                }
            }
            return all;
        }

        /** {@return the device of a file in /dev; null where there is none} */
        private @Nullable BlockDevice named(String source) throws IOException {
            Path file = machine.root().resolve(source.substring(1));
            String name = String.valueOf(
                    (Files.exists(file) ? file.toRealPath() : Path.of(source)).getFileName());
            if (Files.exists(sys.resolve("class/block").resolve(name))) {
                return BlockDevice.named(name, sys);
            }
            for (Path one : BlockDevice.entries(sys.resolve("class/block"))) {
                if (name.equals(BlockDevice.line(one.resolve("dm/name")))) {
                    return BlockDevice.named(String.valueOf(one.getFileName()), sys);
                }
            }
            return null;
        }

        private void layer(BlockDevice disk) throws IOException {
            if (layers.containsKey(disk.name())) {
                return;
            }
            List<BlockDevice> below = new ArrayList<>();
            for (String name : disk.slaves()) {
                below.add(BlockDevice.named(name, sys));
            }
            Path file = disk.backingFile();
            if (file != null) {
                below.addAll(backing(disk.name(), file));
            }
            layers.put(disk.name(), new Layer(disk, below));
            if (below.isEmpty()) {
                media.add(disk.name());
            }
            for (BlockDevice one : below) {
                layer(one.disk());
            }
        }

        /** What the file of a loop device lies on; none where that can't be seen. */
        private List<BlockDevice> backing(String loop, Path file) throws IOException {
            Mount mount = Mount.parse(machine.text("proc/self/mountinfo"), file);
            if (!exists(file) || mount == null) {
                unknown = "the file behind " + loop + ", " + file + ", can't be seen from here";
                return List.of();
            }
            return mounts.add(file.toString()) ? below(file, mount, false) : List.of();
        }
    }
}
