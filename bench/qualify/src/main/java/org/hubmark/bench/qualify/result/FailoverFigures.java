package org.hubmark.bench.qualify.result;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Column.Better;
import org.hubmark.bench.kit.document.Formula;
import org.hubmark.bench.kit.document.Formula.Counter;

import java.util.List;

/** The transient when the load of a failed server arrives, and what was before it. */
public final class FailoverFigures {
    /** What the databases did that had their load before another server failed, until then. */
    public static final Counter BEFORE_NS = new Counter("before_ns");

    public static final Counter BEFORE_READS = new Counter("before_reads");
    public static final Counter BEFORE_READ_NS = new Counter("before_read_ns");
    public static final Counter BEFORE_WRITES = new Counter("before_writes");

    /** By how much transactions were late after the failure, at most and at the end. */
    public static final Counter BEHIND_MOST_NS = new Counter("behind_most_ns");

    public static final Counter BEHIND_END_NS = new Counter("behind_end_ns");

    /** From the failure until they were late by more than {@link #BEHIND_NANOS_MAX} for the last time. */
    public static final Counter BEHIND_UNTIL_NS = new Counter("behind_until_ns");

    /** Lateness that is none: the rates are set, and lateness is looked at, once a second. */
    public static final long BEHIND_NANOS_MAX = 1_000_000_000;

    /** The transient when the load of a failed server arrives. */
    public static final List<Column> FAILOVER = List.of(
            figure(
                    "failover.before_iops",
                    "Database I/O per second before the failure",
                    Better.NEITHER,
                    BEFORE_READS.plus(BEFORE_WRITES).over(BEFORE_NS.over(1e9))),
            figure(
                    "failover.before_db_read_latency_ms",
                    "Database reads before the failure, average (msec)",
                    Better.NEITHER,
                    BEFORE_READ_NS.over(Formula.NANOS_PER_MILLI).over(BEFORE_READS)),
            figure(
                    "failover.behind_most_s",
                    "Transactions late after the failure, at most (sec)",
                    Better.LESS,
                    BEHIND_MOST_NS.over(1e9)),
            figure(
                    "failover.behind_until_s",
                    "Transactions late by more than 1 s until (sec after the failure)",
                    Better.LESS,
                    BEHIND_UNTIL_NS.over(1e9)),
            figure(
                    "failover.behind_end_s",
                    "Transactions late at the end (sec)",
                    Better.LESS,
                    BEHIND_END_NS.over(1e9)));

    private FailoverFigures() {}

    private static Column figure(String key, String label, Better better, Formula formula) {
        return Column.of(key, "", label, 3, better, formula);
    }
}
