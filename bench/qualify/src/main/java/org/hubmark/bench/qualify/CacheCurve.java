package org.hubmark.bench.qualify;

import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.qualify.pages.Page;
import org.hubmark.bench.qualify.result.ProfileFigures;
import org.hubmark.bench.qualify.reuse.ReuseCurve;

import java.util.ArrayList;
import java.util.List;

/**
 * Finds out beside a load what caches of other sizes would take of its reads, and whether they hold the metadata.
 * Pages of all databases are in one sample, as they share one cache. Any thread notes pages; one begins and ends.
 */
final class CacheCurve {
    private static final int PAGE_BITS = 40;
    /** The sizes: from an eighth of the present one to 64 times it. */
    private static final int DOUBLINGS_MIN = -3;

    private static final int DOUBLINGS_MAX = 6;

    private final ReuseCurve all = new ReuseCurve();
    private final ReuseCurve metadata = new ReuseCurve();

    /** Begins to note what is read; nothing counts yet. */
    static CacheCurve begin(OpenDatabases databases) {
        CacheCurve curve = new CacheCurve();
        for (int number = 0; number < databases.all().size(); number++) {
            databases.all().get(number).follow(curve, number);
        }
        return curve;
    }

    void read(int database, long page, boolean isInner) {
        all.read((long) database << PAGE_BITS | page);
        if (isInner) {
            metadata.read((long) database << PAGE_BITS | page);
        }
    }

    void made(int database, long page, boolean isInner) {
        all.made((long) database << PAGE_BITS | page);
        if (isInner) {
            metadata.made((long) database << PAGE_BITS | page);
        }
    }

    /** What is read from now on counts. */
    void beginCounting() {
        List.of(all, metadata).forEach(ReuseCurve::beginCounting);
    }

    /** Takes down what was found in the time since it counts. The load may go on, and counts no more. */
    void result(long cacheBytes, long nanos, Repeat.Builder into) {
        List.of(all, metadata).forEach(ReuseCurve::endCounting);
        double metadataBytes = (double) metadata.pages() * Page.BYTES;
        List<Repeat> points = new ArrayList<>();
        for (int i = DOUBLINGS_MIN; i <= DOUBLINGS_MAX && all.reads() > 0; i++) {
            long size = Math.round(cacheBytes * Math.pow(2, i));
            double pages = (double) size / Page.BYTES;
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
