package org.hubmark.bench.machine.volumes;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * A published device that a test volume can act like: how long a sync takes to be answered, and a
 * read or write past the page cache. Where the source states no bandwidth or no time of a read,
 * there is none, and it is not limited.
 */
public enum DeviceProfile {
    /**
     * A 7,200 rpm SATA disk with its write cache off: a sync is answered when the sector has come
     * round. The rate is the mean over the surface of a Barracuda 7200.10 of 2007 (320 GB). To a
     * read at a random place it has to move its head, 11 ms on the average by its manual
     * (publication 100402369, table 2), and then to wait for half a revolution.
     */
    SATA_7200("7,200 rpm SATA, write cache off", Disk.SATA, 1, 0),
    /**
     * The same disk with its write cache of 16 MiB on and flushes not honoured, which is what
     * Windows calls advanced performance. 0.17 ms are 50 KB at the interface's 300 MB/s.
     */
    SATA_7200_CACHE(
            "7,200 rpm SATA, write cache on, flushes not honoured",
            new Disk(
                    0,
                    170_000,
                    62_000_000L,
                    16L << 20,
                    Disk.SATA.readNanos,
                    true,
                    "on, flushes not honoured"),
            1,
            0),
    /**
     * A 15,000 rpm Ultra320 SCSI disk behind a controller with a battery-backed cache of 128 MB:
     * the hub study's server. 0.96 ms is its queue length divided by its writes a second (0.14 /
     * 146.14). 160 MB/s is its bus (Ultra 3 SCSI is Ultra160: 16 bits at 80 million transfers a
     * second), which the cache doesn't get round; what the platters take isn't stated, and is less.
     * Neither is how long it seeks.
     */
    SCSI_15K_BBWC(
            "15,000 rpm SCSI behind a battery-backed write cache",
            new Disk(0, 960_000, 160_000_000L, 0, 0, true, "on, protected"),
            1,
            0),
    /**
     * An NVMe device with capacitors that save its cache: typical latency of a random write and of
     * a random read from the data sheet of the Samsung PM983 (revision 1.0, 2018).
     */
    NVME(
            "NVMe with power loss protection",
            new Disk(0, 50_000, null, 0, 85_000, false, "on, protected"),
            1,
            0),
    /**
     * Four of the SATA disks as RAID 5, behind no cache: a write of less than a row of stripes reads what was
     * there and its parity, and writes both when their sectors come round again.
     */
    SATA_7200_RAID5("four 7,200 rpm SATA as RAID 5, write cache off", Disk.SATA, 4, 5),
    /** Two of the SATA disks as RAID 1, behind no cache: a pair of a RAID 10 alone. */
    SATA_7200_RAID1("two 7,200 rpm SATA as RAID 1, write cache off", Disk.SATA, 2, 10),
    /** Four of the SATA disks as RAID 10, behind no cache: a write goes to both disks of a pair. */
    SATA_7200_RAID10("four 7,200 rpm SATA as RAID 10, write cache off", Disk.SATA, 4, 10);

    private final String title;
    // A record of numbers and words.
    @SuppressWarnings("ImmutableEnumChecker")
    private final Disk disk;

    private final int disks;
    private final int raid;

    DeviceProfile(String title, Disk disk, int disks, int raid) {
        this.title = title;
        this.disk = disk;
        this.disks = disks;
        this.raid = raid;
    }

    /**
     * One disk.
     *
     * @param revolutionNanos of its platters; 0 where a cache answers
     * @param latencyNanos of a sync that a cache answers
     * @param bytesPerSecond null where that isn't limited
     * @param cacheBytes that it takes without waiting for its medium
     * @param readNanos of a read at a random place; 0 where that isn't known
     */
    private record Disk(
            long revolutionNanos,
            long latencyNanos,
            @Nullable Long bytesPerSecond,
            long cacheBytes,
            long readNanos,
            boolean rotational,
            String writeCache) {
        private static final long SATA_REVOLUTION_NANOS = 60_000_000_000L / 7200;
        /** Average seek time of the Barracuda, reading. */
        private static final long SATA_SEEK_NANOS = 11_000_000;

        private static final Disk SATA = new Disk(
                SATA_REVOLUTION_NANOS,
                0,
                62_000_000L,
                0,
                SATA_SEEK_NANOS + SATA_REVOLUTION_NANOS / 2,
                true,
                "off");
    }

    /**
     * {@return the profile of that name; arrays also have that of their level alone, raid1}
     *
     * @throws IllegalArgumentException naming those that there are
     */
    public static DeviceProfile named(String name) {
        String whole = name.startsWith("raid") ? SATA_7200 + "-" + name : name;
        for (DeviceProfile profile : values()) {
            if (profile.toString().equalsIgnoreCase(whole)) {
                return profile;
            }
        }
        throw new IllegalArgumentException("'" + name + "' is not a device profile ("
                + Arrays.stream(values())
                        .map(DeviceProfile::toString)
                        .collect(Collectors.joining(", "))
                + ")");
    }

    /** {@return the name on the command line and in files} */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** {@return one line for people} */
    public String title() {
        return title;
    }

    /** {@return whether what is synced would survive a power loss on the device emulated} */
    public boolean safe() {
        return this != SATA_7200_CACHE;
    }

    /** {@return whether it is several disks with redundancy} */
    public boolean isArray() {
        return disks > 1;
    }

    /** {@return whether a sync is answered by a cache and not by the medium} */
    public boolean cacheAnswers() {
        return !writeCache().equals("off");
    }

    /** {@return whether the medium of the device turns} */
    public boolean rotational() {
        return disk.rotational;
    }

    /** {@return the state of its write cache, for people and results: off; on, protected} */
    public String writeCache() {
        return disk.writeCache;
    }

    /** {@return names, of one device or one for each role, with the write cache off where it can be} */
    public static String withoutCache(String names) {
        return names.replace(SATA_7200_CACHE.toString(), SATA_7200.toString());
    }

    /** {@return bytes a second that one such device takes; null where that isn't limited} */
    public @Nullable Long bytesPerSecond() {
        return disk.bytesPerSecond;
    }

    /**
     * {@return the line that the preloaded library reads, without the folder}
     *
     * @param stripes how many of such devices make a RAID 0; of no matter for an array
     */
    String parameters(int stripes) {
        Long bytesPerSecond = disk.bytesPerSecond;
        return disk.revolutionNanos + " " + disk.latencyNanos + " "
                + (bytesPerSecond == null ? 0 : bytesPerSecond) + " " + disk.cacheBytes + " "
                + disk.readNanos + " " + (isArray() ? disks : stripes) + " " + raid;
    }
}
