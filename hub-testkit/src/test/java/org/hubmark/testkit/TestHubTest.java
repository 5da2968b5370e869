package org.hubmark.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/** What a hub under test keeps, loses, shows and says, without an extension around it. */
final class TestHubTest {
    private static final List<String> TO = List.of("b@example.org");
    private static final Duration LIMIT = Duration.ofMinutes(1);

    @Test
    void aFailedWaitSaysWhatCameInstead() {
        HubOptions options = HubOptions.defaults().waitAtMost(Duration.ofMillis(200));
        try (TestHub hub = TestHub.start(options)) {
            hub.faults().answer("MAIL", 2, "451 4.3.0 later");
            send(hub, "Subject: first\n\n100% here");
            try (SmtpDialogue client = hub.dialogue()) {
                client.offer("a@example.org", TO, "Subject: second\n\n");
            }
            hub.await(1, LIMIT);
            awaitQueued(hub, 0);
            assertThatThrownBy(() -> hub.await(2))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContainingAll(
                            "waited 200 ms for 2 messages",
                            "1 delivered:",
                            "subject 'first'",
                            "2 connections, 1 messages accepted, 0 in the queue",
                            "MAIL of 127.0.0.1: answered 451 4.3.0 later");
        }
    }

    /** What was delivered leaves the queue a moment later. */
    private static void awaitQueued(TestHub hub, long left) {
        hub.await(
                left + " in the queue",
                messages ->
                        hub.hub().store().orElseThrow().statistics().length().messages() == left,
                LIMIT);
    }

    @Test
    void aFullMailboxHoldsDeliveriesBack() {
        try (TestHub hub = TestHub.start(HubOptions.defaults().mailboxBytes(2500))) {
            for (int i = 0; i < 3; i++) {
                send(hub, "x".repeat(900) + "\n");
            }
            assertThat(hub.await(2)).hasSize(2);
            awaitQueued(hub, 1);
            assertThatThrownBy(() -> hub.await(3, Duration.ofMillis(200)))
                    .hasMessageContaining("1 in the queue");
            hub.clear();
            assertThat(hub.await(1)).hasSize(1);
        }
    }

    @Test
    void aRestartKeepsThePortAndTheQueue() {
        try (TestHub hub = TestHub.start()) {
            int port = hub.port();
            hub.pauseDelivery();
            send(hub, "Subject: one\n\n");
            hub.restart();
            assertThat(hub.port()).isEqualTo(port);
            hub.resumeDelivery();
            assertThat(hub.await(1).getFirst()).hasSubject("one");
        }
    }

    @Test
    void onDiskACrashIsThatOfTheProcess() {
        try (TestHub hub = TestHub.start(HubOptions.defaults().onDisk().durability("none"))) {
            hub.pauseDelivery();
            send(hub, "Subject: one\n\n");
            hub.crash();
            hub.resumeDelivery();
            assertThat(hub.await(1).getFirst()).hasSubject("one");
            assertThatThrownBy(() -> hub.faults().failSync(1)).hasMessageContaining("onDisk");
        }
    }

    /** With the same number of unsynced messages the same seeds lose some, and synced none. */
    @Test
    void aPowerCutLosesWhatWasNotSynced() {
        assertThat(leftAfterPowerCuts("synced")).isEqualTo(20);
        assertThat(leftAfterPowerCuts("none")).isLessThan(20);
    }

    private static int leftAfterPowerCuts(String durability) {
        int left = 0;
        for (int seed = 1; seed <= 4; seed++) {
            try (TestHub hub = TestHub.start(HubOptions.defaults().durability(durability))) {
                hub.pauseDelivery();
                for (int i = 0; i < 5; i++) {
                    send(hub, "Subject: " + i + "\n\n" + "x".repeat(3000));
                }
                hub.crash(seed);
                int expected = (int)
                        hub.hub().store().orElseThrow().statistics().length().messages();
                hub.resumeDelivery();
                left += hub.await(expected).size();
            }
        }
        return left;
    }

    @Test
    void hubsBesideEachOtherDoNotMix() throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Future<List<String>>> subjects = IntStream.range(0, 8)
                    .mapToObj(number -> threads.submit(() -> {
                        try (TestHub hub = TestHub.start()) {
                            send(hub, "Subject: " + number + "\n\n");
                            hub.crash();
                            send(hub, "Subject: " + number + "\n\n");
                            return hub.await(2).stream()
                                    .map(ReceivedMessage::subject)
                                    .distinct()
                                    .toList();
                        }
                    }))
                    .toList();
            for (int number = 0; number < 8; number++) {
                assertThat(subjects.get(number).get()).containsExactly(String.valueOf(number));
            }
        }
    }

    @Test
    void aClosedHubSaysSo() {
        TestHub hub = TestHub.start();
        hub.close();
        hub.close();
        assertThatThrownBy(hub::hub).hasMessage("the hub is closed");
        assertThatThrownBy(() -> hub.await(1, Duration.ofMillis(50)))
                .hasMessageContaining("the hub is closed");
    }

    @Test
    void aSettingThatNobodyKnowsIsNamed() {
        assertThatThrownBy(() -> TestHub.start(HubOptions.defaults().setting("smtp.nosuch", "1")))
                .hasMessageContaining("unknown setting smtp.nosuch");
    }

    private static void send(TestHub hub, String content) {
        try (SmtpDialogue client = hub.dialogue()) {
            client.send("a@example.org", TO, content);
        }
    }
}
