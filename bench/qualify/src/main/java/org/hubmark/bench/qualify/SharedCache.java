package org.hubmark.bench.qualify;

import com.sun.management.HotSpotDiagnosticMXBean;

import org.hubmark.bench.qualify.pages.PageCache;
import org.hubmark.core.ByteSize;
import org.hubmark.core.UserError;

import java.io.IOException;
import java.lang.management.ManagementFactory;

/**
 * The cache of all databases, as Jetstress has one for all, and the way to open them. It has its least size from
 * the beginning. One thread makes and closes it, after the databases.
 */
final class SharedCache implements AutoCloseable {
    /** Part of the cache that the source wants full before anything counts. */
    static final double WARM_SHARE = 0.9;

    /** What else is read and written there. */
    private static final long BESIDE_BYTES = 128 << 20;

    private final CacheMode mode;
    private final boolean keepsLogs;
    private final PageCache pages;

    SharedCache(CacheMode mode, long bytesMin, long bytesMax, boolean keepsLogs) {
        this.mode = mode;
        this.keepsLogs = keepsLogs;
        requireMemory(bytesMax);
        this.pages = new PageCache(bytesMin, bytesMax, keeping(mode));
    }

    /** {@return the cache that was asked for} */
    static SharedCache of(QualifyRequest request) {
        QualifyRequest.Caches caches = request.caches();
        return new SharedCache(caches.mode(), caches.bytesMin(), caches.bytesMax(), false);
    }

    /** {@return one for databases whose logs are to be kept} */
    static SharedCache keepingLogs() {
        long bytes = 64 << 20;
        return new SharedCache(CacheMode.ALL, bytes, 4 * bytes, true);
    }

    /** The pages are in memory of the JVM's that is not in its heap. */
    private static void requireMemory(long bytes) {
        String set = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                .getVMOption("MaxDirectMemorySize")
                .getValue();
        long most = set.equals("0") ? Runtime.getRuntime().maxMemory() : Long.parseLong(set);
        if (bytes + BESIDE_BYTES > most) {
            throw UserError.failed("--cache-max " + ByteSize.format(bytes) + " is more than the"
                    + " JVM may have beside its heap, " + (most >> 20) + "MiB: set"
                    + " HUBMARK_JAVA_OPTS=-XX:MaxDirectMemorySize="
                    + ((bytes + BESIDE_BYTES) >> 20) + "m");
        }
    }

    private static PageCache.Keeping keeping(CacheMode mode) {
        return switch (mode) {
            case ALL -> PageCache.Keeping.ALL;
            case METADATA -> PageCache.Keeping.METADATA;
            case OFF -> PageCache.Keeping.NOTHING;
        };
    }

    /**
     * Opens the database of a place, or makes an empty one.
     *
     * @param bytes that a new one is going to have, about
     * @param operations counts what is done to its files
     */
    MailboxDatabase open(DatabasePlace place, long bytes, FileOperations operations)
            throws IOException {
        return MailboxDatabase.open(place, pages, bytes, keepsLogs, operations);
    }

    CacheMode mode() {
        return mode;
    }

    /** {@return octets in it} */
    long usedBytes() {
        return pages.usedBytes();
    }

    long bytesMax() {
        return pages.bytesMax();
    }

    /**
     * {@return how much it has to hold before anything counts}
     *
     * @param databaseBytes of all databases together, which may be less than there is room for
     */
    long warmBytes(long databaseBytes) {
        return mode == CacheMode.ALL
                ? (long) (WARM_SHARE * Math.min(bytesMax(), databaseBytes))
                : 0;
    }

    @Override
    public void close() {
        pages.close();
    }
}
