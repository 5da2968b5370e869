package org.hubmark.bench.mail.meter;

import static org.assertj.core.api.Assertions.assertThat;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.load.Arrivals;
import org.hubmark.bench.load.Pace;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;

/** Proves on 20 s at 1,000 messages a second what shows that a rate is not sustained. */
class SustainedRuleTest {
    private static final Pace.MaxSustained ASKED =
            new Pace.MaxSustained(Duration.ofMillis(250), Arrivals.FIXED, 1);

    private static final int SECONDS = 20;
    private static final long RATE = 1_000;

    /**
     * What grows by 5 a second grows by half a percent, 100 messages in 20 s, by which the waiting grows to
     * 100 ms: that has no end. A backlog that only breathes does not grow.
     */
    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            0 | 0 | 0  | true  | 5   | -
            5 | 0 | 0  | true  | 5   | mail that waits for a free connection grew by 100 messages
            0 | 5 | 0  | true  | 5   | the server's queue grew by 100 messages
            # It holds what it takes.
            0 | 5 | 0  | false | 5   | -
            0 | 0 | 20 | true  | 5   | -
            0 | 0 | 0  | true  | 260 | p99 of the latency was 260.
            """)
    void whatGrowsOrWaitsTooLongIsNotSustained(
            long overduePerSecond,
            long queuedPerSecond,
            long breath,
            boolean drains,
            long latencyMillis,
            @Nullable String words) {
        SustainedRule rule = new SustainedRule(ASKED, drains);
        for (int second = 0; second <= SECONDS; second++) {
            rule.add(Snapshots.from(
                    "s=" + second,
                    "accepted=" + second * RATE,
                    "overdue=" + (overduePerSecond * second + breath * (second % 3)),
                    "hub=0,0," + queuedPerSecond * second));
        }
        Histogram latencies = new Histogram(3);
        latencies.recordValueWithCount(latencyMillis * 1_000_000, SECONDS * RATE);
        RateSearch.Answer found = rule.verdict(latencies, new Histogram(3), 50.0);
        assertThat(found.sustained()).isEqualTo(words == null);
        assertThat(found.words()).startsWith(words == null ? "" : words);
    }

    /** All of them fast: the one in a hundred that is not may be the next. */
    @Test
    void norTooFewMessagesForAPercentile() {
        assertThat(few(99).words())
                .isEqualTo("the p99 of the latency is not known: 99 of 100 messages that it takes");
        assertThat(few(100)).isEqualTo(RateSearch.Answer.kept());
    }

    private static RateSearch.Answer few(int messages) {
        SustainedRule rule = new SustainedRule(ASKED, true);
        rule.add(Snapshots.from());
        Histogram latencies = new Histogram(3);
        latencies.recordValueWithCount(1_000_000, messages);
        return rule.verdict(latencies, new Histogram(3), null);
    }
}
