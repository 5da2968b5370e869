package org.hubmark.pulsar;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.pulsar.client.impl.MessageIdImpl;
import org.junit.jupiter.api.Test;

/** The last ones are remembered, and only they. */
class EndedLeasesTest {
    @Test
    void remembersTheLast() {
        EndedLeases ended = new EndedLeases();
        for (int i = 0; i <= EndedLeases.MESSAGES_MAX; i++) {
            ended.add(new MessageIdImpl(1, i, -1));
        }
        assertThat(ended.contains(new MessageIdImpl(1, 0, -1))).isFalse();
        assertThat(ended.contains(new MessageIdImpl(1, 1, -1))).isTrue();
        assertThat(ended.contains(new MessageIdImpl(1, EndedLeases.MESSAGES_MAX, -1)))
                .isTrue();
        assertThat(ended.contains(new MessageIdImpl(2, 1, -1))).isFalse();
    }
}
