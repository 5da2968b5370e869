package org.hubmark.bench.mail.document;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.load.Audit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Arrays;
import java.util.List;

/** Proves when the latency at a rate beside can be trusted, and when it speaks against the server. */
class LatencyAtTest {
    /** Of 700 messages a second. The audit: missing, repeated, changed, with the id of another, unknown. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            693 | 0 | -         | true  | false
            692 | 0 | -         | false | false
            700 | 1 | -         | true  | true
            700 | - | -         | true  | false
            700 | 0 | 1 0 0 0 0 | true  | true
            700 | 0 | 0 1 0 0 0 | true  | true
            700 | 0 | 0 0 1 0 0 | true  | true
            700 | 0 | 0 0 0 1 0 | true  | true
            700 | 0 | 0 0 0 0 3 | true  | false
            """)
    void isOfARateThatIsKeptAndSpeaksAgainstWhoeverLosesMail(
            double rate,
            @Nullable Long lost,
            @Nullable String audit,
            boolean valid,
            boolean harms) {
        LatencyAt found = LatencyAt.of(70, 700, repeat(rate, lost, audit));
        assertThat(found.harmsMail()).isEqualTo(harms);
        assertThat(found.validity().reasons())
                .isEqualTo(valid ? List.of() : List.of("of 700 msg/s 692 were accepted"));
    }

    private static Scenario.Repeat repeat(
            double rate, @Nullable Long lost, @Nullable String audit) {
        Repeat.Builder counted = MadeResults.repeat(1)
                .count(Counters.MEASURED_NS, 1e9)
                .count(Counters.ACCEPTED_MSGS, rate)
                .count(Counters.ALL_LOST_MSGS, lost);
        if (audit != null) {
            long[] found = Arrays.stream(audit.split(" ", -1))
                    .mapToLong(Long::parseLong)
                    .toArray();
            counted.name(
                    MailDocument.AUDIT,
                    new Audit("all", 9L, found[0], found[1], found[2], found[3], found[4]));
        }
        return new Scenario.Repeat(counted.made());
    }
}
