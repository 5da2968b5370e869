package org.hubmark.bench.qualify.result;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Column.Better;
import org.hubmark.bench.kit.document.Formula;
import org.hubmark.bench.kit.document.Formula.Counter;
import org.hubmark.bench.kit.document.Name;

/** Columns as this study has them: without a direction unless one is given, with at most three decimals. */
public final class Figures {
    static final double MEBIBYTE = 1 << 20;

    public static final Counter BYTES = new Counter("bytes");
    public static final Counter BLOCKS = new Counter("blocks");
    public static final Counter BAD_BLOCKS = new Counter("bad_blocks");

    /** Elapsed time of one of these operations. */
    public static final Counter ELAPSED_NS = new Counter("elapsed_ns");

    public static final Column ELAPSED_S =
            figure("elapsed_s", "Elapsed (sec)", seconds(ELAPSED_NS));

    public static final Column MB_PER_S = figure(
            "mb_per_s", "Transfer rate (MB/sec)", mebibytes(BYTES).over(seconds(ELAPSED_NS)));

    public static final Name FILE = Name.of("file", "File");

    private Figures() {}

    public static Column figure(String key, String label, Formula formula) {
        return figure(key, label, Better.NEITHER, formula);
    }

    public static Column figure(String key, String label, Better better, Formula formula) {
        return Column.of(key, "", label, 3, better, formula);
    }

    public static Column milliseconds(String key, String label, Formula formula) {
        return Column.of(key, "msec", label, 3, Better.NEITHER, formula);
    }

    /** {@return the rate of a count over the time of the collection} */
    public static Column perSecond(String key, String label, Formula count) {
        return figure(key, label, perSecond(count));
    }

    public static Formula perSecond(Formula count) {
        return count.over(seconds(InstanceFigures.COLLECTION_NS));
    }

    public static Formula seconds(Formula nanos) {
        return nanos.over(1e9);
    }

    public static Formula mebibytes(Formula bytes) {
        return bytes.over(MEBIBYTE);
    }
}
