package org.hubmark.bench.qualify;

import com.sun.management.OperatingSystemMXBean;

import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.qualify.result.IoCounter;
import org.hubmark.bench.qualify.result.IoCounts;
import org.hubmark.bench.qualify.result.ProfileFigures;
import org.hubmark.bench.qualify.reuse.ReuseProfile;
import org.hubmark.bench.qualify.reuse.ReuseSampler;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds out beside a load what a cache of another size would have had. Blocks of all databases are in one
 * sample, as they share one cache. One thread.
 */
final class CacheProfiler implements AutoCloseable {
    /**
     * Largest size of the databases: four million blocks, whose places take about 50 MB of memory.
     */
    static final long DATABASE_BYTES_MAX = 128L << 30;

    private final ReuseSampler sampler = new ReuseSampler();
    private final List<PageReads> reads = new ArrayList<>();
    private final OpenDatabases databases;
    private final List<Long> sizes;
    private PageReads.Counts before = PageReads.Counts.NONE;
    private long cpuNanosBefore;

    private CacheProfiler(OpenDatabases databases, List<Long> sizes) {
        this.databases = databases;
        this.sizes = List.copyOf(sizes);
    }

    /**
     * Begins to note what is read; nothing counts yet.
     *
     * @param sizes of caches that are of interest, beside those of the curve
     */
    static CacheProfiler begin(OpenDatabases databases, List<Long> sizes) {
        CacheProfiler profiler = new CacheProfiler(databases, sizes);
        int number = 0;
        for (MailboxDatabase database : databases.all()) {
            profiler.reads.add(database.profile(number++, profiler.sampler));
        }
        return profiler;
    }

    /** What is read from now on counts. */
    void beginCounting() {
        sampler.beginCounting();
        before = counts();
        cpuNanosBefore = processCpuNanos();
    }

    private PageReads.Counts counts() {
        return reads.stream()
                .map(PageReads::counts)
                .reduce(PageReads.Counts.NONE, PageReads.Counts::plus);
    }

    private static long processCpuNanos() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    }

    /**
     * Takes down what was found since it counts; nothing when nothing was read.
     *
     * @param all what was counted of the databases meanwhile
     * @param nanos since then
     */
    void result(IoCounts all, long nanos, Repeat.Builder into) throws IOException {
        ReuseProfile profile = sampler.profile();
        if (profile == null) {
            return;
        }
        PageReads.Counts counted = counts().since(before);
        PageReads.Sizes tables = new PageReads.Sizes(0, 0);
        for (PageReads blocks : reads) {
            tables = tables.plus(blocks.sizes());
        }
        Repeat seen = Repeat.counted()
                .count(ProfileFigures.CACHE_BYTES, databases.cache().bytesMax())
                .count(ProfileFigures.WRITE_BYTES, 0)
                .count(ProfileFigures.METADATA_BYTES, tables.metadata())
                .count(ProfileFigures.DATA_BYTES, tables.data())
                .count(ProfileFigures.CACHED_READS, counted.cached())
                .count(ProfileFigures.STORED_READS, counted.stored())
                .count(ProfileFigures.UNKNOWN_READS, counted.unknown())
                .count(ProfileFigures.STORAGE_READS, all.get(IoCounter.DB_READS))
                .count(ProfileFigures.STORAGE_READ_NS, all.get(IoCounter.DB_READ_NS))
                .count(ProfileFigures.PROFILE_NS, nanos)
                .count(ProfileFigures.PROCESS_CPU_NS, processCpuNanos() - cpuNanosBefore)
                .count(
                        ProfileFigures.PROFILE_CPU_NS,
                        counted.costNanos())
                .made();
        CacheMode mode = databases.cache().mode();
        into.name(ProfileFigures.MODE, mode.toString());
        ProfileFigures.take(profile, seen, mode == CacheMode.ALL, sizes, into);
    }

    @Override
    public void close() {
        reads.forEach(PageReads::close);
    }
}
