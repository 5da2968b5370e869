package org.hubmark.bench.qualify.result;

import static org.hubmark.bench.qualify.result.Figures.figure;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Form;
import org.hubmark.bench.kit.document.Formula.Counter;
import org.hubmark.bench.kit.document.Name;
import org.hubmark.bench.kit.document.Repeat;

import java.util.List;

/** The file systems with databases and logs: how large they are, how full, and what caches are known below them. */
public final class VolumeFigures {
    private static final double GIBIBYTE = 1 << 30;

    public static final Counter RAW_BYTES = new Counter("raw_bytes");
    public static final Counter FORMATTED_BYTES = new Counter("formatted_bytes");

    /** Of a block of the file system. */
    public static final Counter BLOCK_BYTES = new Counter("block_bytes");

    /** By databases and by all else. */
    public static final Counter USED_BYTES = new Counter("used_bytes");

    public static final Counter DATABASE_BYTES = new Counter("database_bytes");

    /** Largest cache below that is known. */
    public static final Counter CACHE_BYTES = new Counter("cache_bytes");

    public static final Name VOLUME = Name.of("volume", "Volume");
    /** What lies on it: databases, logs. */
    public static final Name ROLES = Name.note("roles", "Holds");

    public static final Name FILE_SYSTEM = Name.note("file_system", "File system");
    public static final Name RAID = Name.note("raid", "RAID");
    public static final Name DISKS = Name.note("disks", "Disks");
    public static final Name CACHE_BELOW = Name.note("cache_below", "Cache below");
    public static final Column USED_PERCENT = figure(
            "used_percent", "In use (% of formatted)", USED_BYTES.percentOf(FORMATTED_BYTES));

    /** How many times the databases fill the cache below them. */
    public static final Column TIMES_CACHE = figure(
            "databases_to_cache", "Databases / cache below", DATABASE_BYTES.over(CACHE_BYTES));

    /** The file systems with databases and logs when a load has ended. GB are of 1024 x 1024 x 1024 bytes. */
    public static final Form VOLUMES = Form.part(
            "volumes",
            List.of(VOLUME, ROLES, FILE_SYSTEM, RAID, DISKS, CACHE_BELOW),
            List.of(
                    gigabytes("raw_gb", "Raw capacity (GB)", RAW_BYTES),
                    gigabytes("formatted_gb", "Formatted capacity (GB)", FORMATTED_BYTES),
                    figure(
                            "formatted_percent",
                            "Storage capacity utilization (formatted, % of raw)",
                            FORMATTED_BYTES.percentOf(RAW_BYTES)),
                    Column.of(BLOCK_BYTES, "bytes", "Block of the file system"),
                    gigabytes("used_gb", "In use (GB)", USED_BYTES),
                    USED_PERCENT,
                    gigabytes("databases_gb", "Databases (GB)", DATABASE_BYTES),
                    figure(
                            "databases_percent",
                            "Database capacity utilization (databases, % of raw)",
                            DATABASE_BYTES.percentOf(RAW_BYTES)),
                    gigabytes("cache_gb", "Cache below (GB)", CACHE_BYTES),
                    TIMES_CACHE));

    private VolumeFigures() {}

    /** {@return the volumes of a phase with databases: a log is written in few places, however full its volume is} */
    public static List<Repeat> withDatabases(Repeat phase) {
        return phase.parts(VOLUMES).stream()
                .filter(volume -> !volume.texts(ROLES).equals(List.of("log")))
                .toList();
    }

    private static Column gigabytes(String key, String label, Counter counter) {
        return figure(key, label, counter.over(GIBIBYTE));
    }
}
