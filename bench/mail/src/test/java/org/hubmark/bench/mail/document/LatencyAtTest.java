package org.hubmark.bench.mail.document;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.load.Audit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.List;

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
        Scenario harmed = MadeResults.with(
                MadeResults.scenario(
                        "57kb",
                        57,
                        Conditions.UNKNOWN,
                        List.of(repeat(700, 0L, null).counted())),
                MailDocument.LATENCY_AT,
                LatencyAt.of(70, 700, lost));
        assertThat(harmed.validity().valid()).isFalse();
        assertThat(harmed.validity().found())
                .containsExactly(new Reason(Case.MAIL, "latency at a rate: 1 message is lost"));
    }

    private static Scenario.Repeat repeat(double rate, @Nullable Long lost, @Nullable Audit audit) {
        return new Scenario.Repeat(MadeResults.repeat(1)
                .count(Counters.MEASURED_NS, 1e9)
                .count(Counters.ACCEPTED_MSGS, rate)
                .count(Counters.ALL_LOST_MSGS, lost)
                .name(MailDocument.AUDIT, audit)
                .made());
    }
}
