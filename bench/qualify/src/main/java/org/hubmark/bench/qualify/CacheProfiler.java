package org.hubmark.bench.qualify;

import com.sun.management.OperatingSystemMXBean;

import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.qualify.result.IoCounter;
import org.hubmark.bench.qualify.result.IoCounts;
import org.hubmark.bench.qualify.result.ProfileFigures;
import org.hubmark.bench.qualify.reuse.ReuseProfile;
import org.hubmark.bench.qualify.reuse.ReuseSampler;
import org.hubmark.core.FileErrors;
import org.hubmark.core.Uninterrupted;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;

/**
 * Finds out beside a load what a cache of another size would have had. Blocks of all databases are in one
 * sample, as they share one cache. One thread, beside its own that follows the tables.
 */
final class CacheProfiler implements AutoCloseable {
    /**
     * Largest size of the databases: four million blocks, whose places take about 50 MB of memory.
     */
    static final long DATABASE_BYTES_MAX = 128L << 30;

    private final ReuseSampler sampler = new ReuseSampler();
    private final List<BlockReads> reads = new ArrayList<>();
    private final OpenDatabases databases;
    private final List<Long> sizes;
    /** For each change of the tables, and for the end. */
    private final Semaphore changes = new Semaphore(0);

    private final Thread follower =
            Thread.ofPlatform().daemon().name("cache-profile").unstarted(this::follow);
    private volatile boolean ended;
    private volatile @Nullable IOException failure;
    private BlockReads.Counts before = BlockReads.Counts.NONE;
    private long cpuNanosBefore;
    private long followerNanosBefore;
    private long writeBytes;
    private int looks;

    private CacheProfiler(OpenDatabases databases, List<Long> sizes) {
        this.databases = databases;
        this.sizes = List.copyOf(sizes);
    }

    /**
     * Begins to note what is read, and to follow the tables; nothing counts yet.
     *
     * @param sizes of caches that are of interest, beside those of the curve
     */
    static CacheProfiler begin(OpenDatabases databases, List<Long> sizes) throws IOException {
        CacheProfiler profiler = new CacheProfiler(databases, sizes);
        int number = 0;
        for (MailboxDatabase database : databases.all()) {
            // Before it looks at them first, so that no change is missed.
            database.operations().onTableChange(profiler.changes::release);
            profiler.reads.add(database.profile(number++, profiler.sampler));
        }
        profiler.follower.start();
        return profiler;
    }

    private void follow() {
        try {
            while (true) {
                changes.acquire();
                changes.drainPermits();
                // Only now, since the end's permit may be among those just taken.
                if (ended) {
                    return;
                }
                for (BlockReads blocks : reads) {
                    blocks.refresh();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            failure = e;
        }
    }

    /** What is read from now on counts. */
    void beginCounting() {
        sampler.beginCounting();
        before = counts();
        cpuNanosBefore = processCpuNanos();
        followerNanosBefore = followerCpuNanos();
        writeBytes = 0;
        looks = 0;
    }

    /** Looks what of the cache is not for blocks. Called now and then while it counts. */
    void look() {
        writeBytes += databases.cache().writeBytes();
        looks++;
    }

    private BlockReads.Counts counts() {
        return reads.stream()
                .map(BlockReads::counts)
                .reduce(BlockReads.Counts.NONE, BlockReads.Counts::plus);
    }

    private static long processCpuNanos() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    }

    private long followerCpuNanos() {
        return Math.max(
                0, ManagementFactory.getThreadMXBean().getThreadCpuTime(follower.threadId()));
    }

    /** {@return why there is no profile, or null when there is one} */
    @Nullable
    String failure() {
        IOException its = failure;
        return its == null ? null : FileErrors.text(its);
    }

    /**
     * Takes down what was found since it counts; nothing when nothing was read.
     *
     * @param all what was counted of the databases meanwhile
     * @param nanos since then
     */
    void result(IoCounts all, long nanos, Repeat.Builder into) throws IOException {
        ReuseProfile profile = sampler.profile();
        if (profile == null || failure != null) {
            return;
        }
        BlockReads.Counts counted = counts().since(before);
        BlockReads.Sizes tables = new BlockReads.Sizes(0, 0);
        for (BlockReads blocks : reads) {
            tables = tables.plus(blocks.sizes());
        }
        Repeat seen = Repeat.counted()
                .count(ProfileFigures.CACHE_BYTES, databases.cache().bytesMax())
                .count(ProfileFigures.WRITE_BYTES, looks == 0 ? 0 : writeBytes / looks)
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
                        counted.costNanos() + followerCpuNanos() - followerNanosBefore)
                .made();
        CacheMode mode = databases.cache().mode();
        into.name(ProfileFigures.MODE, mode.toString());
        ProfileFigures.take(profile, seen, mode == CacheMode.ALL, sizes, into);
    }

    @Override
    public void close() {
        ended = true;
        changes.release();
        reads.forEach(BlockReads::close);
        databases.all().forEach(database -> database.operations().onTableChange(() -> {}));
        Uninterrupted.join(follower);
    }
}
