package org.hubmark.bench.scale.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.kit.document.Tool;
import org.hubmark.bench.kit.page.Block;
import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.scale.result.Latencies;
import org.hubmark.bench.scale.result.PriceResults;
import org.hubmark.bench.scale.result.PriceRun;
import org.hubmark.bench.scale.result.PricedQueue;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

/** Rounds become medians with their ends, and a dash stands where nothing is known. */
class PriceTableTest {
    private static PriceRun run(int round, PricedQueue queue, double rate, long refused) {
        Double ofCluster = queue.bookies() == 0 ? null : (Double) 20.0;
        return new PriceRun(
                round,
                queue,
                4000,
                rate,
                new Latencies(1, 1, 2, 3, 4),
                1000,
                refused,
                0,
                refused == 0 ? null : "452 full",
                30.0 + round,
                ofCluster,
                ofCluster,
                1.3,
                queue.bookies() == 0 ? null : (Double) 4.4);
    }

    private static PriceResults results(List<PriceRun> runs) {
        return PriceResults.of(
                new Tool("0.1", null),
                "",
                "",
                new Environment(
                        "cpu", 2, 2, null, null, null, "os", "6", "25", null, List.of(), null),
                "",
                Map.of(),
                true,
                runs);
    }

    @Test
    void medianWithItsEnds() {
        Block.Grid grid = PriceTable.of(results(List.of(
                run(1, PricedQueue.THREE, 100, 0),
                run(1, PricedQueue.VOLUMES, 1000, 0),
                run(2, PricedQueue.VOLUMES, 900, 0),
                run(3, PricedQueue.VOLUMES, 1300, 0))));
        assertThat(grid.rows())
                .containsExactly(
                        List.of(
                                "4KB",
                                "the volumes, synced",
                                "1000 (900 to 1300)",
                                "1.0",
                                "3.0",
                                "32 (31 to 33)",
                                "-",
                                "-",
                                "1.3",
                                "-"),
                        List.of(
                                "4KB",
                                "Pulsar, three copies of four bookies",
                                "100",
                                "1.0",
                                "3.0",
                                "31",
                                "20",
                                "20",
                                "1.3",
                                "4.4"));
    }

    @Test
    void aRefusalMakesItInvalid() {
        PriceResults results = results(List.of(run(1, PricedQueue.ONE, 100, 2)));
        assertThat(results.valid()).isFalse();
        assertThat(results.invalidReasons())
                .containsExactly(
                        "Pulsar, one bookie, 4000 octets, round 1: 2 messages were refused,"
                                + " the first with: 452 full");
        assertThat(results.json()).contains("\"queue\" : \"Pulsar, one bookie\"");
    }
}
