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
    SATA_7200(
            "7,200 rpm SATA, write cache off",
            Medium.revolution(7200),
            0,
            62_000_000L,
            0,
            Medium.positioning(7200),
            true),
    /**
     * The same disk with its write cache of 16 MiB on and flushes not honoured, which is what
     * Windows calls advanced performance. 0.17 ms are 50 KB at the interface's 300 MB/s.
     */
    SATA_7200_CACHE(
            "7,200 rpm SATA, write cache on, flushes not honoured",
            0,
            170_000,
            62_000_000L,
            16L << 20,
            Medium.positioning(7200),
            false),
    /**
     * A 15,000 rpm Ultra320 SCSI disk behind a controller with a battery-backed cache of 128 MB:
     * the hub study's server. 0.96 ms is its queue length divided by its writes a second (0.14 /
     * 146.14). 160 MB/s is its bus (Ultra 3 SCSI is Ultra160: 16 bits at 80 million transfers a
     * second), which the cache doesn't get round; what the platters take isn't stated, and is less.
     * Neither is how long it seeks.
     */
    SCSI_15K_BBWC(
            "15,000 rpm SCSI behind a battery-backed write cache",
            0,
            960_000,
            160_000_000L,
            0,
            0,
            true),
    /**
     * An NVMe device with capacitors that save its cache: typical latency of a random write and of
     * a random read from the data sheet of the Samsung PM983 (revision 1.0, 2018).
     */
    NVME("NVMe with power loss protection", 0, 50_000, null, 0, 85_000, true),
    /**
     * Four of the SATA disks as RAID 5, behind no cache: a write of less than a row of stripes reads what was
     * there and its parity, and writes both when their sectors come round again.
     */
    SATA_7200_RAID5("four 7,200 rpm SATA as RAID 5, write cache off", SATA_7200, 4, 5),
    /** Two of the SATA disks as RAID 1, behind no cache: a pair of a RAID 10 alone. */
    SATA_7200_RAID1("two 7,200 rpm SATA as RAID 1, write cache off", SATA_7200, 2, 10),
    /** Four of the SATA disks as RAID 10, behind no cache: a write goes to both disks of a pair. */
    SATA_7200_RAID10("four 7,200 rpm SATA as RAID 10, write cache off", SATA_7200, 4, 10);

    private final String title;
    private final long revolutionNanos;
    private final long latencyNanos;
    private final @Nullable Long bytesPerSecond;
    private final long cacheBytes;
    private final long readNanos;
    private final boolean safe;
    private final int disks;
    private final int raid;

    DeviceProfile(
            String title,
            long revolutionNanos,
            long latencyNanos,
            @Nullable Long bytesPerSecond,
            long cacheBytes,
            long readNanos,
            boolean safe) {
        this.title = title;
        this.revolutionNanos = revolutionNanos;
        this.latencyNanos = latencyNanos;
        this.bytesPerSecond = bytesPerSecond;
        this.cacheBytes = cacheBytes;
        this.readNanos = readNanos;
        this.safe = safe;
        this.disks = 1;
        this.raid = 0;
    }

    DeviceProfile(String title, DeviceProfile each, int disks, int raid) {
        this.title = title;
        this.revolutionNanos = each.revolutionNanos;
        this.latencyNanos = each.latencyNanos;
        this.bytesPerSecond = each.bytesPerSecond;
        this.cacheBytes = each.cacheBytes;
        this.readNanos = each.readNanos;
        this.safe = each.safe;
        this.disks = disks;
        this.raid = raid;
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
        return safe;
    }

    /** {@return the time that a sync of a little data takes on an idle device, nanoseconds} */
    public long syncNanos() {
        return Math.max(revolutionNanos, latencyNanos);
    }

    /**
     * {@return what a read at a random place takes before its first octet comes, on an idle device,
     * nanoseconds; 0 where that isn't known, and reads are not delayed}
     */
    public long readNanos() {
        return readNanos;
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
        return this != NVME;
    }

    /** {@return the state of its write cache, for people and results: off; on, protected} */
    public String writeCache() {
        return switch (this) {
            case SATA_7200, SATA_7200_RAID5, SATA_7200_RAID1, SATA_7200_RAID10 -> "off";
            case SATA_7200_CACHE -> "on, flushes not honoured";
            case SCSI_15K_BBWC, NVME -> "on, protected";
        };
    }

    /** {@return names, of one device or one for each role, with the write cache off where it can be} */
    public static String withoutCache(String names) {
        return names.replace(SATA_7200_CACHE.toString(), SATA_7200.toString());
    }

    /** {@return bytes a second that one such device takes; null where that isn't limited} */
    public @Nullable Long bytesPerSecond() {
        return bytesPerSecond;
    }

    /**
     * {@return the line that the preloaded library reads, without the folder}
     *
     * @param stripes how many of such devices make a RAID 0; of no matter for an array
     */
    String parameters(int stripes) {
        return revolutionNanos + " " + latencyNanos + " "
                + (bytesPerSecond == null ? 0 : bytesPerSecond) + " " + cacheBytes + " "
                + readNanos + " " + (isArray() ? disks : stripes) + " " + raid;
    }

    /** How long a platter takes. */
    private static final class Medium {
        /** Average seek time of the Barracuda, reading. */
        private static final long SEEK_NANOS = 11_000_000;

        static long revolution(int perMinute) {
            return 60_000_000_000L / perMinute;
        }

        static long positioning(int perMinute) {
            return SEEK_NANOS + revolution(perMinute) / 2;
        }
    }
}
