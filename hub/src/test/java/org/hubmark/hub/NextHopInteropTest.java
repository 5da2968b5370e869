package org.hubmark.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.hubmark.core.BodyType;
import org.hubmark.core.Lease;
import org.hubmark.core.Outcome;
import org.hubmark.core.RecipientResult;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Delivers to servers that others wrote: Postfix by SMTP, Dovecot by LMTP. Each runs from a folder of its
 * own on a free port of loopback, as root, with one user {@code good}; where it isn't installed the test is
 * skipped.
 */
@Tag("long")
final class NextHopInteropTest {
    private static final Duration START_MAX = Duration.ofSeconds(60);
    private static final String BODY = "\r\n.\r\n..two\r\n.x\r\n" + "y".repeat(998) + "\r\nend\r\n";
    private static final String CONTENT = "Subject: interop\r\n" + BODY;

    @TempDir
    private Path folder;

    private int port;
    private @Nullable Process server;

    @BeforeEach
    void findPort() throws IOException {
        assumeTrue(
                "root".equals(System.getProperty("user.name")), "mail servers need root to start");
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        // The servers' own users have to get through.
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @AfterEach
    void stop() {
        Process running = server;
        if (running != null) {
            // Postfix's start script waits for its master without passing a signal on to it.
            List<ProcessHandle> all = Stream.concat(
                            running.descendants(), Stream.of(running.toHandle()))
                    .toList();
            all.forEach(ProcessHandle::destroy);
            for (ProcessHandle one : all) {
                one.onExit().orTimeout(20, TimeUnit.SECONDS).join();
            }
        }
    }

    @Test
    void postfixTakesMailBySmtp() throws Exception {
        startPostfix();
        try (NextHopAgent agent = TestAgents.agent(hop(NextHop.Protocol.SMTP))) {
            deliversAndRefuses(agent);
            Lease eightBit = TestAgents.lease(
                    BodyType.EIGHT_BIT_MIME, "Subject: 8\r\n\r\n\u00fc\r\n", "good@y.example");
            assertThat(agent.deliver(eightBit)).isEqualTo(new Outcome.Delivered());
            assertThat(agent.deliver(TestAgents.lease("a\n.\r\nb\r\n", "good@y.example")))
                    .as("Postfix has no BINARYMIME")
                    .isInstanceOf(Outcome.Undeliverable.class);
        }
        await().atMost(START_MAX).until(() -> mail(folder.resolve("mail/good")).size() == 3);
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
        }
        assertThat(mail(folder.resolve("mail/good")))
                .hasSizeGreaterThanOrEqualTo(3)
                .anySatisfy(text -> assertThat(text).endsWith(unixLines(BODY)));
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
        Path program = installed("/usr/sbin/postfix");
        Path etc = Files.createDirectory(folder.resolve("etc"));
        for (String name : List.of("spool", "lib", "log", "mail")) {
            Files.createDirectory(folder.resolve(name));
        }
        Path log = Files.createFile(folder.resolve("log/mail.log"));
        own("postfix", folder.resolve("lib"), folder.resolve("log"), log);
        own("nobody", folder.resolve("mail"));
        int nobody = (Integer) Files.getAttribute(folder.resolve("mail"), "unix:uid");
        int nogroup = (Integer) Files.getAttribute(folder.resolve("mail"), "unix:gid");
        Files.writeString(etc.resolve("main.cf"), """
                compatibility_level = 3.6
                queue_directory = %1$s/spool
                data_directory = %1$s/lib
                myhostname = mx.y.example
                mydestination =
                inet_interfaces = 127.0.0.1
                inet_protocols = ipv4
                mynetworks = 127.0.0.0/8
                smtpd_relay_restrictions = permit_mynetworks, reject
                virtual_mailbox_domains = y.example
                virtual_mailbox_base = %1$s/mail
                virtual_mailbox_maps = inline:{ good@y.example=good/ }
                virtual_minimum_uid = 1
                virtual_uid_maps = static:%2$d
                virtual_gid_maps = static:%3$d
                alias_maps =
                alias_database =
                maillog_file = %1$s/log/mail.log
                maillog_file_prefixes = %1$s/log
                """.formatted(folder, nobody, nogroup));
        Files.writeString(etc.resolve("master.cf"), """
                127.0.0.1:%d inet n - n - - smtpd
                cleanup  unix n - n -   0 cleanup
                qmgr     unix n - n 300 1 qmgr
                rewrite  unix - - n -   - trivial-rewrite
                bounce   unix - - n -   0 bounce
                defer    unix - - n -   0 bounce
                trace    unix - - n -   0 bounce
                verify   unix - - n -   1 verify
                proxymap unix - - n -   - proxymap
                virtual  unix - n n -   - virtual
                error    unix - - n -   - error
                retry    unix - - n -   - error
                anvil    unix - - n -   1 anvil
                postlog  unix-dgram n - n - 1 postlogd
                """.formatted(port));
        start(program.toString(), "-c", etc.toString(), "start-fg");
    }

    private void startDovecot() throws Exception {
        Path program = installed("/usr/sbin/dovecot");
        installed("/usr/lib/dovecot/lmtp");
        Path mail = Files.createDirectory(folder.resolve("mail"));
        own("nobody", mail);
        int nobody = (Integer) Files.getAttribute(mail, "unix:uid");
        int nogroup = (Integer) Files.getAttribute(mail, "unix:gid");
        Files.writeString(
                folder.resolve("users"),
                "good::%d:%d::%s/good::\n".formatted(nobody, nogroup, mail));
        Path configuration =
                Files.writeString(folder.resolve("dovecot.conf"), """
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
                """.formatted(folder, port));
        start(program.toString(), "-F", "-c", configuration.toString());
    }

    private static Path installed(String path) {
        Path program = Path.of(path);
        assumeTrue(Files.isExecutable(program), path + " is not installed");
        return program;
    }

    private static void own(String user, Path... files) throws Exception {
        for (Path file : files) {
            Process chown = new ProcessBuilder("chown", user + ":", file.toString()).start();
            assertThat(chown.waitFor()).isZero();
        }
    }

    private void start(String... command) throws Exception {
        Process started = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output").toFile())
                .start();
        server = started;
        await().atMost(START_MAX).until(() -> {
            assertThat(started.isAlive())
                    .as(() -> read(folder.resolve("output")))
                    .isTrue();
            return listens();
        });
    }

    private boolean listens() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private NextHop hop(NextHop.Protocol protocol) {
        return new NextHop(protocol, "127.0.0.1", port);
    }

    private static List<String> mail(Path maildir) throws IOException {
        Path arrived = maildir.resolve("new");
        if (!Files.isDirectory(arrived)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(arrived)) {
            return files.map(NextHopInteropTest::read).toList();
        }
    }

    private static String read(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A maildir has lines as the system has them. */
    private static String unixLines(String text) {
        return text.replace("\r\n", "\n");
    }
}
