package org.hubmark.pulsar;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.core.QueueId;
import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Set;

/** Ids grow, also when the clock stands, and those of two hubs differ at the same instant. */
class QueueIdsTest {
    private static final InstantSource CLOCK =
            InstantSource.fixed(Instant.parse("2026-11-20T12:00:00Z"));

    @Test
    void growAndDiffer() {
        QueueIds some = new QueueIds(CLOCK, 0);
        QueueIds others = new QueueIds(CLOCK, QueueIds.HUBS_MAX - 1);
        Set<QueueId> seen = new HashSet<>();
        QueueId last = new QueueId(0);
        for (int i = 0; i < 10_000; i++) {
            QueueId next = some.next();
            assertThat(next).isGreaterThan(last);
            last = next;
            assertThat(seen.add(next)).isTrue();
            assertThat(seen.add(others.next())).isTrue();
        }
    }
}
