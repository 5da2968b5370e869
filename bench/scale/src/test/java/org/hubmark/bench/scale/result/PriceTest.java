package org.hubmark.bench.scale.result;

import static org.assertj.core.api.Assertions.assertThat;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.kit.document.DocumentReport;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.document.Table;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Rounds become medians with their ends, and a dash stands where nothing is known. */
class PriceTest {
    @TempDir
    Path folder;

    private static Repeat run(int round, PricedQueue queue, double rate, long refused) {
        Double ofCluster = queue.bookies() == 0 ? null : (Double) (20_000 * rate);
        Histogram send = new Histogram(3);
        send.recordValue(1_000_000);
        return Repeat.counted()
                .name(Price.ROUND, round)
                .name(ScaleOut.REFUSAL, refused == 0 ? null : "452 full")
                .count(ScaleOut.MEASURED_NS, 1_000_000_000)
                .count(ScaleOut.ACCEPTED, rate)
                .count(Price.ACCEPTED_BYTES, 4000 * rate)
                .count(ScaleOut.REFUSED, refused)
                .count(ScaleOut.FAILED, 0)
                .count(ScaleOut.HUB_CPU_NS, (30_000 + 1000 * round) * rate)
                .count(ScaleOut.BROKER_CPU_NS, ofCluster)
                .count(ScaleOut.BOOKIE_CPU_NS, ofCluster)
                .count(ScaleOut.WRITTEN_BYTES, 1.3 * 4000 * rate)
                .count(
                        ScaleOut.SENT_BYTES,
                        queue.bookies() == 0 ? null : (Double) (4.4 * 4000 * rate))
                .times(ScaleOut.SEND, send)
                .made();
    }

    private static Row row(PricedQueue queue, Repeat... rounds) {
        return new Row(
                Map.of(Price.QUEUE.key(), queue.text(), Price.SIZE.key(), 4000), List.of(rounds));
    }

    private static Document results(Row... rows) {
        return new Document(
                Price.KIND,
                MadeScale.results().provenance(),
                true,
                Map.of(),
                List.of(new Table(Price.ROWS, List.of(rows))),
                List.of());
    }

    @Test
    void medianWithItsEnds() throws IOException {
        DocumentReport.write(
                results(
                        row(
                                PricedQueue.VOLUMES,
                                run(1, PricedQueue.VOLUMES, 1000, 0),
                                run(2, PricedQueue.VOLUMES, 900, 0),
                                run(3, PricedQueue.VOLUMES, 1300, 0)),
                        row(PricedQueue.THREE, run(1, PricedQueue.THREE, 100, 0))),
                folder);
        assertThat(Files.readString(folder.resolve("report.md")))
                .contains("| Queue | the volumes, synced | Pulsar, three copies of four bookies |")
                .contains("| Size (octets) | 4000 | 4000 |")
                .contains("| Messages (1/s) | 1000 (900 to 1300) | 100 |")
                .contains("| Send p50 (ms) | 1.0 | 1.0 |")
                .contains("| CPU, Hub (us/msg) | 32 (31 to 33) | 31 |")
                .contains("| CPU, Brokers (us/msg) | - | 20 |")
                .contains("| CPU, Bookies (us/msg) | - | 20 |")
                .contains("| Written (octets/octet) | 1.3 | 1.3 |")
                .contains("| Sent (octets/octet) | - | 4.4 |");
    }

    @Test
    void aRefusalMakesItInvalid() {
        Document results = results(row(PricedQueue.ONE, run(1, PricedQueue.ONE, 100, 2)));
        assertThat(results.exitCode()).isEqualTo(3);
        assertThat(results.findings().reasons())
                .containsExactly(
                        "Pulsar, one bookie, 4000 octets, round 1: 2 messages were refused,"
                                + " the first with: 452 full");
        assertThat(DocumentFile.json(results)).contains("\"queue\" : \"Pulsar, one bookie\"");
    }
}
