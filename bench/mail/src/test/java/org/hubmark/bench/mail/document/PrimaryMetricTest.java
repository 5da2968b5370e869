package org.hubmark.bench.mail.document;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Map;

/** Proves that a rate has the name of the metric, with its limit, only where all conditions are kept. */
class PrimaryMetricTest {
    private static final Conditions KEPT = new Conditions(Map.of(), Safety.UNCHALLENGED)
            .with(Condition.ASKED_RATE, "max-sustained")
            .with(Condition.DURABILITY, "synced")
            .with(Condition.INTAKE, "store")
            .with(Condition.DELIVER, "discard")
            .with(Condition.TRANSFER, "data")
            .with(Condition.PIPELINING, true)
            .with(Condition.RECIPIENTS, 1)
            .with(Condition.ARRIVALS, "fixed")
            .with(Condition.MESSAGES_PER_CONNECTION, 0)
            .with(Condition.CONTENT, "generated")
            .with(Condition.CONNECTIONS, 32)
            .with(Condition.TLS, false);

    @Test
    void theLimitIsPartOfTheName() {
        assertThat(name(KEPT, 57)).isEqualTo("hubmark-receive-1/50ms");
        assertThat(name(KEPT.with(Condition.TLS, true), 4)).isEqualTo("hubmark-receive-1/50ms");
        assertThat(PrimaryMetric.name(KEPT, 4, Duration.ofMillis(20)))
                .isEqualTo("hubmark-receive-1/20ms");
    }

    @Test
    void otherConditionsHaveNone() {
        assertThat(name(KEPT, 80)).isNull();
        assertThat(name(KEPT.with(Condition.ASKED_RATE, "9000/s"), 57)).isNull();
        assertThat(name(KEPT.with(Condition.DURABILITY, "none"), 57)).isNull();
        assertThat(name(KEPT.with(Condition.RECIPIENTS, 5), 57)).isNull();
        assertThat(name(KEPT.with(Condition.DELIVER, null), 57)).as("not known").isNull();
        assertThat(name(KEPT.with(Safety.UNKNOWN), 57))
                .as("not known to be safe")
                .isNull();
    }

    private static @Nullable String name(Conditions under, double sizeKb) {
        return PrimaryMetric.name(under, sizeKb, PrimaryMetric.LIMIT);
    }
}
