package org.hubmark.bench.qualify.result;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Proves each rule by itself: instances that keep all rules pass, and break one rule of one of them,
 * drawn at random, and exactly that is said. A limit is kept by what equals it.
 */
class JudgementTest {
    private static final Thresholds LIMITS = new Thresholds(20, 100, 10, 100);
    private static final int TRIALS = 2_000;

    private static final Map<Column, Double> LIMIT_OF = Map.of(
            Column.AVG_DB_READ_LATENCY_MS, 20.0,
            Column.MAX_SAMPLE_DB_READ_LATENCY_MS, 100.0,
            Column.AVG_LOG_WRITE_LATENCY_MS, 10.0,
            Column.MAX_SAMPLE_LOG_WRITE_LATENCY_MS, 100.0);

    private final long seed = System.nanoTime();
    private final SplittableRandom random = new SplittableRandom(seed);

    /** One that keeps all limits, some of them just so. */
    private Map<Column, Double> good() {
        Map<Column, Double> columns = new EnumMap<>(Column.class);
        LIMIT_OF.forEach((column, limit) ->
                columns.put(column, random.nextInt(4) == 0 ? limit : random.nextDouble(limit)));
        columns.put(Column.DB_READS_PER_S, 50.0);
        columns.put(Column.DB_WRITES_PER_S, 25.0);
        return columns;
    }

    private static InstanceFigures instance(
            int number, Map<Column, Double> columns, Map<IoCounter, Long> counts) {
        return new InstanceFigures("I." + number, columns, Map.of(), new IoCounts(counts));
    }

    private List<InstanceFigures> all(
            int bad, Map<Column, Double> badColumns, Map<IoCounter, Long> counts) {
        List<InstanceFigures> all = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            all.add(i == bad ? instance(i, badColumns, counts) : instance(i, good(), Map.of()));
        }
        return all;
    }

    @Test
    void passesWhatKeepsEachLimit() {
        for (int i = 0; i < TRIALS; i++) {
            assertThat(Judgement.judge(8 * 75, all(0, good(), Map.of()), LIMITS))
                    .as("seed %d", seed)
                    .isEmpty();
        }
    }

    @Test
    void oneInstanceAboveOneLimitFailsHoweverGoodTheOthersAre() {
        List<Column> columns = List.copyOf(LIMIT_OF.keySet());
        for (int i = 0; i < TRIALS; i++) {
            Column column = columns.get(random.nextInt(columns.size()));
            double limit = LIMIT_OF.getOrDefault(column, 0.0);
            Map<Column, Double> broken = good();
            broken.put(column, Math.nextUp(limit) + random.nextDouble(1e-6));
            int which = random.nextInt(8);
            assertThat(Judgement.judge(8 * 75, all(which, broken, Map.of()), LIMITS))
                    .as("seed %d, %s", seed, column)
                    .singleElement()
                    .asString()
                    .startsWith("I." + which + ": " + column.heading());
        }
    }

    @Test
    void oneStallErrorOrBadBlockFails() {
        for (IoCounter counter :
                List.of(IoCounter.STALLS, IoCounter.ERRORS, IoCounter.BAD_BLOCKS)) {
            assertThat(Judgement.judge(1, all(3, good(), Map.of(counter, 1L)), LIMITS))
                    .as(counter.key())
                    .singleElement()
                    .asString()
                    .startsWith("I.3: 1 ");
        }
    }

    @Test
    void theTargetIsForAllTogether() {
        List<InstanceFigures> all = all(0, good(), Map.of());
        assertThat(Judgement.achievedIops(all)).isEqualTo(600);
        assertThat(Judgement.judge(600, all, LIMITS)).isEmpty();
        assertThat(Judgement.judge(Math.nextUp(600.0), all, LIMITS))
                .singleElement()
                .asString()
                .startsWith("achieved 600.000 I/O a second, below the target of 600.000");
    }

    @Test
    void whatWasNotDoneIsNotSlow() {
        Map<Column, Double> reads = good();
        reads.remove(Column.AVG_LOG_WRITE_LATENCY_MS);
        reads.remove(Column.MAX_SAMPLE_LOG_WRITE_LATENCY_MS);
        assertThat(Judgement.judge(600, all(1, reads, Map.of()), LIMITS)).isEmpty();
    }
}
