package org.hubmark.hub.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hubmark.hub.Await.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.hubmark.core.BodyType;
import org.hubmark.core.Lease;
import org.hubmark.core.Outcome;
import org.hubmark.core.QueueId;
import org.hubmark.core.RecipientResult;
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
import java.util.Locale;
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
        startPostfix();
        takesMailBySmtp();
    }

    @Test
    void eximTakesMailBySmtp() throws Exception {
        startExim();
        takesMailBySmtp();
    }

    private void takesMailBySmtp() throws Exception {
        try (NextHopAgent agent = TestAgents.agent(hop(NextHop.Protocol.SMTP))) {
            deliversAndRefuses(agent);
            Lease eightBit = TestAgents.lease(
                    BodyType.EIGHT_BIT_MIME, "Subject: 8\r\n\r\n\u00fc\r\n", "good@y.example");
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
        try (NextHopAgent agent = TestAgents.agent(hop(NextHop.Protocol.LMTP))) {
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
    private static void deliversManyUnderWay(NextHopAgent agent) {
        List<Lease> messages = new ArrayList<>();
        for (int i = 0; i < PIPELINED; i++) {
            String[] recipients = switch (i % 3) {
                case 0 -> new String[] {"good@y.example"};
                case 1 -> new String[] {"nobody@y.example"};
                default -> new String[] {"nobody@y.example", "good@y.example"};
            };
            Lease lease = TestAgents.lease("Subject: " + i + "\r\n" + BODY, recipients);
            messages.add(new Lease(
                    new QueueId(1 + i), lease.envelope(), lease.sizeBytes(), 0, lease.content()));
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
    private static void deliversAndRefuses(NextHopAgent agent) {
        assertThat(agent.deliver(TestAgents.lease(CONTENT, "good@y.example")))
                .isEqualTo(new Outcome.Delivered());
        assertThat(agent.deliver(TestAgents.lease(CONTENT, "nobody@y.example")))
                .isInstanceOfSatisfying(
                        Outcome.Undeliverable.class,
                        never -> assertThat(never.reason()).contains(": 550 5.1.1 "));
        Outcome both =
                agent.deliver(TestAgents.lease(CONTENT, "good@y.example", "nobody@y.example"));
        assertThat(both)
                .isInstanceOfSatisfying(
                        Outcome.Partial.class,
                        partial -> assertThat(partial.results())
                                .extracting(RecipientResult::state)
                                .containsExactly(
                                        RecipientResult.State.DELIVERED,
                                        RecipientResult.State.FAILED));
    }

    private void startPostfix() throws Exception {
        Path mail = server.folderOf("nobody", "mail");
        int nobody = (Integer) Files.getAttribute(mail, "unix:uid");
        int nogroup = (Integer) Files.getAttribute(mail, "unix:gid");
        server.startPostfix(
                String.format(Locale.ROOT, """
                myhostname = mx.y.example
                smtpd_relay_restrictions = permit_mynetworks, reject
                virtual_mailbox_domains = y.example
                virtual_mailbox_base = %1$s
                virtual_mailbox_maps = inline:{ good@y.example=good/ }
                virtual_minimum_uid = 1
                virtual_uid_maps = static:%2$d
                virtual_gid_maps = static:%3$d
                """, mail, nobody, nogroup),
                String.format(Locale.ROOT, """
                127.0.0.1:%d inet n - n - - smtpd
                virtual  unix - n n -   - virtual
                """, server.port()));
    }

    private void startExim() throws Exception {
        Path mail = server.folderOf("nobody", "mail");
        server.start(server.exim(
                String.format(Locale.ROOT, """
                primary_hostname = mx.y.example
                tls_advertise_hosts =
                acl_smtp_rcpt = recipient
                acl_smtp_data = accept
                smtp_accept_queue_per_connection = 0
                begin acl
                recipient:
                  accept local_parts = good
                         domains = y.example
                  deny message = 550 5.1.1 no such user here
                begin routers
                mailbox:
                  driver = accept
                  transport = maildir
                begin transports
                maildir:
                  driver = appendfile
                  directory = %s/good
                  maildir_format
                  create_directory
                  user = nobody
                  group = nogroup
                """, mail),
                "-bdf",
                "-oX",
                "127.0.0.1." + server.port()));
    }

    private void startDovecot() throws Exception {
        Path program = PeerServer.installed("dovecot");
        assumeTrue(
                Files.isExecutable(Path.of("/usr/lib/dovecot/lmtp")),
                "Dovecot's lmtp is not installed");
        Path mail = server.folderOf("nobody", "mail");
        int nobody = (Integer) Files.getAttribute(mail, "unix:uid");
        int nogroup = (Integer) Files.getAttribute(mail, "unix:gid");
        Files.writeString(
                folder.resolve("users"),
                "good::" + nobody + ":" + nogroup + "::" + mail + "/good::\n");
        Path configuration = Files.writeString(
                folder.resolve("dovecot.conf"),
                String.format(Locale.ROOT, """
                protocols = lmtp
                base_dir = %1$s/run
                state_dir = %1$s/state
                log_path = %1$s/dovecot.log
                ssl = no
                mail_location = maildir:%%h
                first_valid_uid = 1
                first_valid_gid = 1
                auth_username_format = %%n
                service lmtp {
                  inet_listener lmtp {
                    address = 127.0.0.1
                    port = %2$d
                  }
                }
                passdb {
                  driver = passwd-file
                  args = %1$s/users
                }
                userdb {
                  driver = passwd-file
                  args = %1$s/users
                }
                """, folder, server.port()));
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
