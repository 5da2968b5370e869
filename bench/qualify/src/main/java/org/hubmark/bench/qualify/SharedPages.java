package org.hubmark.bench.qualify;

import com.sun.management.HotSpotDiagnosticMXBean;

import org.hubmark.bench.qualify.pages.PageCache;
import org.hubmark.core.ByteSize;
import org.hubmark.core.UserError;

import java.io.IOException;
import java.lang.management.ManagementFactory;

/** The cache of all databases on pages. It has its least size from the beginning. */
final class SharedPages implements SharedCache {
    /** What else is read and written there. */
    private static final long BESIDE_BYTES = 128 << 20;

    private final CacheMode mode;
    private final boolean keepsLogs;
    private final PageCache pages;

    SharedPages(CacheMode mode, long bytesMin, long bytesMax, boolean keepsLogs) {
        this.mode = mode;
        this.keepsLogs = keepsLogs;
        requireMemory(bytesMax);
        this.pages = new PageCache(bytesMin, bytesMax, keeping(mode));
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

    @Override
    public MailboxDatabase open(DatabasePlace place, long bytes, FileOperations operations)
            throws IOException {
        return PageDatabase.open(place, pages, bytes, keepsLogs, operations);
    }

    @Override
    public CacheMode mode() {
        return mode;
    }

    @Override
    public long usedBytes() {
        return pages.usedBytes();
    }

    @Override
    public long writeBytes() {
        return 0;
    }

    @Override
    public long bytesMax() {
        return pages.bytesMax();
    }

    @Override
    public void close() {
        pages.close();
    }
}
