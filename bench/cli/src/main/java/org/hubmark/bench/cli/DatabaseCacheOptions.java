package org.hubmark.bench.cli;

import org.hubmark.bench.qualify.CacheMode;
import org.hubmark.bench.qualify.QualifyRequest;
import org.hubmark.bench.qualify.pages.PageCache;
import org.hubmark.core.ByteSize;
import org.hubmark.core.UserError;
import org.hubmark.server.Converters;

import picocli.CommandLine.Option;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The cache that all databases of a qualification share, or several that are compared. */
final class DatabaseCacheOptions {
    static final long BYTES_MIN = 1 << 20;

    @Option(
            names = "--cache-min",
            paramLabel = "SIZE",
            defaultValue = "64MB",
            converter = Converters.Size.class,
            description = "Smallest size of the cache of all databases, which it has from the"
                    + " beginning. Default: ${DEFAULT-VALUE}.")
    private long cacheMin;

    @Option(
            names = "--cache-max",
            paramLabel = "SIZE",
            split = ",",
            defaultValue = "256MB",
            converter = Converters.Size.class,
            description = "Size of the cache of all databases, unwritten data included. Several,"
                    + " such as 256MB,64MB,1GB, are compared in place of the phases: each by the"
                    + " same load in five rounds, with the prediction from the first."
                    + " Default: ${DEFAULT-VALUE}.")
    List<Long> cacheMax;

    @Option(
            names = "--cache-mode",
            paramLabel = "all|metadata|off",
            split = ",",
            defaultValue = "all",
            description = "Pages that the cache holds: all, inner pages only (metadata), or none"
                    + " (off). Several, such as off,metadata,all, are compared in place of the phases: each with the first, by the same load in five"
                    + " rounds. Default: ${DEFAULT-VALUE}.")
    private List<CacheMode> cacheModes;

    @Option(
            names = "--cache-profile",
            paramLabel = "on|off",
            defaultValue = "on",
            description = "Prediction of the hit rates of caches of other sizes, made during the"
                    + " load. Default: ${DEFAULT-VALUE}.")
    private CommonOptions.Switch cacheProfile;

    /** {@return whether several are compared, in place of the phases} */
    boolean areCompared() {
        return cacheModes.size() > 1 || cacheMax.size() > 1;
    }

    /** {@return the caches, checked} */
    QualifyRequest.Caches read() {
        checkSizes();
        if (EnumSet.copyOf(cacheModes).size() < cacheModes.size()) {
            throw UserError.usage("--cache-mode names a mode twice");
        }
        if (cacheMax.size() > 1 && cacheModes.size() > 1) {
            throw UserError.usage("several of --cache-max and several of --cache-mode exclude each"
                    + " other: compare modes of one size, or sizes with one mode");
        }
        if (cacheMax.size() > 1 && cacheModes.getFirst() != CacheMode.ALL) {
            throw UserError.usage("several of --cache-max go with --cache-mode all, since another"
                    + " mode keeps no data");
        }
        return new QualifyRequest.Caches(
                cacheModes,
                cacheMin,
                cacheMax.getFirst(),
                cacheMax.size() > 1 ? cacheMax : List.of(),
                cacheProfile == CommonOptions.Switch.ON);
    }

    private void checkSizes() {
        for (long size : cacheMax) {
            if (size < PageCache.BYTES_MIN) {
                throw UserError.usage("--cache-max " + ByteSize.format(size) + ": "
                        + ByteSize.format(PageCache.BYTES_MIN) + " or more");
            }
            if (cacheMin < BYTES_MIN || size <= cacheMin) {
                throw UserError.usage("--cache-min " + ByteSize.format(cacheMin) + ", --cache-max "
                        + ByteSize.format(size) + ": --cache-min is 1MiB or more, and"
                        + " --cache-max is larger");
            }
        }
        if (Set.copyOf(cacheMax).size() < cacheMax.size()) {
            throw UserError.usage("--cache-max names a size twice");
        }
    }
}
