package org.hubmark.hub.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hubmark.hub.Await.await;

import org.hubmark.core.Lease;
import org.hubmark.core.Outcome;
import org.hubmark.hub.Hub;
import org.hubmark.hub.HubConfigurations;
import org.hubmark.hub.IntakeKind;
import org.hubmark.hub.ScriptedHop;
import org.hubmark.hub.TestAgents;
import org.hubmark.hub.delivery.DeliverySpec;
import org.hubmark.hub.delivery.NextHop;
import org.hubmark.hub.delivery.NextHopSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A connection is kept and used again within its limits, and its end defers nothing; a next hop that
 * can't be reached is passed over and found again. Against scripted next hops.
 */
final class NextHopPoolTest {
    private static final Lease LEASE = TestAgents.lease("Subject: x\r\n\r\n", "b@y.example");
    private static final String[] DELIVERY = {
        "MAIL", "250 ok", "RCPT", "250 ok", "DATA", "354 go", ".", "250 taken"
    };
    private static final String[] ONE = TestAgents.script(TestAgents.greeting(), DELIVERY);

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"421 4.4.2 idle for too long", "close", "garbage"})
    void aConnectionThatEndsWhileIdleDefersNothing(String end) throws Exception {
        String[] ending = end.equals("close")
                ? TestAgents.script(ONE, "close")
                : TestAgents.script(ONE, "MAIL", end.equals("garbage") ? "\u0001" : end, "close");
        try (ScriptedHop hop = ScriptedHop.start(ending, ONE);
                NextHopAgent agent = TestAgents.agent(hop.smtp())) {
            assertThat(agent.deliver(LEASE)).isEqualTo(new Outcome.Delivered());
            assertThat(agent.deliver(LEASE)).isEqualTo(new Outcome.Delivered());
            assertThat(hop.connections()).isEqualTo(2);
        }
    }

    /** The server said so before it was asked anything; the reply stands there when MAIL goes out. */
    @Test
    void aGoodbyeThatWaitsIsNotTheAnswerToAMessage() throws Exception {
        String[] idles = TestAgents.script(ONE, "421 4.4.2 idle", "close");
        try (ScriptedHop hop = ScriptedHop.start(idles, ONE);
                NextHopAgent agent = TestAgents.agent(hop.smtp())) {
            assertThat(agent.deliver(LEASE)).isEqualTo(new Outcome.Delivered());
            assertThat(agent.deliver(LEASE)).isEqualTo(new Outcome.Delivered());
        }
    }

    @Test
    void aKeptConnectionThatIsSilentDefersNothing() throws Exception {
        String[] silent = TestAgents.script(ONE, "MAIL");
        try (ScriptedHop hop = ScriptedHop.start(silent, ONE);
                NextHopAgent agent = TestAgents.impatientAfterMail(hop.smtp())) {
            assertThat(agent.deliver(LEASE)).isEqualTo(new Outcome.Delivered());
            assertThat(agent.deliver(LEASE)).isEqualTo(new Outcome.Delivered());
        }
    }

    /** Its peer has gone without a word, as that of the other one: a message waits for one of them, and not long. */
    @Test
    void connectionsWhosePeerHasGoneCostOneMessageALittle() throws Exception {
        Set<Thread> greeted = ConcurrentHashMap.newKeySet();
        Set<Thread> gone = ConcurrentHashMap.newKeySet();
        AtomicInteger swallowed = new AtomicInteger();
        CountDownLatch both = new CountDownLatch(2);
        CountDownLatch end = new CountDownLatch(1);
        try (OpenHop hop = new OpenHop(List.of(), (command, accepted) -> {
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
                NextHopAgent agent =
                        TestAgents.impatientInDoubt(DeliverySpec.Tls.NONE, hop.smtp());
                ExecutorService deliveries = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Outcome> one = deliveries.submit(() -> agent.deliver(LEASE));
            Future<Outcome> two = deliveries.submit(() -> agent.deliver(LEASE));
            assertThat(one.get()).isEqualTo(new Outcome.Delivered());
            assertThat(two.get()).isEqualTo(new Outcome.Delivered());
            gone.addAll(greeted);
            assertThat(gone).hasSize(2);
            assertThat(agent.deliver(LEASE)).isEqualTo(new Outcome.Delivered());
            assertThat(swallowed).hasValue(1);
            end.countDown();
        }
    }

    @Test
    void aConnectionCarriesSoManyMessagesAndNoMore() throws Exception {
        String[] two = TestAgents.script(ONE, DELIVERY);
        try (ScriptedHop hop = ScriptedHop.start(two, two);
                NextHopAgent agent = TestAgents.agent(
                        TestAgents.settings("delivery.connection-messages-max", "2"),
                        DeliverySpec.Tls.NONE,
                        hop.smtp())) {
            for (int i = 0; i < 4; i++) {
                assertThat(agent.deliver(LEASE)).isEqualTo(new Outcome.Delivered());
            }
            assertThat(hop.connections()).isEqualTo(2);
            await().until(() -> hop.received().split("QUIT").length >= 2);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aConnectionEndsWithItsTime(boolean isOld) throws Exception {
        NextHopSettings settings = isOld
                ? TestAgents.aged(Duration.ofMillis(100))
                : TestAgents.settings("delivery.connection-idle-max", "100ms");
        try (ScriptedHop hop = ScriptedHop.start(ONE, ONE);
                NextHopAgent agent =
                        TestAgents.agent(settings, DeliverySpec.Tls.NONE, hop.smtp())) {
            assertThat(agent.deliver(LEASE)).isEqualTo(new Outcome.Delivered());
            await().until(() -> hop.received().contains("QUIT\r\n"));
            assertThat(agent.deliver(LEASE)).isEqualTo(new Outcome.Delivered());
            assertThat(hop.connections()).isEqualTo(2);
        }
    }

    @Test
    void theNextOneTakesOverAndTheFirstIsFoundAgain() throws Exception {
        String[] twice = TestAgents.script(ONE, DELIVERY);
        try (ScriptedHop first = ScriptedHop.start(new String[] {"421 busy", "close"}, twice);
                ScriptedHop second = ScriptedHop.start(ONE);
                NextHopAgent agent = TestAgents.agent(
                        TestAgents.settings("delivery.next-hop-retry", "0s"),
                        DeliverySpec.Tls.NONE,
                        first.smtp(),
                        second.smtp())) {
            for (int i = 0; i < 3; i++) {
                assertThat(agent.deliver(LEASE)).isEqualTo(new Outcome.Delivered());
            }
            assertThat(second.received().split("MAIL")).hasSize(2);
            assertThat(first.received().split("MAIL")).hasSize(3);
        }
    }

    /** What is wrong with the message that the hop is tried with is no reason never to try it again. */
    @Test
    void aMessageThatCantBeSentShowsThatATroubleIsOver() throws Exception {
        Lease bare = TestAgents.lease("a\nb\r\n", "b@y.example");
        String[] begins = TestAgents.script(
                TestAgents.greeting(), "MAIL", "250 ok", "RCPT", "250 ok", "DATA", "354 go");
        try (ScriptedHop hop = ScriptedHop.start(new String[] {"421 busy", "close"}, begins, ONE);
                NextHopAgent agent = TestAgents.agent(
                        TestAgents.settings("delivery.next-hop-retry", "0s"),
                        DeliverySpec.Tls.NONE,
                        hop.smtp())) {
            assertThat(reason(agent.deliver(LEASE))).contains("421 busy");
            assertThat(agent.deliver(bare)).isInstanceOf(Outcome.Undeliverable.class);
            assertThat(agent.deliver(LEASE)).isEqualTo(new Outcome.Delivered());
        }
    }

    @Test
    void whatCantBeReachedIsLeftAloneForAWhile() throws Exception {
        // Bound, so that nobody else gets the port, and not listening.
        try (Socket bound = new Socket()) {
            bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            isLeftAloneForAWhile(
                    new NextHop(NextHop.Protocol.SMTP, "127.0.0.1", bound.getLocalPort()));
        }
    }

    private static void isLeftAloneForAWhile(NextHop nobody) throws IOException {
        try (NextHopAgent agent = TestAgents.agent(nobody)) {
            assertThat(reason(agent.deliver(LEASE)))
                    .startsWith(nobody + ": ")
                    .doesNotContain("not tried");
            assertThat(reason(agent.deliver(LEASE)))
                    .startsWith(nobody + ": not tried again yet: Connection refused");
        }
    }

    @Test
    void anOperatorHasWhatIsLeftAloneTriedNow() throws Exception {
        try (ScriptedHop hop = ScriptedHop.start(
                        new String[] {"421 busy", "close"},
                        new String[] {"421 full", "close"},
                        ONE);
                NextHopAgent agent = TestAgents.agent(hop.smtp())) {
            assertThat(reason(agent.deliver(LEASE))).contains("421 busy");
            agent.retryNow();
            assertThat(reason(agent.deliver(LEASE))).contains("421 full");
            assertThat(reason(agent.deliver(LEASE))).contains("not tried again yet: ", "421 full");
            agent.retryNow();
            assertThat(agent.deliver(LEASE)).isEqualTo(new Outcome.Delivered());
            assertThat(hop.connections()).isEqualTo(3);
        }
    }

    /** The kernel takes connections to the first hop, and nobody ever greets. */
    @Test
    void aHopThatNeverAnswersHoldsOneDelivery() throws Exception {
        int deliveries = 8;
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                Hub second = discardingHub();
                NextHopAgent agent = TestAgents.agent(
                        new NextHop(NextHop.Protocol.SMTP, "127.0.0.1", silent.getLocalPort()),
                        smtp(second));
                ExecutorService workers = Executors.newFixedThreadPool(deliveries)) {
            List<Future<Outcome>> outcomes = new ArrayList<>();
            for (int i = 0; i < deliveries; i++) {
                outcomes.add(workers.submit(() -> agent.deliver(LEASE)));
            }
            await().until(() -> outcomes.stream().filter(Future::isDone).count() == deliveries - 1);
            silent.accept().close();
            for (Future<Outcome> outcome : outcomes) {
                assertThat(outcome.get()).isEqualTo(new Outcome.Delivered());
            }
        }
    }

    /** A limit on connections from one client is common; the mail waits for those that are there. */
    @Test
    void aHopThatTakesNoMoreConnectionsIsInNoTrouble() throws Exception {
        AtomicInteger greeted = new AtomicInteger();
        try (OpenHop hop = new OpenHop(
                        List.of("PIPELINING"),
                        (command, accepted) -> command.isEmpty() && greeted.incrementAndGet() > 4
                                ? "421 too many connections from you"
                                : null);
                NextHopAgent agent = TestAgents.agent(hop.smtp());
                ExecutorService deliveries = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Outcome>> outcomes = new ArrayList<>();
            for (int i = 0; i < 64; i++) {
                outcomes.add(deliveries.submit(() -> agent.deliver(LEASE)));
            }
            for (Future<Outcome> outcome : outcomes) {
                assertThat(outcome.get()).isEqualTo(new Outcome.Delivered());
            }
        }
    }

    @Test
    void whatHangsAtAHopHoldsUpNothingElse() throws Exception {
        CountDownLatch hanging = new CountDownLatch(1);
        Lease hangs = TestAgents.lease("Subject: x\r\n\r\n", "b@hangs.example");
        try (OpenHop hop = new OpenHop(List.of("PIPELINING", "CHUNKING"), (command, accepted) -> {
                    if (command.startsWith("RCPT TO:<b@hangs")) {
                        hanging.await();
                    }
                    return null;
                });
                NextHopAgent agent = TestAgents.agent(hop.smtp());
                ExecutorService deliveries = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Outcome>> stuck = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                stuck.add(deliveries.submit(() -> agent.deliver(hangs)));
            }
            for (int i = 0; i < 20; i++) {
                assertThat(agent.deliver(LEASE)).isEqualTo(new Outcome.Delivered());
            }
            assertThat(stuck).noneMatch(Future::isDone);
            hanging.countDown();
            for (Future<Outcome> outcome : stuck) {
                assertThat(outcome.get()).isEqualTo(new Outcome.Delivered());
            }
        }
    }

    /** With nowhere else to go, mail waits for the first connection rather than for a retry. */
    @Test
    void theFirstConnectionsOfAHopDeferNothing() throws Exception {
        int deliveries = 8;
        try (Hub hub = discardingHub();
                NextHopAgent agent = TestAgents.agent(smtp(hub));
                ExecutorService workers = Executors.newFixedThreadPool(deliveries)) {
            List<Future<Outcome>> outcomes = new ArrayList<>();
            for (int i = 0; i < deliveries; i++) {
                outcomes.add(workers.submit(() -> agent.deliver(LEASE)));
            }
            for (Future<Outcome> outcome : outcomes) {
                assertThat(outcome.get()).isEqualTo(new Outcome.Delivered());
            }
        }
    }

    @Test
    void abortingEndsTheWaitForAFirstConnection() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                NextHopAgent agent = TestAgents.agent(
                        new NextHop(NextHop.Protocol.SMTP, "127.0.0.1", silent.getLocalPort()));
                ExecutorService workers = Executors.newFixedThreadPool(2)) {
            List<Future<Outcome>> outcomes = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                outcomes.add(workers.submit(() -> agent.deliver(LEASE)));
            }
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
    void aHopThatGreetsWithoutTakingMailIsPassedOver() throws Exception {
        for (String greeting : new String[] {"421 busy", "554 no service", "354 go", "nonsense"}) {
            String said = greeting.equals("nonsense") ? "\u0001" : greeting;
            try (ScriptedHop first = ScriptedHop.start(new String[] {said});
                    ScriptedHop second = ScriptedHop.start(ONE);
                    NextHopAgent agent = TestAgents.agent(first.smtp(), second.smtp())) {
                assertThat(agent.deliver(LEASE)).isEqualTo(new Outcome.Delivered());
            }
        }
    }

    @Test
    void abortingEndsWhatIsUnderWay() throws Exception {
        String[] hangs = TestAgents.script(TestAgents.greeting(), "MAIL");
        try (ScriptedHop hop = ScriptedHop.start(hangs);
                NextHopAgent agent = TestAgents.agent(hop.smtp())) {
            CompletableFuture<Outcome> outcome =
                    CompletableFuture.supplyAsync(() -> agent.deliver(LEASE));
            await().until(() -> hop.received().contains("MAIL"));
            agent.abort();
            assertThat(outcome.join()).isInstanceOf(Outcome.Deferred.class);
            assertThat(agent.deliver(LEASE)).isInstanceOf(Outcome.NotTried.class);
        }
    }

    /** Serves any number of connections. */
    private Hub discardingHub() throws IOException {
        return Hub.start(HubConfigurations.on(
                folder, IntakeKind.DISCARD, new DeliverySpec.Hold(), Map.of()));
    }

    private static NextHop smtp(Hub hub) {
        return new NextHop(NextHop.Protocol.SMTP, "127.0.0.1", hub.address().getPort());
    }

    private static String reason(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Deferred later -> later.reason();
            case Outcome.NotTried none -> none.reason();
            case Outcome.Delivered all -> throw new AssertionError(all);
            case Outcome.Undeliverable never -> throw new AssertionError(never);
            case Outcome.Partial each -> throw new AssertionError(each);
        };
    }
}
