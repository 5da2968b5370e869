package org.hubmark.bench.mail.meter;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.hub.HubCounters;
import org.junit.jupiter.api.Test;

/**
 * A run says for how long its hub was short of something in the measured time. Reads expositions made
 * up for the purpose.
 */
class PressureTest {
    private static final String BEFORE = """
            hubmark_back_pressure_seconds_total{resource="heap"} 3.5
            hubmark_back_pressure_seconds_total{resource="queue_length"} 0.0
            """;

    @Test
    void saysWhatWasShortInTheMeasuredTime() {
        HubCounters from = HubCounters.parse(BEFORE);
        HubCounters to = HubCounters.parse(BEFORE.replace("} 0.0", "} 1.75"));
        assertThat(Pressure.notes(from, to))
                .containsExactly("the hub was under back pressure for 1.8 s because of queue"
                        + " length, and slowed or refused mail");
    }

    @Test
    void saysNothingWhereNothingWasShortOrNobodyKnows() {
        HubCounters from = HubCounters.parse(BEFORE);
        assertThat(Pressure.notes(from, HubCounters.parse(BEFORE))).isEmpty();
        assertThat(Pressure.notes(null, null)).isEmpty();
    }
}
