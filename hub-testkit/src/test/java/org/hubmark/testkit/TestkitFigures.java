package org.hubmark.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import org.hubmark.smtp.client.SmtpClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * The figures of docs/embedding.md. Its main method measures them in the JVM that it is started in, so
 * the first test includes that JVM's start.
 */
final class TestkitFigures {
    private static final int CONTENT_BYTES = 4000;
    private static final int CONNECTIONS = 8;
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private TestkitFigures() {}

    /** Prints: first test since the JVM's start in ms, further hubs in ms, messages a second. */
    public static void main(String[] arguments) throws Exception {
        firstTest();
        long uptimeMillis = ManagementFactory.getRuntimeMXBean().getUptime();
        if (arguments.length > 0) {
            System.out.println("first_test_ms " + uptimeMillis);
            return;
        }
        List<Long> starts = new ArrayList<>();
        List<Long> lives = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            long startNanos = System.nanoTime();
            try (TestHub hub = TestHub.start()) {
                starts.add((System.nanoTime() - startNanos) / 1_000_000);
                assertThat(hub.messages()).isEmpty();
            }
            lives.add((System.nanoTime() - startNanos) / 1_000_000);
        }
        List<Long> rates = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            rates.add(messagesPerSecond(10_000));
        }
        System.out.println("first_test_ms " + uptimeMillis + " further_start_ms " + starts
                + " further_start_and_end_ms " + lives + " msgs_per_s " + rates);
    }

    /** Runs a test through JUnit, as a build does. */
    static void firstTest() {
        SummaryGeneratingListener summary = new SummaryGeneratingListener();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(selectClass(FirstTest.class))
                                .build(),
                        summary);
        assertThat(summary.getSummary().getTestsSucceededCount()).isEqualTo(1);
    }

    /** A test that sends a message by hand: what the time of a mail library would hide. */
    @ExtendWith(HubExtension.class)
    static final class FirstTest {
        @Test
        void aMessageArrives(TestHub hub) {
            try (SmtpDialogue client = hub.dialogue()) {
                client.send("a@example.org", List.of("b@example.org"), "Subject: Hi\n\n");
            }
            assertThat(hub.await(1).getFirst()).hasSubject("Hi");
        }
    }

    /**
     * {@return messages of 4 KB a second, from the first connection until the last one is in the
     * mailbox}
     */
    static long messagesPerSecond(int count) throws Exception {
        HubOptions options = HubOptions.defaults().mailboxBytes(1L << 30);
        try (TestHub hub = TestHub.start(options);
                ExecutorService senders = Executors.newFixedThreadPool(CONNECTIONS)) {
            long startNanos = System.nanoTime();
            List<Future<?>> sent = new ArrayList<>();
            for (int i = 0; i < CONNECTIONS; i++) {
                sent.add(senders.submit(() -> {
                    send(hub, count / CONNECTIONS);
                    return null;
                }));
            }
            for (Future<?> one : sent) {
                one.get();
            }
            hub.await(count, LIMIT);
            return count * 1_000_000_000L / (System.nanoTime() - startNanos);
        }
    }

    /** Sends one message after the other, its envelope in one write. */
    private static void send(TestHub hub, int count) throws IOException {
        String content =
                "Subject: x\r\n\r\n" + ("y".repeat(98) + "\r\n").repeat(CONTENT_BYTES / 100);
        byte[] envelope = "MAIL FROM:<a@example.org>\r\nRCPT TO:<b@example.org>\r\nDATA\r\n"
                .getBytes(StandardCharsets.US_ASCII);
        byte[] octets = SmtpClient.stuffed(content.getBytes(StandardCharsets.US_ASCII));
        InetSocketAddress address = new InetSocketAddress(hub.host(), hub.port());
        try (SmtpClient client = SmtpClient.open(address, LIMIT, "client.test")) {
            for (int i = 0; i < count; i++) {
                client.write(envelope);
                for (int code : new int[] {250, 250, 354}) {
                    assertThat(client.reply().code()).isEqualTo(code);
                }
                client.write(octets);
                assertThat(client.reply().code()).isEqualTo(250);
            }
        }
    }
}
