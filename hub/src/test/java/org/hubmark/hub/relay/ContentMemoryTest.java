package org.hubmark.hub.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hubmark.hub.Await.await;

import org.hubmark.core.Content;
import org.hubmark.core.Lease;
import org.hubmark.core.Outcome;
import org.hubmark.hub.TestAgents;
import org.hubmark.hub.delivery.DeliverySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/**
 * Contents on their way out are bounded together, one goes always, and what one destination holds leaves
 * room to others. Tests take and give back by hand, and let agents deliver to next hops that hold them up.
 */
final class ContentMemoryTest {
    private static final Duration NOW = Duration.ZERO;
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Lease LARGE = TestAgents.lease("x".repeat(3 << 20), "b@y.example");
    private static final Lease SMALL = TestAgents.lease("x".repeat(1000), "b@y.example");

    /** What a large message needs: its largest extent, which G1 rounds up, and two buffers. */
    private static final long LARGE_BYTES =
            2 * Content.EXTENT_BYTES_MAX + WriteBuffer.OCTETS_MAX + NextHopConnection.BLOCK_BYTES;

    @Test
    void oneFitsAlwaysAndIsGivenBack() {
        ContentMemory memory = new ContentMemory(1);
        try (ContentMemory.Part one = memory.part("y.example");
                ContentMemory.Part other = memory.part("z.example")) {
            assertThat(one.take(LARGE, NOW)).isTrue();
            assertThat(other.take(SMALL, NOW)).isFalse();
            one.contentRead();
            assertThat(other.take(SMALL, NOW)).as("buffers are in use").isFalse();
            one.close();
            assertThat(other.take(LARGE, NOW)).isTrue();
        }
    }

    /** 80 large ones: the 40th is the last for who has some, and the rest is for those who have none. */
    @Test
    void halfIsKeptForDestinationsThatHaveLittle() {
        ContentMemory memory = new ContentMemory(80 * LARGE_BYTES);
        for (int i = 0; i < 40; i++) {
            assertThat(memory.part("y.example").take(LARGE, NOW)).isTrue();
        }
        assertThat(memory.part("y.example").take(SMALL, NOW)).isFalse();
        for (int i = 0; i < 39; i++) {
            assertThat(memory.part(i + ".example").take(LARGE, NOW)).isTrue();
        }
        ContentMemory.Part little = memory.part("z.example");
        assertThat(little.take(SMALL, NOW)).isTrue();
        assertThat(memory.part("z.example").take(SMALL, NOW)).as("some more").isTrue();
        little.close();
        assertThat(memory.part("0.example").take(LARGE, NOW)).isFalse();
    }

    @Test
    void whoWaitsGetsWhatIsGivenBack() throws Exception {
        ContentMemory memory = new ContentMemory(1);
        ContentMemory.Part one = memory.part("y.example");
        assertThat(one.take(LARGE, NOW)).isTrue();
        CompletableFuture<Boolean> taken = new CompletableFuture<>();
        Thread waiting = Thread.ofVirtual()
                .start(() -> taken.complete(memory.part("z.example").take(SMALL, LONG)));
        await().until(() -> waiting.getState() == Thread.State.TIMED_WAITING);
        one.close();
        assertThat(taken.join()).isTrue();
        CompletableFuture<Boolean> none = new CompletableFuture<>();
        Thread last = Thread.ofVirtual()
                .start(() -> none.complete(memory.part("x.example").take(SMALL, LONG)));
        await().until(() -> last.getState() == Thread.State.TIMED_WAITING);
        memory.close();
        assertThat(none.join()).as("the hub is stopping").isFalse();
    }

    /** A message that finds no memory was not tried, and the next one that is let through goes. */
    @ParameterizedTest
    @ValueSource(strings = {"CHUNKING", "8BITMIME"})
    void whatFindsNoMemoryWasNotTried(String extension) throws Exception {
        ContentMemory memory = new ContentMemory(1);
        try (OpenHop hop = new OpenHop(
                        List.of("PIPELINING", extension), (command, n, carried) -> null);
                NextHopAgent agent = agent(hop, memory)) {
            ContentMemory.Part other = memory.part("z.example");
            assertThat(other.take(LARGE, NOW)).isTrue();
            assertThat(agent.deliver(SMALL)).isInstanceOf(Outcome.NotTried.class);
            other.close();
            assertThat(agent.deliver(SMALL)).isEqualTo(new Outcome.Delivered());
            // Nothing is left behind by either.
            assertThat(other.take(LARGE, NOW)).isTrue();
        }
    }

    /** What was answered before stands: nobody gets it again. */
    @Test
    void whoHasTheMessageKeepsItWhenThereIsNoMemoryForTheOthers() throws Exception {
        ContentMemory memory = new ContentMemory(1);
        ContentMemory.Part other = memory.part("z.example");
        try (OpenHop hop = new OpenHop(List.of("PIPELINING"), (command, accepted, carried) -> {
                    if (command.equals(".")) {
                        other.take(LARGE, LONG);
                    }
                    return command.startsWith("RCPT") && accepted > 0 ? "452 4.5.3 too many" : null;
                });
                NextHopAgent agent = agent(hop, memory)) {
            Outcome outcome =
                    agent.deliver(TestAgents.lease("x\r\n", "b@y.example", "c@y.example"));
            assertThat(TestAgents.words(outcome)).startsWith("DELIVERED & PENDING ");
            assertThat(hop.taken()).hasSize(1);
        }
    }

    /** Whoever holds up deliveries holds no memory that others need: before content, and behind it. */
    @ParameterizedTest
    @ValueSource(strings = {"MAIL", "RCPT", "DATA", "."})
    void aHopThatIsSilentHoldsNoMemory(String where) throws Exception {
        ContentMemory memory = new ContentMemory(1);
        CountDownLatch silent = new CountDownLatch(1);
        CountDownLatch asked = new CountDownLatch(1);
        try (OpenHop hop = new OpenHop(List.of("PIPELINING"), (command, accepted, carried) -> {
                    if (command.startsWith(where)) {
                        asked.countDown();
                        silent.await();
                    }
                    return null;
                });
                NextHopAgent agent = agent(hop, memory)) {
            Thread delivery = Thread.ofVirtual().start(() -> agent.deliver(SMALL));
            asked.await();
            assertThat(memory.part("z.example").take(LARGE, LONG)).isTrue();
            silent.countDown();
            memory.close();
            delivery.join();
        }
    }

    private static NextHopAgent agent(OpenHop hop, ContentMemory memory) throws IOException {
        return new NextHopAgent(
                new DeliverySpec.NextHops(List.of(hop.smtp()), DeliverySpec.Tls.NONE),
                "a.example",
                TestAgents.settings("delivery.next-hop-retry", "50ms"),
                memory);
    }
}
