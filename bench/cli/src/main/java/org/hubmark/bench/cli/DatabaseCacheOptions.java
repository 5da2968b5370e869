package org.hubmark.bench.cli;

import org.hubmark.bench.qualify.pages.CacheMode;
import org.hubmark.bench.qualify.pages.PageCache;
import org.hubmark.bench.qualify.phase.QualifyRequest;
import org.hubmark.core.ByteSize;
import org.hubmark.core.UserError;
import org.hubmark.server.Converters;

import picocli.CommandLine.Option;

import java.util.EnumSet;
import java.util.List;

/** The cache that all databases of a qualification share, or several that are compared. */
final class DatabaseCacheOptions {
    static final long BYTES_MIN = 1 << 20;

    @Option(
            names = "--cache-min",
            defaultValue = "64MB",
            converter = Converters.Size.class,
            description = "Size of the cache at the beginning.")
    private long cacheMin;

    @Option(
            names = "--cache-max",
            defaultValue = "256MB",
            converter = Converters.Size.class,
            description = "Size of the cache of all databases.")
    long cacheMax;

    @Option(
            names = "--cache-mode",
            split = ",",
            defaultValue = "all",
            description = "Cached pages; several are compared.")
    private List<CacheMode> cacheModes;

    /** {@return whether several are compared, in place of the phases} */
    boolean areCompared() {
        return cacheModes.size() > 1;
    }

    /** {@return the caches, checked} */
    QualifyRequest.Caches read() {
        if (cacheMax < PageCache.BYTES_MIN) {
            throw UserError.usage("--cache-max " + ByteSize.format(cacheMax) + ": "
                    + ByteSize.format(PageCache.BYTES_MIN) + " or more");
        }
        if (cacheMin < BYTES_MIN || cacheMax <= cacheMin) {
            throw UserError.usage("--cache-min " + ByteSize.format(cacheMin) + ", --cache-max "
                    + ByteSize.format(cacheMax) + ": --cache-min is 1MiB or more, and"
                    + " --cache-max is larger");
        }
        if (EnumSet.copyOf(cacheModes).size() < cacheModes.size()) {
            throw UserError.usage("--cache-mode names a mode twice");
        }
        return new QualifyRequest.Caches(cacheModes, cacheMin, cacheMax);
    }
}
