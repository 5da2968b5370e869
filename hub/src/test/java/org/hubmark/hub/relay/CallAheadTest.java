package org.hubmark.hub.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hubmark.hub.Await.await;

import org.hubmark.core.Settings;
import org.hubmark.hub.Hub;
import org.hubmark.hub.HubConfigurations;
import org.hubmark.hub.IntakeKind;
import org.hubmark.hub.ScriptedHop;
import org.hubmark.hub.TestAgents;
import org.hubmark.hub.delivery.DeliverySettings;
import org.hubmark.hub.delivery.DeliverySpec;
import org.hubmark.hub.delivery.NextHop;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The next hop is asked about a recipient once, by a 5xx of its alone one is refused, and what can't be
 * asked is taken. Method: scripted next hops, and hops that swallow connections.
 */
@Timeout(60)
final class CallAheadTest {
    private @Nullable CallAhead check;

    @AfterEach
    void close() {
        if (check != null) {
            check.close();
        }
    }

    private CallAhead check(NextHop... hops) throws IOException {
        return check(CallAhead.Limits.of(Duration.ofSeconds(6)), hops);
    }

    private CallAhead check(CallAhead.Limits limits, NextHop... hops) throws IOException {
        return check(limits, DeliverySpec.Tls.NONE, hops);
    }

    private CallAhead check(CallAhead.Limits limits, DeliverySpec.Tls tls, NextHop... hops)
            throws IOException {
        CallAhead opened = new CallAhead(
                new DeliverySpec.NextHops(List.of(hops), tls),
                "",
                DeliverySettings.read(Settings.defaults()).nextHop(),
                limits);
        check = opened;
        return opened;
    }

    /** {@return what keeps answers for a time, and so many} */
    private static CallAhead.Limits kept(Duration time, int answersMax) {
        return new CallAhead.Limits(Duration.ofSeconds(6), time, time, answersMax, 4, 100);
    }

    private static CompletableFuture<Optional<String>> ask(CallAhead check, String path) {
        CompletableFuture<Optional<String>> answer = new CompletableFuture<>();
        check.check(path, answer::complete);
        return answer;
    }

    private static String[] script(String rcpt) {
        return TestAgents.script(
                TestAgents.greeting("PIPELINING"),
                "MAIL FROM:<>",
                "250 ok",
                "RCPT",
                rcpt,
                "QUIT",
                "221 bye");
    }

    private static String[] lmtp(String rcpt) {
        return new String[] {
            "220 hi", "LHLO", "250 hop", "MAIL FROM:<>", "250 ok", "RCPT", rcpt, "QUIT", "221 bye"
        };
    }

    @Test
    void answersAreKept() throws Exception {
        try (ScriptedHop hop = ScriptedHop.start(
                script("250 ok"), script("550 5.1.1 nobody"), script("550 5.1.1 case counts"))) {
            CallAhead asked = check(hop.smtp());
            assertThat(ask(asked, "yes@d.example").get()).isEmpty();
            assertThat(ask(asked, "no@d.example").get())
                    .hasValueSatisfying(text -> assertThat(text).contains("550 5.1.1 nobody"));
            assertThat(ask(asked, "yes@D.Example").get()).isEmpty();
            assertThat(ask(asked, "no@D.example").get()).isPresent();
            assertThat(hop.connections()).isEqualTo(2);
            assertThat(ask(asked, "Yes@d.example").get()).isPresent();
            assertThat(hop.received())
                    .contains("MAIL FROM:<>\r\nRCPT TO:<yes@d.example>\r\nQUIT\r\n")
                    .doesNotContain("DATA");
            assertThat(asked.count(CallAhead.Result.ACCEPTED).sum()).isOne();
            assertThat(asked.count(CallAhead.Result.REFUSED).sum()).isEqualTo(2);
        }
    }

    @Test
    void answersEnd() throws Exception {
        try (ScriptedHop hop =
                ScriptedHop.start(script("250 ok"), script("550 gone"), script("250 back"))) {
            CallAhead asked = check(kept(Duration.ZERO, 100), hop.smtp());
            assertThat(ask(asked, "a@d.example").get()).isEmpty();
            assertThat(ask(asked, "a@d.example").get()).isPresent();
            assertThat(ask(asked, "a@d.example").get()).isEmpty();
        }
    }

    @Test
    void theOldestAnswerIsForgotten() throws Exception {
        try (ScriptedHop hop =
                ScriptedHop.start(script("550 a"), script("550 b"), script("550 a again"))) {
            CallAhead asked = check(kept(Duration.ofHours(1), 1), hop.smtp());
            for (String path : new String[] {"a@d.example", "b@d.example", "a@d.example"}) {
                assertThat(ask(asked, path).get()).isPresent();
            }
            assertThat(hop.connections()).isEqualTo(3);
        }
    }

    @Test
    void lmtpHopsAreAskedToo() throws Exception {
        try (ScriptedHop hop = ScriptedHop.start(lmtp("550 5.1.1 nobody"))) {
            assertThat(ask(check(hop.lmtp()), "a@d.example").get()).isPresent();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "450 4.2.1 greylisted",
                "421 4.3.2 later",
                "552 5.5.3 too many",
                "504 5.5.2 <hub>: Helo command rejected",
                "530 5.7.1 authenticate first",
                "close"
            })
    void whatIsNoAnswerTakesTheRecipientAndIsNotKept(String rcpt) throws Exception {
        try (ScriptedHop hop = ScriptedHop.start(script(rcpt), script("550 5.1.1 nobody"))) {
            CallAhead asked = check(hop.smtp());
            assertThat(ask(asked, "a@d.example").get()).isEmpty();
            assertThat(asked.count(CallAhead.Result.UNANSWERED).sum()).isOne();
            assertThat(ask(asked, "a@d.example").get()).isPresent();
        }
    }

    @Test
    void aHopThatRefusesTheNullSenderSaysNothingOfTheRecipient() throws Exception {
        String[] script =
                TestAgents.script(TestAgents.greeting("PIPELINING"), "MAIL", "550 no bounces");
        try (ScriptedHop hop = ScriptedHop.start(script)) {
            assertThat(ask(check(hop.smtp()), "a@d.example").get()).isEmpty();
        }
    }

    @Test
    void theSecondHopIsAskedWhereTheFirstCantBeReached() throws Exception {
        ScriptedHop gone = ScriptedHop.start();
        gone.close();
        try (ScriptedHop hop = ScriptedHop.start(script("550 5.1.1 nobody"))) {
            NextHop unknown = new NextHop(NextHop.Protocol.SMTP, "[", 25);
            CallAhead asked = check(unknown, gone.smtp(), hop.smtp());
            assertThat(ask(asked, "a@d.example").get()).isPresent();
        }
    }

    /** The first question has time for both, and the next ones don't wait. */
    @Test
    void whereTlsHangsItIsAskedInPlainText() throws Exception {
        String[] begins = TestAgents.greeting("STARTTLS");
        String[] hangs = TestAgents.script(begins, "STARTTLS", "220 go", "never said");
        String[] refuses = TestAgents.script(
                begins, "MAIL FROM:<>", "250 ok", "RCPT", "550 5.1.1 nobody", "QUIT", "221 bye");
        try (ScriptedHop hop = ScriptedHop.start(hangs, refuses, refuses)) {
            CallAhead asked = check(
                    CallAhead.Limits.of(Duration.ofSeconds(3)),
                    DeliverySpec.Tls.OPPORTUNISTIC,
                    hop.smtp());
            assertThat(ask(asked, "a@d.example").get()).isPresent();
            assertThat(ask(asked, "b@d.example").get()).isPresent();
            assertThat(hop.received().split("STARTTLS")).hasSize(2);
        }
    }

    /** One question finds out; the next ones don't wait. */
    @Test
    void aHopThatCantBeReachedIsLeftAlone() throws Exception {
        ScriptedHop gone = ScriptedHop.start();
        gone.close();
        CallAhead asked = check(gone.smtp());
        assertThat(ask(asked, "a@d.example").get()).isEmpty();
        await().until(() -> ask(asked, "b@d.example").isDone());
        assertThat(asked.count(CallAhead.Result.UNASKED).sum()).isPositive();
    }

    @Test
    void aHopThatHangsHoldsNobodyUp() throws Exception {
        CallAhead.Limits one = new CallAhead.Limits(
                Duration.ofSeconds(1), Duration.ofHours(1), Duration.ofHours(1), 100, 1, 1);
        String[] hangs = TestAgents.script(TestAgents.greeting("PIPELINING"), "MAIL", "NEVER");
        // A busy machine may be late for the time that a question has, so there are more than it
        // takes.
        String[][] scripts = new String[20][];
        Arrays.fill(scripts, script("550 5.1.1 nobody"));
        scripts[0] = hangs;
        AtomicInteger asks = new AtomicInteger();
        try (ScriptedHop hop = ScriptedHop.start(scripts)) {
            CallAhead asked = check(one, hop.smtp());
            CompletableFuture<Optional<String>> first = ask(asked, "a@d.example");
            CompletableFuture<Optional<String>> same = ask(asked, "a@d.example");
            await().until(() -> hop.received().contains("MAIL"));
            CompletableFuture<Optional<String>> waiting = ask(asked, "b@d.example");
            // Too many questions: taken at once.
            assertThat(ask(asked, "c@d.example")).isCompletedWithValue(Optional.empty());
            assertThat(asked.count(CallAhead.Result.UNASKED).sum()).isOne();
            assertThat(first.get()).isEmpty();
            assertThat(same.get()).isEmpty();
            // Its time may be over too, or not yet.
            waiting.get();
            // It was reached, so it is asked again.
            await().until(() -> ask(asked, "d" + asks.incrementAndGet() + "@d.example")
                    .get()
                    .isPresent());
        }
    }

    /** A JDK of two cores has no common pool for delays, so this may pass there whatever is done. */
    @Test
    void aBusyCommonPoolHoldsNobodyUp() throws Exception {
        String[] hangs = TestAgents.script(TestAgents.greeting("PIPELINING"), "MAIL", "wait");
        CountDownLatch busy = new CountDownLatch(1);
        try (ScriptedHop hop = ScriptedHop.start(hangs)) {
            for (int i = 0; i < 64; i++) {
                ForkJoinPool.commonPool().execute(() -> awaitUninterruptibly(busy));
            }
            CallAhead asked = check(CallAhead.Limits.of(Duration.ofMillis(500)), hop.smtp());
            assertThat(ask(asked, "a@d.example").get(20, TimeUnit.SECONDS)).isEmpty();
        } finally {
            busy.countDown();
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void whoeverWaitsIsAnsweredAtTheEnd() throws Exception {
        String[] hangs = TestAgents.script(TestAgents.greeting("PIPELINING"), "MAIL", "wait");
        try (ScriptedHop hop = ScriptedHop.start(hangs)) {
            CallAhead asked = check(hop.smtp());
            CompletableFuture<Optional<String>> answer = ask(asked, "a@d.example");
            asked.close();
            assertThat(answer).isCompletedWithValue(Optional.empty());
            assertThat(ask(asked, "b@d.example")).isCompletedWithValue(Optional.empty());
        }
    }

    /** A whole hub: what is pipelined is answered in order. */
    @Test
    void aClientReadsTheAnswer(@TempDir Path folder) throws Exception {
        Map<String, String> settings = Map.of("smtp.verify-recipients", "true");
        try (ScriptedHop hop = ScriptedHop.start(script("550 5.1.1 nobody"), script("250 ok"));
                Hub hub = Hub.start(HubConfigurations.on(
                        folder,
                        IntakeKind.STORE,
                        new DeliverySpec.NextHops(List.of(hop.smtp()), DeliverySpec.Tls.NONE),
                        settings));
                Socket client = new Socket()) {
            client.connect(hub.address());
            InputStream in = client.getInputStream();
            // Who speaks before the greeting isn't served.
            while (in.read() != '\n') {}
            client.getOutputStream().write("""
                            HELO c\r
                            MAIL FROM:<s@x>\r
                            RCPT TO:<no@y>\r
                            RCPT TO:<yes@y>\r
                            NOOP\r
                            QUIT\r
                            """.getBytes(StandardCharsets.US_ASCII));
            String replies = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
            assertThat(replies.lines().map(line -> line.substring(0, 3)))
                    .containsExactly("250", "250", "550", "250", "250", "221");
            assertThat(replies)
                    .contains(
                            "550 5.1.1 the next hop refuses this recipient: 550 5.1.1 nobody\r\n");
            assertThat(hub.metrics())
                    .contains("hubmark_smtp_recipient_checks_total{result=\"refused\"} 1.0");
        }
    }

    /** Else a hub in front of a server would send notifications to whomever strangers name. */
    @Test
    void whereStrangersMaySendTheNextHopIsAskedUnlessToldOtherwise() throws IOException {
        String hop = "smtp://127.0.0.1:25";
        Map<String, String> domains = Map.of("smtp.accept-domains", "example.org");
        assertThat(asks(hop, domains)).isTrue();
        assertThat(asks("hold", domains)).isFalse();
        assertThat(asks(hop, Map.of("smtp.relay-from", "192.0.2.0/24"))).isFalse();
        assertThat(asks(
                        hop,
                        Map.of(
                                "smtp.accept-domains", "example.org",
                                "smtp.verify-recipients", "false")))
                .isFalse();
    }

    private static boolean asks(String delivery, Map<String, String> given) throws IOException {
        Settings settings = new Settings(given);
        try (CallAhead opened = CallAhead.open(
                DeliverySpec.parse(delivery), DeliverySettings.read(settings), settings)) {
            return opened != null;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"discard", "hold", "directory:/x"})
    void withoutANextHopThereIsNobodyToAsk(String delivery) {
        Settings settings = new Settings(Map.of("smtp.verify-recipients", "true"));
        assertThatThrownBy(() -> CallAhead.check(DeliverySpec.parse(delivery), settings))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("smtp.verify-recipients")
                .hasMessageContaining(delivery)
                .hasMessageContaining("smtp://HOST:PORT");
    }
}
