package org.hubmark.bench.crash;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.concurrent.atomic.AtomicLong;

/** What is seen of a count that stands still and goes on. */
class AcknowledgementGapTest {
    @Test
    void seesHowLongNothingCame() throws Exception {
        AtomicLong count = new AtomicLong(7);
        AcknowledgementGap gap = new AcknowledgementGap(count::get);
        Thread.sleep(300);
        count.addAndGet(3);
        Thread.sleep(900);
        count.addAndGet(2);
        Thread.sleep(1000);
        gap.close();
        // A third of the time at least, however late the watcher sees it.
        assertThat(gap.longestMillis()).isGreaterThanOrEqualTo(700);
        assertThat(gap.bySecond()).hasSizeGreaterThanOrEqualTo(2);
        assertThat(gap.bySecond().stream().mapToLong(Long::longValue).sum()).isBetween(3L, 5L);
    }
}
