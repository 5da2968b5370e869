package org.hubmark.bench.mail.meter;

import static org.assertj.core.api.Assertions.assertThat;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.hub.HubCounters;
import org.hubmark.bench.load.Arrivals;
import org.hubmark.bench.load.LoadSnapshot;
import org.hubmark.bench.load.Pace;
import org.hubmark.bench.machine.MachineReading;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Map;

/** Proves on 20 s at 1,000 messages a second what shows that a rate is not sustained. */
class SustainedRuleTest {
    private static final Pace.MaxSustained ASKED =
            new Pace.MaxSustained(Duration.ofMillis(250), Arrivals.FIXED, 1);

    private static final int SECONDS = 20;
    private static final long RATE = 1_000;

    @Test
    void aRateThatIsKeptIsSustained() {
        assertThat(verdict(0, 0, true, 5)).isEqualTo(RateSearch.Answer.kept());
    }

    /** 100 messages in 20 s, by which the waiting grows to 100 ms: that has no end. */
    @Test
    void aBacklogThatGrowsByHalfAPercentIsNotSustained() {
        assertThat(verdict(5, 0, true, 5).words())
                .isEqualTo("mail that waits for a free connection grew by 100 messages");
    }

    @Test
    void norAQueueThatDoes() {
        assertThat(verdict(0, 5, true, 5).words())
                .isEqualTo("the server's queue grew by 100 messages");
        assertThat(verdict(0, 5, false, 5).sustained())
                .as("it holds what it takes")
                .isTrue();
    }

    @Test
    void norIsABacklogThatOnlyBreathesOneThatGrows() {
        assertThat(verdict(0, 0, 20, true, 5)).isEqualTo(RateSearch.Answer.kept());
    }

    @Test
    void norALatencyBeyondItsLimit() {
        assertThat(verdict(0, 0, true, 260).words()).startsWith("p99 of the latency was 260.");
    }

    /** All of them fast: the one in a hundred that is not may be the next. */
    @Test
    void norTooFewMessagesForAPercentile() {
        assertThat(few(99).words())
                .isEqualTo("the p99 of the latency is not known: 99 of 100 messages that it takes");
        assertThat(few(100)).isEqualTo(RateSearch.Answer.kept());
    }

    /** A p99 of ten is their maximum, and that is what is judged. */
    @Test
    void aDriverThatWasLateOnceInTenIsNamed() {
        Histogram lateness = new Histogram(3);
        lateness.recordValueWithCount(1_000_000, 9);
        lateness.recordValue(20_000_000);
        assertThat(ValidityRules.late(lateness))
                .isEqualTo("sent late by 20.0 ms (the largest of 10; at most 10 ms)");
        lateness.recordValueWithCount(1_000_000, 991);
        assertThat(ValidityRules.late(lateness)).isNull();
        lateness.recordValueWithCount(20_000_000, 100);
        assertThat(ValidityRules.late(lateness))
                .isEqualTo("sent late by 20.0 ms (p99; at most 10 ms)");
    }

    private static RateSearch.Answer few(int messages) {
        SustainedRule rule = new SustainedRule(ASKED, true);
        rule.add(snapshot(0, 0, 0));
        Histogram latencies = new Histogram(3);
        latencies.recordValueWithCount(1_000_000, messages);
        return rule.verdict(latencies, new Histogram(3), null);
    }

    private static RateSearch.Answer verdict(
            long overduePerSecond, long queuedPerSecond, boolean drains, long latencyMillis) {
        return verdict(overduePerSecond, queuedPerSecond, 0, drains, latencyMillis);
    }

    private static RateSearch.Answer verdict(
            long overduePerSecond,
            long queuedPerSecond,
            long breath,
            boolean drains,
            long latencyMillis) {
        SustainedRule rule = new SustainedRule(ASKED, drains);
        for (int second = 0; second <= SECONDS; second++) {
            long overdue = overduePerSecond * second + breath * (second % 3);
            rule.add(snapshot(second, overdue, queuedPerSecond * second));
        }
        Histogram latencies = new Histogram(3);
        latencies.recordValueWithCount(latencyMillis * 1_000_000, SECONDS * RATE);
        return rule.verdict(latencies, new Histogram(3), 50.0);
    }

    private static Snapshot snapshot(int second, long overdue, long queued) {
        long done = second * RATE;
        return new Snapshot(
                second * 1_000_000_000L,
                new LoadSnapshot(done, done, done, 0, 0, 0, overdue, 0, null),
                0,
                MachineReading.UNKNOWN,
                false,
                Map.of(),
                Map.of(),
                HubCounters.parse("hubmark_queue_messages " + queued));
    }
}
