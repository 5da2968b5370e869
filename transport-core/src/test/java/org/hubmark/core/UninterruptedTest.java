package org.hubmark.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Proves that a wait goes to its end, and that an interruption is kept. */
final class UninterruptedTest {
    @Test
    void anInterruptionIsKeptUntilTheEnd() {
        CountDownLatch end = new CountDownLatch(1);
        AtomicInteger begun = new AtomicInteger();
        Thread.currentThread().interrupt();
        Uninterrupted.run(() -> {
            if (begun.incrementAndGet() == 2) {
                end.countDown();
            }
            end.await();
        });
        assertThat(Thread.interrupted()).isTrue();
        assertThat(begun).hasValue(2);
    }
}
