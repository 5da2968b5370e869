package org.hubmark.bench.mail.document;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.mail.document.Results.CounterSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

/** Proves when the latency at a rate beside can be trusted, and when it speaks against the server. */
class LatencyAtTest {
    @Test
    void theRateHasToBeKept() {
        assertThat(LatencyAt.of(70, 700, repeat(693, 0L, null)).validity().valid())
                .isTrue();
        LatencyAt slower = LatencyAt.of(70, 700, repeat(692, 0L, null));
        assertThat(slower.validity().valid()).isFalse();
        assertThat(slower.validity().reasons()).containsExactly("of 700 msg/s 692 were accepted");
        // It shows nothing of the repeats.
        assertThat(slower.harmsMail()).isFalse();
    }

    @Test
    void mailThatIsLostOrChangedSpeaksAgainstTheServer() {
        assertThat(LatencyAt.of(70, 700, repeat(700, 1L, null)).harmsMail()).isTrue();
        assertThat(LatencyAt.of(70, 700, repeat(700, null, null)).harmsMail()).isFalse();
        assertThat(LatencyAt.of(70, 700, repeat(700, 0L, new Audit("all", 9L, 0L, 0L, 0L, 0L, 3L)))
                        .harmsMail())
                .isFalse();
        for (Audit audit : List.of(
                new Audit("all", 9L, 1L, 0L, 0L, 0L, 0L),
                new Audit("all", 9L, 0L, 1L, 0L, 0L, 0L),
                new Audit("all", 9L, 0L, 0L, 1L, 0L, 0L),
                new Audit("all", 9L, 0L, 0L, 0L, 1L, 0L))) {
            assertThat(LatencyAt.of(70, 700, repeat(700, 0L, audit)).harmsMail())
                    .isTrue();
        }
        Scenario.Repeat lost =
                repeat(700, 1L, null).invalid(new Reason(Case.MAIL, "1 message is lost"));
        Scenario scenario = new Scenario(
                "57kb",
                57,
                Conditions.UNKNOWN,
                lost.figures(),
                new Spread(null, null, null, null, null, null, null, null, List.of()),
                Capacity.UNKNOWN,
                List.of(),
                null,
                List.of(),
                Validity.FULL);
        Scenario harmed = scenario.with(LatencyAt.of(70, 700, lost));
        assertThat(harmed.validity().valid()).isFalse();
        assertThat(harmed.validity().found())
                .containsExactly(new Reason(Case.MAIL, "latency at a rate: 1 message is lost"));
    }

    private static Scenario.Repeat repeat(double rate, @Nullable Long lost, @Nullable Audit audit) {
        Figures figures = new Figures(
                Figures.Limiting.UNKNOWN,
                new Measured(Map.of(Figure.THROUGHPUT_MSGS_PER_S, rate)),
                Figures.QueueMax.UNKNOWN,
                new CounterSource(null, null),
                null,
                Latencies.UNKNOWN,
                null,
                null,
                null,
                new Figures.Counts(9, 9, 0, 0, null, null, lost, audit),
                Figures.Clock.UNKNOWN);
        return new Scenario.Repeat(
                1,
                "2026-01-01T00:00:00Z",
                new WarmUp(5.0, true, null, null, null),
                figures,
                List.of(),
                null,
                List.of(),
                List.of(),
                Validity.FULL,
                Map.of());
    }
}
