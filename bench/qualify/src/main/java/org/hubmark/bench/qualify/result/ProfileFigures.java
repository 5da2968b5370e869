package org.hubmark.bench.qualify.result;

import static org.hubmark.bench.qualify.result.Figures.figure;
import static org.hubmark.bench.qualify.result.Figures.seconds;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Column.Better;
import org.hubmark.bench.kit.document.Form;
import org.hubmark.bench.kit.document.Formula;
import org.hubmark.bench.kit.document.Formula.Counter;
import org.hubmark.bench.kit.document.Name;

import java.util.List;

/**
 * What caches of other sizes would take of the reads of a load, under {@code cache_profile} of a phase: TR-3766 asks
 * in its third step whether a cache holds the metadata.
 */
public final class ProfileFigures {
    private static final String WITHIN = "cache_profile.";

    public static final Counter SIZE_BYTES = new Counter("size_bytes");

    /** Inner pages that were read, each once. */
    public static final Counter METADATA_BYTES = new Counter("metadata_bytes");

    /** Reads of pages by transactions, whether the present cache had them or not. */
    public static final Counter PAGE_READS = new Counter("page_reads");

    /** What a cache of all pages takes of them, and one of inner pages alone. */
    public static final Counter HITS = new Counter("page_hits");

    public static final Counter METADATA_HITS = new Counter("metadata_hits");

    /** While it was counted. */
    public static final Counter PROFILE_NS = new Counter("profile_ns");

    public static final Name SIZE = Name.of("cache_bytes", "Cache (bytes)");

    /** The curve. */
    public static final Form POINTS = Form.part(
            WITHIN + "points",
            List.of(SIZE),
            List.of(
                    figure(
                            "metadata_held_percent",
                            "Metadata that it holds (%)",
                            SIZE_BYTES.percentOf(METADATA_BYTES).atMost(Formula.PERCENT)),
                    figure("hit_ratio", "Share of reads that it takes", HITS.over(PAGE_READS)),
                    figure(
                            "metadata_hit_ratio",
                            "The same, if it keeps metadata alone",
                            METADATA_HITS.over(PAGE_READS)),
                    figure(
                            "storage_reads_per_s",
                            "Reads of the storage/sec that are left",
                            PAGE_READS.minus(HITS).over(seconds(PROFILE_NS)))));

    /** What a phase says of it. */
    public static final List<Column> COLUMNS = List.of(Column.of(
            WITHIN + METADATA_BYTES.key(),
            "bytes",
            "Metadata: inner pages that were read, each once",
            0,
            Better.NEITHER,
            METADATA_BYTES));

    private ProfileFigures() {}
}
