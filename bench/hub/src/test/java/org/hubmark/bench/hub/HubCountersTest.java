package org.hubmark.bench.hub;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Proves that what a hub exports is read right. */
class HubCountersTest {
    @Test
    void readsPrometheusText() {
        HubCounters before = HubCounters.parse("# HELP a x\na_total 1.0\ng{x=\"a b\"} 2 17\n");
        HubCounters after = HubCounters.parse(
                "a_total 5.0\ng{x=\"a b\"} 2\ng{x=\"}\"} 3\nlater_total 4\nbad{ +Inf\n");
        assertThat(after.get("g")).isEqualTo(5.0);
        assertThat(HubCounters.growth(before, after, "a_total")).isEqualTo(4.0);
        assertThat(HubCounters.growth(before, after, "later_total")).isEqualTo(4.0);
        assertThat(HubCounters.growth(before, after, "never")).isNull();
    }
}
