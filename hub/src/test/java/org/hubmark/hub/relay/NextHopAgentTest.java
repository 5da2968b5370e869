package org.hubmark.hub.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hubmark.hub.Await.await;

import org.hubmark.core.ContentSource;
import org.hubmark.core.Lease;
import org.hubmark.core.Outcome;
import org.hubmark.core.QueueId;
import org.hubmark.hub.Hub;
import org.hubmark.hub.ScriptedHop;
import org.hubmark.hub.TestAgents;
import org.hubmark.hub.TestHubs;
import org.hubmark.hub.delivery.DeliverySpec;
import org.hubmark.hub.delivery.NextHop;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What comes of contents: to a hub of ours, and to scripted next hops where the content is large or can't be read. */
final class NextHopAgentTest {
    private static final Outcome DELIVERED = new Outcome.Delivered();

    /** The first message on a connection is followed by a look whether answers are in step. */
    private static final String CONFIRM = "EHLO a.example\r\n";

    @Test
    void deliversContentAsItIsOverOneConnection(@TempDir Path folder) throws IOException {
        String content = "Subject: dots\r\n\r\n.\r\n..two\r\n.x\r\nno end";
        Path out = folder.resolve("out");
        try (Hub hub = TestHubs.start(folder, new DeliverySpec.Directory(out), Map.of());
                NextHopAgent agent = TestAgents.agent(new NextHop(
                        NextHop.Protocol.SMTP, "127.0.0.1", hub.address().getPort()))) {
            for (int i = 1; i <= 3; i++) {
                assertThat(agent.deliver(TestAgents.lease(content, "a@y.example", "b@y.example")))
                        .isEqualTo(DELIVERED);
            }
            assertThat(hub.counters().connectionsOpened.sum()).isEqualTo(1);
            assertThat(hub.counters().messagesAccepted.sum()).isEqualTo(3);
            await().until(() -> hub.store().orElseThrow().statistics().length().messages() == 0);
        }
        try (Stream<Path> files = Files.list(out)) {
            // Sent as it is; the hub that receives it ends its last line.
            assertThat(files.filter(file -> file.toString().endsWith(".eml")))
                    .hasSize(3)
                    .allSatisfy(file ->
                            assertThat(Files.readString(file)).endsWith("\r\n" + content + "\r\n"));
        }
    }

    @Test
    void aPeerThatDoesNotReadContentDefers() throws Exception {
        Lease large = TestAgents.lease("x".repeat(30 << 20) + "\r\n", "a@y.example");
        try (ScriptedHop hop = ScriptedHop.start("hello\nenvelope\nDATA | 354 go, wait\n");
                NextHopAgent agent = TestAgents.agent(
                        TestAgents.settings(TestAgents.Patience.SHORT, Map.of()),
                        DeliverySpec.Tls.NONE,
                        hop.smtp())) {
            assertThat(agent.deliver(large)).isInstanceOf(Outcome.Deferred.class);
        }
    }

    /** Our own side is wrong about one message; the ones around it are delivered. */
    @Test
    void aContentThatCantBeReadBreaksDownAlone() throws Exception {
        List<Lease> messages = new ArrayList<>();
        for (int i = 1; i <= 3; i++) {
            Lease sound = TestAgents.lease("x\r\n", "b@y.example");
            ContentSource content = i != 2
                    ? sound.content()
                    : () -> {
                        throw new IOException("checksum differs");
                    };
            messages.add(new Lease(new QueueId(i), sound.envelope(), 3, 0, content));
        }
        try (ScriptedHop hop = ScriptedHop.start("""
                        hello PIPELINING, CHUNKING
                        envelope
                        BDAT, RSET, MAIL, RCPT, BDAT | 250 one, 250 reset, 250 mail, 250 rcpt, 250 three
                        """);
                NextHopAgent agent = TestAgents.agent(hop.smtp())) {
            ListedDeliveries deliveries = ListedDeliveries.deliver(agent, messages);
            assertThat(deliveries.outcomes().values()).containsExactly(DELIVERED, DELIVERED);
            assertThat(deliveries.broken()).containsOnlyKeys(new QueueId(2));
            assertThat(deliveries.broken().get(new QueueId(2)))
                    .hasMessageContaining("checksum differs");
        }
    }

    /** What is found in a later block ends the transfer there: nobody has a part of it. */
    @Test
    void aLargeMessageIsCutWhereItIsNoTextAnyMore() throws Exception {
        String lines = ("x".repeat(498) + "\r\n").repeat(600);
        try (ScriptedHop hop = ScriptedHop.start(
                        "hello CHUNKING\nenvelope\nBDAT | 250 next\n---\nhello CHUNKING\n");
                NextHopAgent agent = TestAgents.agent(hop.smtp())) {
            assertThat(agent.deliver(TestAgents.lease(lines + "a\n", "b@y.example")))
                    .isInstanceOf(Outcome.Undeliverable.class);
            assertThat(hop.received()).contains("BDAT 262144\r\n").doesNotContain("LAST");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"PIPELINING", "X-NONE"})
    void aLargeMessageGoesInChunks(String extension) throws Exception {
        String content = ("x".repeat(998) + "\r\n").repeat(600);
        try (ScriptedHop hop = ScriptedHop.start("hello CHUNKING, " + extension
                        + "\nenvelope\nBDAT | 250 one\nBDAT | 250 two\nBDAT | 250 taken\n");
                NextHopAgent agent = TestAgents.agent(hop.smtp())) {
            assertThat(agent.deliver(TestAgents.lease(content, "b@y.example")))
                    .isEqualTo(DELIVERED);
            assertThat(hop.received().replaceAll("BDAT [0-9]+( LAST)?\r\n", ""))
                    .endsWith(content + CONFIRM);
        }
    }

    @Test
    void aRefusedChunkIsTheAnswerToTheMessage() throws Exception {
        Lease large = TestAgents.lease("x".repeat(1 << 20), "b@y.example");
        try (ScriptedHop hop = ScriptedHop.start(
                        "hello CHUNKING\nenvelope\nBDAT | 552 5.3.4 too large\n");
                NextHopAgent agent = TestAgents.agent(hop.smtp())) {
            assertThat(TestAgents.words(agent.deliver(large)))
                    .isEqualTo("undeliverable HOP: 552 5.3.4 too large");
        }
    }
}
