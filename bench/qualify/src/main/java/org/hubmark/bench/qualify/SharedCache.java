package org.hubmark.bench.qualify;

import java.io.IOException;

/**
 * The cache of all databases, as Jetstress has one for all, and the way to open them. One thread makes and
 * closes it, after the databases.
 */
interface SharedCache extends AutoCloseable {
    /** What the source asks for before anything counts. */
    double WARM_SHARE = 0.9;

    /** {@return the cache that was asked for} */
    static SharedCache of(QualifyRequest request) {
        QualifyRequest.Caches caches = request.caches();
        return switch (request.databases().engine()) {
            case PAGES ->
                new SharedPages(caches.mode(), caches.bytesMin(), caches.bytesMax(), false);
            case LSM ->
                new LsmCache(
                        caches.mode(),
                        caches.bytesMin(),
                        caches.bytesMax(),
                        request.databases().count(),
                        null);
        };
    }

    /**
     * {@return one for databases whose logs are to be kept}
     *
     * @param logBytes of each
     */
    static SharedCache keepingLogs(Engine engine, int databases, long logBytes) {
        long bytes = 64 << 20;
        return switch (engine) {
            case PAGES -> new SharedPages(CacheMode.ALL, bytes, 4 * bytes, true);
            // Room for all that is in the logs, so that nothing is flushed.
            case LSM ->
                new LsmCache(
                        CacheMode.ALL,
                        bytes,
                        bytes + 4 * logBytes * databases,
                        databases,
                        2 * logBytes);
        };
    }

    /**
     * Opens the database of a place, or makes an empty one.
     *
     * @param bytes that a new one is going to have, about
     * @param operations counts what is done to its files
     */
    MailboxDatabase open(DatabasePlace place, long bytes, FileOperations operations)
            throws IOException;

    CacheMode mode();

    /** {@return octets in it} */
    long usedBytes();

    /** {@return octets of what is to be written, and of what is being read, that are no blocks in the cache} */
    long writeBytes();

    long bytesMax();

    /**
     * {@return how much it has to hold before anything counts}
     *
     * @param databaseBytes of all databases together, which may be less than there is room for
     */
    default long warmBytes(long databaseBytes) {
        return mode() == CacheMode.ALL
                ? (long) (WARM_SHARE * Math.min(bytesMax(), databaseBytes))
                : 0;
    }

    @Override
    void close();
}
