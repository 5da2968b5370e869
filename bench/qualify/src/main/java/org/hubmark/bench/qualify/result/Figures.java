package org.hubmark.bench.qualify.result;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Column.Better;
import org.hubmark.bench.kit.document.Formula;

/** Columns as this study has them: without a direction unless one is given, with at most three decimals. */
final class Figures {
    static final double MEBIBYTE = 1 << 20;

    private Figures() {}

    static Column figure(String key, String label, Formula formula) {
        return figure(key, label, Better.NEITHER, formula);
    }

    static Column figure(String key, String label, Better better, Formula formula) {
        return Column.of(key, "", label, 3, better, formula);
    }

    static Column milliseconds(String key, String label, Formula formula) {
        return Column.of(key, "msec", label, 3, Better.NEITHER, formula);
    }

    /** {@return the rate of a count over the time of the collection} */
    static Column perSecond(String key, String label, Formula count) {
        return figure(key, label, perSecond(count));
    }

    static Formula perSecond(Formula count) {
        return count.over(seconds(InstanceFigures.COLLECTION_NS));
    }

    static Formula seconds(Formula nanos) {
        return nanos.over(1e9);
    }

    static Formula mebibytes(Formula bytes) {
        return bytes.over(MEBIBYTE);
    }
}
