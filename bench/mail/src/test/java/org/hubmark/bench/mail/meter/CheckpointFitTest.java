package org.hubmark.bench.mail.meter;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.hub.HubCounters;
import org.hubmark.bench.mail.meter.CheckpointFit.Edge;
import org.junit.jupiter.api.Test;

import java.time.Duration;

/** Proves where a measured time may begin and end, by a table. */
class CheckpointFitTest {
    private static final long DEPTH = 1_000;
    private static final CheckpointFit FIT = new CheckpointFit(DEPTH, Duration.ofSeconds(2));

    @Test
    void waitsForTheEndOfACheckpoint() {
        HubCounters begun = counted(3, 0);
        HubCounters since = counted(5, 9 * DEPTH);
        assertThat(FIT.edge(begun, since, since, 0)).isNull();
        assertThat(FIT.edge(begun, since, counted(5, 20 * DEPTH), seconds(1.9))).isNull();
        assertThat(FIT.edge(begun, since, counted(6, 10 * DEPTH), seconds(1)))
                .isEqualTo(Edge.ENDED);
        assertThat(FIT.edge(begun, since, counted(5, 20 * DEPTH), seconds(2)))
                .isEqualTo(Edge.WITHIN);
    }

    @Test
    void aLoadThatHasWrittenTheLogOverTwiceWithoutOneHasNone() {
        HubCounters begun = counted(3, DEPTH);
        HubCounters since = counted(3, 2 * DEPTH);
        assertThat(FIT.edge(begun, since, counted(3, 3 * DEPTH - 1), 0)).isNull();
        assertThat(FIT.edge(begun, since, counted(3, 3 * DEPTH), 0)).isEqualTo(Edge.FREE);
    }

    @Test
    void aServerThatCountsNoneIsUnknown() {
        assertThat(FIT.edge(null, null, null, 0)).isEqualTo(Edge.UNKNOWN);
        HubCounters other = HubCounters.parse("other 1\n");
        assertThat(FIT.edge(other, other, other, 0)).isEqualTo(Edge.UNKNOWN);
    }

    @Test
    void onlyLikeEdgesHoldWholeCycles() {
        for (Edge from : Edge.values()) {
            for (Edge to : Edge.values()) {
                boolean whole = from == to && (from == Edge.ENDED || from == Edge.FREE);
                assertThat(FIT.judge(from, to, 4.0).whole())
                        .as("%s to %s", from, to)
                        .isEqualTo(whole);
            }
        }
        assertThat(FIT.judge(Edge.ENDED, Edge.ENDED, 4.0).found()).startsWith("4 checkpoints");
        assertThat(FIT.judge(Edge.FREE, Edge.ENDED, 1.0).found()).startsWith("the first");
        assertThat(FIT.judge(Edge.ENDED, Edge.WITHIN, 1.0).found())
                .isEqualTo("no checkpoint ended within 2s after the measured time");
    }

    private static HubCounters counted(long checkpoints, long logBytes) {
        return HubCounters.parse("hubmark_checkpoints_total " + checkpoints
                + "\nhubmark_log_written_bytes_total " + logBytes + "\n");
    }

    private static long seconds(double seconds) {
        return (long) (seconds * 1e9);
    }
}
