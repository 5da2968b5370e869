package org.hubmark.bench.qualify.reuse;

import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.qualify.result.ProfileFigures;

import java.util.ArrayList;
import java.util.List;

/**
 * Finds out beside a load what caches of other sizes would take of its reads, and whether they hold the metadata.
 * Pages of all databases are in one sample, as they share one cache. Any thread notes pages; one begins and ends.
 */
public final class CacheCurve {
    private static final int PAGE_BITS = 40;
    /** The sizes: from an eighth of the present one to 64 times it. */
    private static final int DOUBLINGS_MIN = -3;

    private static final int DOUBLINGS_MAX = 6;

    private final ReuseCurve all = new ReuseCurve();
    private final ReuseCurve metadata = new ReuseCurve();

    private final int pageBytes;

    /** One of pages of that length, that notes what is read; nothing counts yet. */
    public CacheCurve(int pageBytes) {
        this.pageBytes = pageBytes;
    }

    /** Takes down that a transaction has used a page of a database, or has made it. */
    public void used(int database, long page, boolean isInner, boolean isMade) {
        long id = (long) database << PAGE_BITS | page;
        all.use(id, !isMade);
        if (isInner) {
            metadata.use(id, !isMade);
        }
    }

    /** What is read from now on counts. */
    public void beginCounting() {
        List.of(all, metadata).forEach(ReuseCurve::beginCounting);
    }

    /** Takes down what was found in the time since it counts. The load may go on, and counts no more. */
    public void result(long cacheBytes, long nanos, Repeat.Builder into) {
        List.of(all, metadata).forEach(ReuseCurve::endCounting);
        double metadataBytes = (double) metadata.pages() * pageBytes;
        List<Repeat> points = new ArrayList<>();
        for (int i = DOUBLINGS_MIN; i <= DOUBLINGS_MAX && all.reads() > 0; i++) {
            long size = Math.round(cacheBytes * Math.pow(2, i));
            double pages = (double) size / pageBytes;
            points.add(Repeat.counted()
                    .name(ProfileFigures.SIZE, size)
                    .count(ProfileFigures.SIZE_BYTES, size)
                    .count(ProfileFigures.METADATA_BYTES, metadataBytes)
                    .count(ProfileFigures.PAGE_READS, all.reads())
                    .count(ProfileFigures.HITS, all.hits(pages))
                    .count(ProfileFigures.METADATA_HITS, metadata.hits(pages))
                    .count(ProfileFigures.PROFILE_NS, nanos)
                    .made());
        }
        into.count(ProfileFigures.METADATA_BYTES, metadataBytes)
                .parts(ProfileFigures.POINTS, points);
    }
}
