package org.hubmark.hub.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hubmark.hub.Await.await;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A resolver that hangs holds nobody: neither a delivery nor a stop. Its answer is held back by the test. */
final class HopAddressesTest {
    private final CompletableFuture<Void> answer = new CompletableFuture<>();
    private final CountDownLatch asked = new CountDownLatch(1);
    private final AtomicInteger lookups = new AtomicInteger();

    @Test
    void whoWaitsGoesOnAndAsksOnce() throws Exception {
        HopAddresses addresses = new HopAddresses(this::resolve, Duration.ofMillis(100));
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(addresses::find).isInstanceOf(SocketTimeoutException.class);
        }
        assertThat(lookups).hasValue(1);
        answer.complete(null);
        await().ignoreExceptionsInstanceOf(SocketTimeoutException.class)
                .until(() -> addresses.find().length == 1);
    }

    @Test
    void aStopEndsTheWait() throws Exception {
        HopAddresses addresses = new HopAddresses(this::resolve, Duration.ofMinutes(5));
        CompletableFuture<InetAddress[]> found = CompletableFuture.supplyAsync(() -> {
            try {
                return addresses.find();
            } catch (IOException e) {
                throw new CompletionException(e);
            }
        });
        asked.await();
        addresses.close();
        assertThat(found)
                .failsWithin(Duration.ofMinutes(1))
                .withThrowableThat()
                .withCauseInstanceOf(NextHopPool.NotTriedException.class);
        assertThatThrownBy(addresses::find).isInstanceOf(NextHopPool.NotTriedException.class);
        answer.complete(null);
    }

    private InetAddress[] resolve() {
        lookups.incrementAndGet();
        asked.countDown();
        // As in native code: no interrupt ends it.
        answer.join();
        return new InetAddress[] {InetAddress.getLoopbackAddress()};
    }
}
