package org.hubmark.bench.results;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

/** Proves what of a load until rest is told: what a message takes, and no rate. */
class WholeLoadTest {
    private static final String CPU = Figure.SERVER_CPU_US_PER_MSG.key();
    private static final String LOG = Figure.LOG_BYTES_PER_ACCEPTED_BYTE.key();

    @Test
    void tellsWhatAMessageTakesAndNoRate() {
        Measured measured = new Measured(Map.of(
                Figure.THROUGHPUT_MSGS_PER_S, 100.0,
                Figure.SERVER_CPU_US_PER_MSG, 50.0,
                Figure.LOG_BYTES_PER_ACCEPTED_BYTE, 1.02));
        assertThat(WholeLoad.of(10, true, measured).figures())
                .containsOnly(Map.entry(CPU, 50.0), Map.entry(LOG, 1.02));
    }

    @Test
    void ofRepeatsItHasMediansAndIsAtRestWhenAllWere() {
        WholeLoad found = WholeLoad.median(List.of(
                new WholeLoad(10, true, Map.of(CPU, 50.0)),
                new WholeLoad(12, false, Map.of(CPU, 70.0, LOG, 1.0)),
                new WholeLoad(11, true, Map.of(CPU, 60.0))));
        assertThat(found).isEqualTo(new WholeLoad(11, false, Map.of(CPU, 60.0, LOG, 1.0)));
        assertThat(WholeLoad.median(List.of())).isNull();
    }
}
