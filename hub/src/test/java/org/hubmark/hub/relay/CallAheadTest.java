package org.hubmark.hub.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.hubmark.hub.Await.await;

import org.hubmark.core.Settings;
import org.hubmark.hub.Hub;
import org.hubmark.hub.ScriptedHop;
import org.hubmark.hub.TestHubs;
import org.hubmark.hub.delivery.DeliverySettings;
import org.hubmark.hub.delivery.DeliverySpec;
import org.hubmark.hub.delivery.NextHop;
import org.hubmark.smtp.client.SmtpClient;
import org.hubmark.smtp.client.SmtpReply;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What can't be asked about a recipient is taken, and holds nobody up: by hops that swallow connections. The answers
 * of one hop are in {@link NextHopDialogueTest}.
 */
@Timeout(60)
final class CallAheadTest {
    /** What a hop says of one recipient. */
    private static final String ASKED = """
            | 220 hi
            EHLO | 250-x, 250 PIPELINING
            MAIL FROM:<> | 250 ok
            RCPT | %s
            QUIT | 221 bye
            """;

    private static final String HANGS = "hello PIPELINING\nMAIL | wait\n";

    private @Nullable CallAhead check;

    @AfterEach
    void close() {
        if (check != null) {
            check.close();
        }
    }

    private CallAhead check(Duration question, NextHop... hops) throws IOException {
        return check(CallAhead.Limits.of(question), hops);
    }

    private CallAhead check(CallAhead.Limits limits, NextHop... hops) throws IOException {
        CallAhead opened = new CallAhead(
                new DeliverySpec.NextHops(List.of(hops), DeliverySpec.Tls.NONE),
                "",
                DeliverySettings.read(Settings.defaults()).nextHop(),
                limits);
        check = opened;
        return opened;
    }

    private static CompletableFuture<Optional<String>> ask(CallAhead check, String name) {
        CompletableFuture<Optional<String>> answer = new CompletableFuture<>();
        check.check(name + "@d.example", answer::complete);
        return answer;
    }

    private static ScriptedHop hop(String... answers) throws IOException {
        return ScriptedHop.start(
                Stream.of(answers).map(ASKED::formatted).collect(Collectors.joining("---\n")));
    }

    /** One question finds out; the next ones don't wait. */
    @Test
    void aHopThatCantBeReachedIsLeftAlone() throws Exception {
        ScriptedHop gone = ScriptedHop.start("");
        gone.close();
        CallAhead asked = check(Duration.ofSeconds(6), gone.smtp());
        assertThat(ask(asked, "a").get()).isEmpty();
        await().until(() -> ask(asked, "b").isDone());
        assertThat(asked.count(CallAhead.Result.UNASKED).sum()).isPositive();
    }

    @Test
    void aHopThatHangsHoldsNobodyUp() throws Exception {
        CallAhead.Limits one = new CallAhead.Limits(
                Duration.ofSeconds(1), Duration.ofHours(1), Duration.ofHours(1), 100, 1, 1);
        // A busy machine may be late for the time that a question has, so there are more than it
        // takes.
        String refuses = ("---\n" + ASKED.formatted("550 5.1.1 nobody")).repeat(19);
        AtomicInteger asks = new AtomicInteger();
        try (ScriptedHop hop = ScriptedHop.start("hello PIPELINING\nMAIL\nNEVER\n" + refuses)) {
            CallAhead asked = check(one, hop.smtp());
            CompletableFuture<Optional<String>> first = ask(asked, "a");
            CompletableFuture<Optional<String>> same = ask(asked, "a");
            await().until(() -> hop.received().contains("MAIL"));
            CompletableFuture<Optional<String>> waiting = ask(asked, "b");
            // Too many questions: taken at once.
            assertThat(ask(asked, "c")).isCompletedWithValue(Optional.empty());
            assertThat(asked.count(CallAhead.Result.UNASKED).sum()).isOne();
            assertThat(first.get()).isEmpty();
            assertThat(same.get()).isEmpty();
            // Its time may be over too, or not yet.
            waiting.get();
            // It was reached, so it is asked again.
            await().until(() -> ask(asked, "d" + asks.incrementAndGet()).get().isPresent());
        }
    }

    /** A JDK of two cores has no common pool for delays, so this may pass there whatever is done. */
    @Test
    void aBusyCommonPoolHoldsNobodyUp() throws Exception {
        CompletableFuture<Void> free = new CompletableFuture<>();
        try (ScriptedHop hop = ScriptedHop.start(HANGS)) {
            for (int i = 0; i < 64; i++) {
                ForkJoinPool.commonPool().execute(free::join);
            }
            CallAhead asked = check(Duration.ofMillis(500), hop.smtp());
            assertThat(ask(asked, "a").get(1, TimeUnit.MINUTES)).isEmpty();
        } finally {
            free.complete(null);
        }
    }

    @Test
    void whoeverWaitsIsAnsweredAtTheEnd() throws Exception {
        try (ScriptedHop hop = ScriptedHop.start(HANGS)) {
            CallAhead asked = check(Duration.ofSeconds(6), hop.smtp());
            CompletableFuture<Optional<String>> answer = ask(asked, "a");
            asked.close();
            assertThat(answer).isCompletedWithValue(Optional.empty());
            assertThat(ask(asked, "b")).isCompletedWithValue(Optional.empty());
        }
    }

    /** A whole hub: what is pipelined is answered in order. */
    @Test
    void aClientReadsTheAnswer(@TempDir Path folder) throws Exception {
        try (ScriptedHop hop = hop("550 5.1.1 nobody", "250 ok");
                Hub hub = TestHubs.start(
                        folder,
                        new DeliverySpec.NextHops(List.of(hop.smtp()), DeliverySpec.Tls.NONE),
                        Map.of("smtp.verify-recipients", "true"));
                SmtpClient client = TestHubs.client(hub)) {
            client.write("MAIL FROM:<s@x>\r\nRCPT TO:<no@y>\r\nRCPT TO:<yes@y>\r\nNOOP\r\n"
                    .getBytes(StandardCharsets.US_ASCII));
            List<SmtpReply> replies = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                replies.add(client.reply());
            }
            assertThat(replies).extracting(SmtpReply::code).containsExactly(250, 550, 250, 250);
            assertThat(replies.get(1).text())
                    .isEqualTo("5.1.1 the next hop refuses this recipient: 550 5.1.1 nobody");
            assertThat(TestHubs.metric(
                            hub, "hubmark_smtp_recipient_checks_total{result=\"refused\"}"))
                    .isOne();
        }
    }

    /** Else a hub in front of a server would send notifications to whomever strangers name. */
    @ParameterizedTest
    @CsvSource({
        "smtp://127.0.0.1:25, smtp.accept-domains, example.org,  ,      true",
        "hold,                smtp.accept-domains, example.org,  ,      false",
        "smtp://127.0.0.1:25, smtp.relay-from,     192.0.2.0/24, ,      false",
        "smtp://127.0.0.1:25, smtp.accept-domains, example.org,  false, false",
    })
    void whereStrangersMaySendTheNextHopIsAskedUnlessToldOtherwise(
            String delivery, String key, String value, @Nullable String verifies, boolean asks)
            throws IOException {
        Map<String, String> given = new HashMap<>(Map.of(key, value));
        if (verifies != null) {
            given.put("smtp.verify-recipients", verifies);
        }
        Settings settings = new Settings(given);
        try (CallAhead opened = CallAhead.open(
                DeliverySpec.parse(delivery), DeliverySettings.read(settings), settings)) {
            assertThat(opened != null).isEqualTo(asks);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"discard", "hold", "directory:/x"})
    void withoutANextHopThereIsNobodyToAsk(String delivery) {
        Settings settings = new Settings(Map.of("smtp.verify-recipients", "true"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CallAhead.check(DeliverySpec.parse(delivery), settings))
                .withMessageContainingAll("smtp.verify-recipients", delivery, "smtp://HOST:PORT");
    }
}
