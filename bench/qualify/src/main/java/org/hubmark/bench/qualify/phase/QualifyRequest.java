package org.hubmark.bench.qualify.phase;

import org.hubmark.bench.kit.document.Name;
import org.hubmark.bench.qualify.pages.CacheMode;
import org.hubmark.bench.qualify.pages.PageCache;
import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What is to be qualified, and how.
 *
 * @param limits of the figures of an instance, milliseconds, by their names in the file
 */
public record QualifyRequest(
        Databases databases, Caches caches, Load load, Test test, Map<Name, Double> limits) {
    /**
     * The databases, dealt out over the volumes in turn.
     *
     * @param bytes of each
     * @param keep whether they stay
     */
    public record Databases(
            List<Path> volumes, List<Path> logVolumes, int count, long bytes, boolean keep) {
        /** {@return the volumes of databases and logs} */
        public List<Path> allVolumes() {
            return Stream.concat(volumes.stream(), logVolumes.stream()).toList();
        }
    }

    /**
     * The cache that all databases share.
     *
     * @param modes one; or several, which are compared in place of the phases
     * @param bytesMin what it has for blocks at least
     * @param bytesMax how large it is, with what is to be written
     */
    public record Caches(List<CacheMode> modes, long bytesMin, long bytesMax) {
        /** {@return an empty one; of several modes it has the first} */
        PageCache cache() {
            return new PageCache(modes.getFirst(), bytesMin, bytesMax);
        }

        /** {@return whether several are compared} */
        public boolean compares() {
            return modes.size() > 1;
        }
    }

    /**
     * The transactions.
     *
     * @param targetIops database reads and writes a second, of all databases together
     * @param threads for each database; null to find out
     * @param lazyShare of the commits that are not synced, 0 to 1
     * @param copies of each database, of which all but one read its log
     * @param openLoop whether the clock begins transactions, for the target; else as fast as it goes
     */
    public record Load(
            double targetIops,
            @Nullable Integer threads,
            TransactionMix mix,
            double lazyShare,
            int copies,
            boolean maintenance,
            boolean openLoop,
            long seed) {
        /** {@return the same with another number of threads, and another seed} */
        Load with(@Nullable Integer otherThreads, long otherSeed) {
            return new Load(
                    targetIops,
                    otherThreads,
                    mix,
                    lazyShare,
                    copies,
                    maintenance,
                    openLoop,
                    otherSeed);
        }
    }

    /**
     * What is done with them.
     *
     * @param phases those that run, in their order, and how long those with transactions are measured
     * @param comparison how long each cache is measured where several are compared
     * @param recoveryLogBytes that the log of each database has at its crash
     */
    public record Test(Map<Phase, Duration> phases, Duration comparison, long recoveryLogBytes) {}

    /** {@return the same with one cache, for a block of a comparison} */
    public QualifyRequest block(CacheMode mode, @Nullable Integer threads, long seed) {
        return new QualifyRequest(
                databases,
                new Caches(List.of(mode), caches.bytesMin, caches.bytesMax),
                load.with(threads, seed),
                test,
                limits);
    }
}
