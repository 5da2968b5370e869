package org.hubmark.hub.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hubmark.hub.Await.await;

import org.hubmark.core.DeliveryAgent;
import org.hubmark.core.Lease;
import org.hubmark.core.Outcome;
import org.hubmark.core.RecipientResult;
import org.hubmark.hub.ScriptedHop;
import org.hubmark.hub.TestAgents;
import org.hubmark.hub.delivery.DeliverySpec;
import org.hubmark.hub.delivery.NextHop;
import org.hubmark.hub.delivery.NextHopSettings;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A next hop that can't be reached is passed over and found again, and one that hangs or has enough holds up
 * nobody else. What is scripted about one connection is in {@link NextHopDialogueTest}.
 */
final class NextHopPoolTest {
    private static final Lease LEASE = TestAgents.lease(TestAgents.CONTENT, "b@y.example");
    private static final Outcome DELIVERED = new Outcome.Delivered();

    @AutoClose("shutdownNow")
    private final ExecutorService deliveries = Executors.newVirtualThreadPerTaskExecutor();

    /** Its peer has gone without a word, as that of the other one: a message waits for one of them, and not long. */
    @Test
    void connectionsWhosePeerHasGoneCostOneMessageALittle() throws Exception {
        Set<Thread> greeted = ConcurrentHashMap.newKeySet();
        Set<Thread> gone = ConcurrentHashMap.newKeySet();
        AtomicInteger swallowed = new AtomicInteger();
        CountDownLatch both = new CountDownLatch(2);
        CountDownLatch end = new CountDownLatch(1);
        NextHopSettings impatient =
                TestAgents.settings(TestAgents.Patience.SHORT_IN_DOUBT, Map.of());
        try (OpenHop hop = new OpenHop(List.of(), (command, accepted, carried) -> {
                    greeted.add(Thread.currentThread());
                    if (command.startsWith("MAIL") && gone.contains(Thread.currentThread())) {
                        swallowed.incrementAndGet();
                        end.await();
                    } else if (command.startsWith("MAIL")) {
                        both.countDown();
                        both.await();
                    }
                    return null;
                });
                DeliveryAgent agent =
                        TestAgents.agent(impatient, DeliverySpec.Tls.NONE, hop.smtp())) {
            areDelivered(deliver(agent, LEASE, 2));
            gone.addAll(greeted);
            assertThat(gone).hasSize(2);
            assertThat(agent.deliver(LEASE)).isEqualTo(DELIVERED);
            assertThat(swallowed).hasValue(1);
            end.countDown();
        }
    }

    /** The kernel takes connections to the first hop, and nobody ever greets. */
    @Test
    void aHopThatNeverAnswersHoldsOneDelivery() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                OpenHop second = new OpenHop(List.of(), (command, accepted, carried) -> null);
                DeliveryAgent agent =
                        TestAgents.agent(smtp(silent.getLocalPort()), second.smtp())) {
            List<Future<Outcome>> outcomes = deliver(agent, LEASE, 8);
            await().until(() -> outcomes.stream().filter(Future::isDone).count() == 7);
            silent.accept().close();
            areDelivered(outcomes);
        }
    }

    /** A limit on connections from one client is common; the mail waits for those that are there. */
    @Test
    void aHopThatTakesNoMoreConnectionsIsInNoTrouble() throws Exception {
        AtomicInteger greeted = new AtomicInteger();
        try (OpenHop hop = new OpenHop(
                        List.of("PIPELINING"),
                        (command, accepted, carried) ->
                                command.isEmpty() && greeted.incrementAndGet() > 4
                                        ? "421 too many connections from you"
                                        : null);
                DeliveryAgent agent = TestAgents.agent(hop.smtp())) {
            areDelivered(deliver(agent, LEASE, 64));
        }
    }

    /** It refuses the second one, and meanwhile the first one has become idle. */
    @Test
    void aHopThatTakesNoMoreConnectionsIsInNoTroubleWhenAllAreIdle() throws Exception {
        AtomicInteger greeted = new AtomicInteger();
        CountDownLatch second = new CountDownLatch(1);
        CountDownLatch idle = new CountDownLatch(1);
        try (OpenHop hop = new OpenHop(List.of(), (command, accepted, carried) -> {
                    if (command.isEmpty() && greeted.incrementAndGet() == 2) {
                        second.countDown();
                        idle.await();
                        return "421 too many connections from you";
                    } else if (command.startsWith("MAIL")) {
                        second.await();
                    }
                    return null;
                });
                DeliveryAgent agent = TestAgents.agent(hop.smtp())) {
            List<Future<Outcome>> outcomes = deliver(agent, LEASE, 2);
            await().until(() -> outcomes.stream().anyMatch(Future::isDone));
            idle.countDown();
            areDelivered(outcomes);
        }
    }

    /** With nowhere else to go, mail waits for the first connections rather than for a retry. */
    @Test
    void whatHangsAtAHopHoldsUpNothingElse() throws Exception {
        CountDownLatch hanging = new CountDownLatch(1);
        Lease hangs = TestAgents.lease(TestAgents.CONTENT, "b@hangs.example");
        try (OpenHop hop = new OpenHop(
                        List.of("PIPELINING", "CHUNKING"), (command, accepted, carried) -> {
                            if (command.startsWith("RCPT TO:<b@hangs")) {
                                hanging.await();
                            }
                            return null;
                        });
                DeliveryAgent agent = TestAgents.agent(hop.smtp())) {
            List<Future<Outcome>> stuck = deliver(agent, hangs, 200);
            for (int i = 0; i < 20; i++) {
                assertThat(agent.deliver(LEASE)).isEqualTo(DELIVERED);
            }
            assertThat(stuck).noneMatch(Future::isDone);
            hanging.countDown();
            areDelivered(stuck);
        }
    }

    @Test
    void abortingEndsTheWaitForAFirstConnection() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                DeliveryAgent agent = TestAgents.agent(smtp(silent.getLocalPort()))) {
            List<Future<Outcome>> outcomes = deliver(agent, LEASE, 2);
            // One is connected, and no other will be.
            try (Socket connected = silent.accept()) {
                assertThat(connected.isConnected()).isTrue();
                agent.abort();
                for (Future<Outcome> outcome : outcomes) {
                    assertThat(outcome.get())
                            .isInstanceOfAny(Outcome.Deferred.class, Outcome.NotTried.class);
                }
            }
        }
    }

    @Test
    void abortingEndsWhatIsUnderWay() throws Exception {
        try (ScriptedHop hop = ScriptedHop.start("hello\nMAIL\n");
                DeliveryAgent agent = TestAgents.agent(hop.smtp())) {
            List<Future<Outcome>> outcomes = deliver(agent, LEASE, 1);
            await().until(() -> hop.received().contains("MAIL"));
            agent.abort();
            assertThat(outcomes.getFirst().get()).isInstanceOf(Outcome.Deferred.class);
            assertThat(agent.deliver(LEASE)).isInstanceOf(Outcome.NotTried.class);
        }
    }

    /** Each of many recipients may be answered at length, so what is kept is short, and there once. */
    @Test
    void ofLongRepliesTheBeginningIsKeptOnce() throws Exception {
        String reply = ("550-5.1.1 " + "x".repeat(1_990) + "\r\n").repeat(99) + "550 end";
        String[] recipients = IntStream.range(0, 300)
                .mapToObj(i -> "r" + i + "@y.example")
                .toArray(String[]::new);
        try (OpenHop hop = new OpenHop(
                        List.of("PIPELINING"),
                        (command, accepted, carried) ->
                                command.matches("RCPT TO:<r[1-9].*") ? reply : null);
                DeliveryAgent agent = TestAgents.agent(hop.smtp())) {
            Outcome.Partial outcome = (Outcome.Partial)
                    agent.deliver(TestAgents.lease(TestAgents.CONTENT, recipients));
            List<RecipientResult> results = outcome.results();
            assertThat(results.getFirst()).isEqualTo(RecipientResult.DELIVERED);
            assertThat(results.get(1).reply())
                    .startsWith(hop.smtp() + ": 550 5.1.1 xxx")
                    .hasSize(RecipientResult.REPLY_CHARACTERS_MAX);
            assertThat(results.subList(1, 300))
                    .allSatisfy(one -> assertThat(one).isSameAs(results.get(1)));
        }
    }

    private List<Future<Outcome>> deliver(DeliveryAgent agent, Lease lease, int times) {
        return Stream.generate(() -> deliveries.submit(() -> agent.deliver(lease)))
                .limit(times)
                .toList();
    }

    private static void areDelivered(List<Future<Outcome>> outcomes) throws Exception {
        for (Future<Outcome> outcome : outcomes) {
            assertThat(outcome.get()).isEqualTo(DELIVERED);
        }
    }

    private static NextHop smtp(int port) {
        return new NextHop(NextHop.Protocol.SMTP, "127.0.0.1", port);
    }
}
