package org.hubmark.bench.qualify.phase;

import static org.hubmark.bench.qualify.phase.PhaseFigures.ofSums;
import static org.hubmark.bench.qualify.result.Figures.figure;
import static org.hubmark.bench.qualify.result.Figures.perSecond;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Column.Better;
import org.hubmark.bench.kit.document.Estimate;
import org.hubmark.bench.kit.document.Form;
import org.hubmark.bench.kit.document.Formula;
import org.hubmark.bench.kit.document.Formula.Counter;
import org.hubmark.bench.kit.document.Name;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.statistics.Ratio;
import org.hubmark.bench.qualify.result.IoCounter;

import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Cache modes beside each other. They were tried in rounds, each once in each, so that
 * what changes with time is in all of them. The rows are the seven of NetApp TR-3766, and three of ours. In
 * the source the cache is in the storage, behind where reads are counted; here it is before them. So a read
 * is here what a transaction asks for, whether the cache has it or the storage.
 */
public final class CacheFigures {
    private static final String ROWS = "rows.";

    /** A mode. */
    public static final Name CACHE = Name.of("cache", "Cache");

    public static final Name ROUND = Name.note("round", "Round");

    /** Reads of cache and storage. */
    private static final Formula READS =
            count(IoCounter.DB_READS).plus(count(IoCounter.CACHE_HITS));

    private static final Formula WRITES = count(IoCounter.DB_WRITES);
    private static final Formula TRANSACTIONS = count(IoCounter.TRANSACTIONS);

    public static final Column IOPS = rate("db_iops", "Achieved database IOPS", READS.plus(WRITES));

    /** The rows of the source. */
    public static final List<Column> PUBLISHED = List.of(
            IOPS,
            rate("db_reads_per_s", "Average database reads/sec", READS),
            rate("db_writes_per_s", "Average database writes/sec", WRITES),
            less(
                    "avg_db_read_latency_ms",
                    "Avg. database read latency (ms)",
                    millis(IoCounter.DB_READ_NS, READS)),
            less(
                    "avg_db_write_latency_ms",
                    "Avg. database write latency (ms)",
                    millis(IoCounter.DB_WRITE_NS, WRITES)),
            rate("log_writes_per_s", "Avg. log writes/sec", count(IoCounter.LOG_WRITES)),
            less(
                    "avg_log_write_latency_ms",
                    "Avg. log write latency (ms)",
                    millis(IoCounter.LOG_WRITE_NS, count(IoCounter.LOG_WRITES))));

    public static final Column RATE = rate("transactions_per_s", "Transactions/sec", TRANSACTIONS);

    /** What the storage is left with, of each transaction. */
    public static final Column STORAGE_READS = less(
            "storage_reads_per_transaction",
            "Storage reads per transaction",
            count(IoCounter.DB_READS).over(TRANSACTIONS));

    public static final Column CACHE_HITS = Column.of(
            ROWS + "cache_hit_percent",
            "",
            "Reads that the cache had (%)",
            1,
            Better.MORE,
            ofSums(count(IoCounter.CACHE_HITS).percentOf(READS)));

    /** All that caches are compared by. */
    public static final List<Column> COMPARED = Stream.concat(
                    PUBLISHED.stream(), Stream.of(RATE, STORAGE_READS, CACHE_HITS))
            .toList();

    /** How each is against that of the first cache, in the order of the compared. */
    public static final List<Column> AGAINST_FIRST =
            COMPARED.stream().map(CacheFigures::againstFirst).toList();

    /** All caches. */
    public static final Form CACHES = new Form(
            "caches",
            "Caches",
            "The same load was run on the same databases with each cache in turn, in rounds that each"
                    + " begin with another one. A read is what a transaction asks for, whether the cache"
                    + " has it or the storage. A ratio above 1 is more than with the first cache.",
            List.of(CACHE),
            List.of(
                    new Form.Group("Caches", COMPARED),
                    new Form.Group(
                            "Against the first cache: geometric means of the ratios of the rounds of the"
                                    + " same number",
                            AGAINST_FIRST),
                    // Each has all that a performance phase has, too.
                    new Form.Group("", PhaseFigures.PHASES.columns())),
            Estimate.Rule.GEOMETRIC_MEAN,
            "rounds",
            Stream.concat(Stream.of(ROUND), PhaseFigures.OF_REPEATS.stream()).toList(),
            PhaseFigures.PARTS,
            List.of(),
            null);

    private CacheFigures() {}

    private static Counter count(IoCounter counter) {
        return counter.counter();
    }

    private static Column rate(String key, String label, Formula count) {
        return figure(ROWS + key, label, Better.MORE, perSecond(ofSums(count)));
    }

    private static Column less(String key, String label, Formula formula) {
        return figure(ROWS + key, label, Better.LESS, ofSums(formula));
    }

    private static Formula millis(IoCounter nanos, Formula operations) {
        return count(nanos).over(Formula.NANOS_PER_MILLI).over(operations);
    }

    private static Column againstFirst(Column of) {
        return new Column(
                of.key() + "_ratio",
                "",
                of.label(),
                3,
                Better.NEITHER,
                new Column.Definition.Own(
                        of,
                        of.label() + " / " + of.label() + " of the first cache in the same repeat",
                        (caches, cache) -> inPairs(caches.rows().getFirst(), cache, of)));
    }

    /**
     * The geometric mean of the ratios of rounds of the same number, which belong together, with Student's
     * interval of it. It is the ratio of the geometric means of both, where each round has them.
     */
    static Estimate inPairs(Row first, Row cache, Column of) {
        double[] from = first.values(of);
        double[] to = cache.values(of);
        double[] ratios = IntStream.range(0, Math.min(from.length, to.length))
                .filter(i -> from[i] > 0 && to[i] > 0)
                .mapToDouble(i -> to[i] / from[i])
                .toArray();
        if (ratios.length == 0 || first.equals(cache)) {
            return new Estimate(Double.NaN, null);
        }
        Ratio ratio = Ratio.ofPairs(ratios);
        return new Estimate(
                ratio.value(),
                ratio.usableInterval(),
                DoubleStream.of(ratios).boxed().toList());
    }
}
