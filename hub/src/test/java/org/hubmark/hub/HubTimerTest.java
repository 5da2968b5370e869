package org.hubmark.hub;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A job that fails ends neither itself nor the others. Jobs that throw are called by a timer. */
final class HubTimerTest {
    @Test
    void aCallThatFailsIsNotTheLast() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        CompletableFuture<Throwable> told = new CompletableFuture<>();
        CountDownLatch others = new CountDownLatch(10);
        Error broken = new LinkageError("broken");
        try (HubTimer timer = new HubTimer(told::complete)) {
            timer.every(() -> Duration.ofMillis(1), "a job", () -> {
                if (calls.incrementAndGet() > 2) {
                    throw broken;
                }
                throw new IllegalStateException("it fails");
            });
            assertThat(told.get(1, TimeUnit.MINUTES)).isSameAs(broken);
            timer.every(() -> Duration.ofMillis(1), "another", others::countDown);
            assertThat(others.await(1, TimeUnit.MINUTES)).isTrue();
        }
        assertThat(calls).hasValueGreaterThan(2);
    }
}
