package org.hubmark.hub.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hubmark.hub.Await.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.hubmark.core.BodyType;
import org.hubmark.core.DeliveryAgent;
import org.hubmark.core.Lease;
import org.hubmark.core.Outcome;
import org.hubmark.core.QueueId;
import org.hubmark.hub.PeerServer;
import org.hubmark.hub.TestAgents;
import org.hubmark.hub.delivery.NextHop;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Delivers to servers that others wrote: Postfix and Exim by SMTP, Dovecot by LMTP. Each has one user,
 * {@code good}.
 */
@Tag("long")
final class NextHopInteropTest {
    private static final String BODY = "\r\n.\r\n..two\r\n.x\r\n" + "y".repeat(998) + "\r\nend\r\n";
    private static final String CONTENT = "Subject: interop\r\n" + BODY;

    /** More than are under way at once. */
    private static final int PIPELINED = 45;

    private static final int PIPELINED_TAKEN = 30;

    @TempDir
    private Path folder;

    private PeerServer server;

    @BeforeEach
    void prepare() throws Exception {
        server = PeerServer.in(folder);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void postfixTakesMailBySmtp() throws Exception {
        server.startPostfix(PeerServer.template("postfix-server.conf", mailbox()));
        takesMailBySmtp();
    }

    @Test
    void eximTakesMailBySmtp() throws Exception {
        server.start(server.exim(
                PeerServer.template("exim-server.conf", mailbox()),
                "-bdf",
                "-oX",
                "127.0.0.1." + server.port()));
        takesMailBySmtp();
    }

    private void takesMailBySmtp() throws Exception {
        try (DeliveryAgent agent = TestAgents.agent(hop(NextHop.Protocol.SMTP))) {
            deliversAndRefuses(agent);
            Lease eightBit = TestAgents.lease(
                    1,
                    BodyType.EIGHT_BIT_MIME,
                    "s@x.example",
                    "Subject: 8\r\n\r\n\u00fc\r\n",
                    "good@y.example");
            assertThat(agent.deliver(eightBit)).isEqualTo(new Outcome.Delivered());
            assertThat(agent.deliver(TestAgents.lease("a\n.\r\nb\r\n", "good@y.example")))
                    .as("neither has BINARYMIME")
                    .isInstanceOf(Outcome.Undeliverable.class);
            deliversManyUnderWay(agent);
        }
        await().atMost(PeerServer.START_MAX)
                .until(() -> mail(folder.resolve("mail/good")).size() == 3 + PIPELINED_TAKEN);
        assertThat(mail(folder.resolve("mail/good")))
                .anySatisfy(text -> assertThat(text).endsWith(unixLines(BODY)));
    }

    @Test
    void dovecotTakesMailByLmtp() throws Exception {
        startDovecot();
        try (DeliveryAgent agent = TestAgents.agent(hop(NextHop.Protocol.LMTP))) {
            deliversAndRefuses(agent);
            Lease twice = TestAgents.lease(CONTENT, "good@y.example", "good@y.example");
            assertThat(agent.deliver(twice)).isEqualTo(new Outcome.Delivered());
            deliversManyUnderWay(agent);
        }
        assertThat(mail(folder.resolve("mail/good")))
                .hasSizeGreaterThanOrEqualTo(3 + PIPELINED_TAKEN)
                .anySatisfy(text -> assertThat(text).endsWith(unixLines(BODY)));
    }

    /** One behind the other on one connection; what is refused of one is not the next one's. */
    private static void deliversManyUnderWay(DeliveryAgent agent) {
        List<Lease> messages = new ArrayList<>();
        for (int i = 0; i < PIPELINED; i++) {
            String[] recipients = switch (i % 3) {
                case 0 -> new String[] {"good@y.example"};
                case 1 -> new String[] {"nobody@y.example"};
                default -> new String[] {"nobody@y.example", "good@y.example"};
            };
            messages.add(TestAgents.lease(
                    1 + i,
                    BodyType.SEVEN_BIT,
                    "s@x.example",
                    "Subject: " + i + "\r\n" + BODY,
                    recipients));
        }
        Map<QueueId, Outcome> outcomes =
                ListedDeliveries.deliver(agent, messages).outcomes();
        assertThat(outcomes).hasSize(PIPELINED);
        for (int i = 0; i < PIPELINED; i++) {
            assertThat(outcomes.get(new QueueId(1 + i)))
                    .isInstanceOf(
                            switch (i % 3) {
                                case 0 -> Outcome.Delivered.class;
                                case 1 -> Outcome.Undeliverable.class;
                                default -> Outcome.Partial.class;
                            });
        }
    }

    /** Two messages for the user, one of them also for somebody who isn't there. */
    private static void deliversAndRefuses(DeliveryAgent agent) {
        assertThat(agent.deliver(TestAgents.lease(CONTENT, "good@y.example")))
                .isEqualTo(new Outcome.Delivered());
        assertThat(TestAgents.words(agent.deliver(TestAgents.lease(CONTENT, "nobody@y.example"))))
                .startsWith("undeliverable HOP: 550 5.1.1 ");
        Outcome both =
                agent.deliver(TestAgents.lease(CONTENT, "good@y.example", "nobody@y.example"));
        assertThat(TestAgents.words(both)).startsWith("DELIVERED & FAILED HOP: 550 5.1.1 ");
    }

    private Map<String, ?> mailbox() throws Exception {
        Path mail = server.folderOf("nobody", "mail");
        return Map.of(
                "mail", mail,
                "uid", Files.getAttribute(mail, "unix:uid"),
                "gid", Files.getAttribute(mail, "unix:gid"),
                "folder", folder,
                "port", server.port());
    }

    private void startDovecot() throws Exception {
        Path program = PeerServer.installed("dovecot");
        assumeTrue(
                Files.isExecutable(Path.of("/usr/lib/dovecot/lmtp")),
                "Dovecot's lmtp is not installed");
        Map<String, ?> mailbox = mailbox();
        Files.writeString(
                folder.resolve("users"),
                "good::%s:%s::%s/good::\n"
                        .formatted(mailbox.get("uid"), mailbox.get("gid"), mailbox.get("mail")));
        Path configuration = Files.writeString(
                folder.resolve("dovecot.conf"), PeerServer.template("dovecot.conf", mailbox));
        server.start(List.of(program.toString(), "-F", "-c", configuration.toString()));
    }

    private NextHop hop(NextHop.Protocol protocol) {
        return new NextHop(protocol, "127.0.0.1", server.port());
    }

    private static List<String> mail(Path maildir) throws IOException {
        Path arrived = maildir.resolve("new");
        if (!Files.isDirectory(arrived)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(arrived)) {
            return files.map(PeerServer::read).toList();
        }
    }

    /** A maildir has lines as the system has them. */
    private static String unixLines(String text) {
        return text.replace("\r\n", "\n");
    }
}
