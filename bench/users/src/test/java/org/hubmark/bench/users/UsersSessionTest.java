package org.hubmark.bench.users;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;

import org.hubmark.bench.load.ClientTls;
import org.hubmark.bench.measure.hub.Program;
import org.hubmark.bench.users.imap.Fetched;
import org.hubmark.bench.users.imap.ImapAddress;
import org.hubmark.bench.users.imap.ImapClient;
import org.hubmark.bench.users.profile.UserProfile;
import org.hubmark.bench.users.result.Level;
import org.hubmark.bench.users.result.Limits;
import org.hubmark.bench.users.result.Task;
import org.hubmark.bench.users.result.TaskFigures;
import org.hubmark.bench.users.result.UsersResults;
import org.hubmark.core.UserError;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * Proves that a day is played against a mail system to its end, that every message is accounted for, and that
 * what fails is counted by its kind while the day goes on. The mail system is GreenMail, here taking mail
 * itself.
 */
@Execution(ExecutionMode.CONCURRENT)
class UsersSessionTest {
    private static final int USERS = 12;
    private static final String PASSWORD = "secret";
    private static final double COMPRESS = 200;

    /** With tasks twice as fast there are as many as in five seconds. */
    private static final Duration SHORT = Duration.ofMillis(2500);

    @TempDir
    private Path folder;

    private GreenMail server;

    @BeforeEach
    void start() {
        String loopback = InetAddress.getLoopbackAddress().getHostAddress();
        server = new GreenMail(new ServerSetup[] {
            new ServerSetup(0, loopback, ServerSetup.PROTOCOL_SMTP),
            new ServerSetup(0, loopback, ServerSetup.PROTOCOL_IMAP)
        });
        for (int user = 1; user <= USERS; user++) {
            String address = "user" + user + "@example.test";
            var unused = server.setUser(address, address, PASSWORD);
        }
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop();
    }

    private static InetSocketAddress at(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    private InetSocketAddress smtp() {
        return at(server.getSmtp().getPort());
    }

    private InetSocketAddress imap() {
        return at(server.getImap().getPort());
    }

    private static UsersRequest request(
            InetSocketAddress smtp,
            InetSocketAddress imap,
            List<String> passwords,
            List<Integer> levels,
            double compress,
            Duration duration,
            Duration timeout) {
        return request(
                UserProfile.of("heavy"),
                smtp,
                imap,
                passwords,
                levels,
                compress,
                duration,
                timeout);
    }

    private static UsersRequest request(
            UserProfile profile,
            InetSocketAddress smtp,
            InetSocketAddress imap,
            List<String> passwords,
            List<Integer> levels,
            double compress,
            Duration duration,
            Duration timeout) {
        MailTarget target = new MailTarget(
                smtp, imap, TlsMode.OFF, TlsMode.OFF, ClientTls.trustingAll(), false, passwords);
        return new UsersRequest(
                new Program("test", UsersSessionTest.class, UsersSessionTest.class),
                profile,
                target,
                "user%d@example.test",
                Levels.given(levels),
                Duration.ofHours(8),
                compress,
                Duration.ofSeconds(1),
                duration,
                1,
                new Limits(1000, 500),
                null,
                true,
                Duration.ofMillis(200),
                timeout,
                Duration.ofSeconds(11),
                true,
                11,
                Map.of(),
                "hubmark users");
    }

    private UsersResults play(UsersRequest request) throws IOException, InterruptedException {
        try (UsersSession session = new UsersSession(request, folder)) {
            return session.run();
        }
    }

    @Test
    void everyMessageArrives() throws IOException, InterruptedException {
        UsersResults found = play(request(
                smtp(),
                imap(),
                List.of(PASSWORD),
                List.of(4, USERS),
                2 * COMPRESS,
                SHORT,
                Duration.ofSeconds(20)));
        assertThat(found.complete()).isTrue();
        assertThat(found.levels()).extracting(Level::users).containsExactly(4, USERS);
        for (Level level : found.levels()) {
            assertThat(level.accounting().sentMsgs()).isPositive();
            assertThat(level.accounting().missingMsgs()).isZero();
            assertThat(level.accounting().twiceMsgs()).isZero();
            assertThat(level.accounting().uncertainMsgs()).isZero();
            assertThat(level.accounting().arrivedMsgs())
                    .isEqualTo(level.accounting().expectedMsgs());
            assertThat(level.arrivalLatencyMs().max()).isNotNull();
            for (TaskFigures task : level.tasks()) {
                assertThat(task.failures()).as("%s", task.task()).isEmpty();
                assertThat(task.done()).as("%s", task.task()).isEqualTo(task.planned());
            }
            assertThat(level.scoreMs()).isPositive();
        }
        // Of four users, some tasks have no turn in so short a day.
        assertThat(found.levels().getLast().tasks())
                .extracting(TaskFigures::task)
                .contains(Task.LOGON, Task.READ, Task.SEND, Task.DELETE);
        // Another run with the same accounts: what is there from before is none of its mail.
        assertThat(folder.resolve("users.json")).exists();
        assertThat(folder.resolve("report.html")).exists();
        assertThat(found.target().lacks()).isNotNull();
        assertThat(found.target().imapCapabilities()).contains("IMAP4REV1");
    }

    @Test
    void mailboxesAreKeptAsTheProfileSays() throws IOException, InterruptedException {
        UserProfile heavy = UserProfile.of("heavy");
        UserProfile tidy = new UserProfile(
                "tidy",
                heavy.tasksPerDay(),
                heavy.readNewPercent(),
                heavy.loadAttachmentPercent(),
                10,
                heavy.randomRecipients(),
                heavy.addListPercent(),
                heavy.lists(),
                true,
                300_000,
                heavy.messages(),
                heavy.weights(),
                null,
                heavy.tree());
        UsersResults found = play(request(
                tidy,
                smtp(),
                imap(),
                List.of(PASSWORD),
                List.of(USERS),
                2 * COMPRESS,
                SHORT,
                Duration.ofSeconds(20)));
        Level level = found.levels().getFirst();
        assertThat(level.accounting().missingMsgs()).isZero();
        ImapAddress address = new ImapAddress(
                imap(), false, false, ClientTls.trustingAll(), Duration.ofSeconds(20));
        long sent = 0;
        for (int user = 1; user <= USERS; user++) {
            try (ImapClient client = ImapClient.open(address)) {
                client.logOn("user" + user + "@example.test", PASSWORD);
                assertThat(client.select("INBOX").exists()).isBetween(0L, 10L);
                sent += client.select("Sent").exists();
                assertThat(client.select("Archive").exists()).isPositive();
                long bytes = client.fetch("1:*", "(RFC822.SIZE)").stream()
                        .mapToLong(Fetched::sizeBytes)
                        .sum();
                // But for what lay in the inbox: a few messages, of at most some 15 kB each.
                assertThat(bytes).isGreaterThan(200_000);
            }
        }
        assertThat(sent).isEqualTo(level.accounting().sentMsgs());
    }

    @Test
    void aWrongPasswordIsCountedAndTheOthersGoOn() throws IOException, InterruptedException {
        List<String> passwords = new ArrayList<>(Collections.nCopies(USERS, PASSWORD));
        passwords.set(5, "wrong");
        UsersResults found = play(request(
                smtp(),
                imap(),
                passwords,
                List.of(USERS),
                COMPRESS,
                Duration.ofSeconds(3),
                Duration.ofSeconds(20)));
        Level level = found.levels().getFirst();
        assertThat(found.valid()).isFalse();
        assertThat(figures(level, Task.LOGON).failures())
                .containsOnlyKeys("IMAP refused name or password");
        assertThat(figures(level, Task.LOGON).done()).isEqualTo(USERS - 1);
        assertThat(figures(level, Task.READ).done()).isPositive();
        // Nobody knows what is in a mailbox that can't be opened.
        assertThat(level.accounting().missingMsgs()).isZero();
        assertThat(level.accounting().uncountedMsgs()).isPositive();
        assertThat(level.passes()).isFalse();
        assertThat(level.reasons()).anyMatch(reason -> reason.contains("not counted"));
    }

    @Test
    void aFirstUserWhoIsNotLetInIsSaidAtOnce() {
        UsersRequest wrong = request(
                smtp(),
                imap(),
                List.of("wrong"),
                List.of(USERS),
                COMPRESS,
                Duration.ofSeconds(3),
                Duration.ofSeconds(20));
        assertThatThrownBy(() -> play(wrong))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("user1@example.test")
                .hasMessageContaining("refused name or password");
        UsersRequest nowhere = request(
                at(1),
                imap(),
                List.of(PASSWORD),
                List.of(USERS),
                COMPRESS,
                Duration.ofSeconds(3),
                Duration.ofSeconds(20));
        assertThatThrownBy(() -> play(nowhere))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("can't connect");
    }

    @Test
    void aUserAloneIsRefused() {
        UsersRequest one = request(
                smtp(),
                imap(),
                List.of(PASSWORD),
                List.of(1),
                COMPRESS,
                Duration.ofSeconds(3),
                Duration.ofSeconds(20));
        assertThatThrownBy(() -> play(one)).isInstanceOf(UserError.class);
    }

    @Test
    void aSlowServerIsSeenInEachTask() throws IOException, InterruptedException {
        try (FaultyProxy smtp = new FaultyProxy(smtp().getPort());
                FaultyProxy imap = new FaultyProxy(imap().getPort())) {
            smtp.delay(40);
            imap.delay(40);
            UsersResults found = play(request(
                    smtp.address(),
                    imap.address(),
                    List.of(PASSWORD),
                    List.of(USERS),
                    COMPRESS,
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(20)));
            Level level = found.levels().getFirst();
            assertThat(level.accounting().missingMsgs()).isZero();
            for (TaskFigures task : level.tasks()) {
                assertThat(task.p50Ms()).as("%s", task.task()).isGreaterThan(39);
            }
        }
    }

    @Test
    void droppedConnectionsAreMadeAnew() throws IOException, InterruptedException {
        try (FaultyProxy imap = new FaultyProxy(imap().getPort())) {
            imap.dropAfter(15_000);
            UsersResults found = play(request(
                    smtp(),
                    imap.address(),
                    List.of(PASSWORD),
                    List.of(USERS),
                    2 * COMPRESS,
                    SHORT,
                    Duration.ofSeconds(20)));
            Level level = found.levels().getFirst();
            assertThat(level.accounting().missingMsgs()).isZero();
            assertThat(level.accounting().twiceMsgs()).isZero();
            assertThat(figures(level, Task.LOGON).planned()).isGreaterThan(USERS);
            assertThat(level.tasks().stream().mapToLong(TaskFigures::open).sum())
                    .isZero();
        }
    }

    @Test
    void aServerThatNoLongerAnswersIsGivenUp() throws IOException, InterruptedException {
        try (FaultyProxy smtp = new FaultyProxy(smtp().getPort())) {
            smtp.stallAfter(6);
            UsersResults found = play(request(
                    smtp.address(),
                    imap(),
                    List.of(PASSWORD),
                    List.of(USERS),
                    COMPRESS,
                    Duration.ofSeconds(4),
                    Duration.ofSeconds(2)));
            Level level = found.levels().getFirst();
            assertThat(found.valid()).isFalse();
            assertThat(level.tasks().stream()
                            .filter(task -> Task.SENDING.contains(task.task()))
                            .flatMap(task -> task.failures().keySet().stream()))
                    .isNotEmpty()
                    .containsOnly("SMTP: no answer in time");
            assertThat(figures(level, Task.READ).failures()).isEmpty();
        }
    }

    @Test
    void whatIsInterruptedIsKept() throws IOException, InterruptedException {
        UsersRequest request = request(
                smtp(),
                imap(),
                List.of(PASSWORD),
                List.of(USERS),
                COMPRESS,
                Duration.ofMinutes(10),
                Duration.ofSeconds(20));
        Thread runner = Thread.currentThread();
        Thread other = Thread.ofVirtual().start(() -> {
            if (server.waitForIncomingEmail(60_000, 10)) {
                runner.interrupt();
            }
        });
        UsersResults found = play(request);
        other.join();
        assertThat(found.complete()).isFalse();
        assertThat(found.levels().getFirst().repeats().getFirst().complete()).isFalse();
        assertThat(found.levels().getFirst().passes()).isNull();
        assertThat(Files.readString(folder.resolve("users.json"))).contains("\"complete\" : false");
    }

    private static TaskFigures figures(Level level, Task task) {
        return level.tasks().stream()
                .filter(one -> one.task() == task)
                .findFirst()
                .orElseThrow();
    }
}
