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
            assertThat(told.get(30, TimeUnit.SECONDS)).isSameAs(broken);
            timer.every(() -> Duration.ofMillis(1), "another", others::countDown);
            assertThat(others.await(30, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(calls).hasValueGreaterThan(2);
    }
}
