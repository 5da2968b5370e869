package org.hubmark.bench.users;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hubmark.bench.hub.Program;
import org.hubmark.bench.kit.document.Clock;
import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Context;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.kit.document.Findings;
import org.hubmark.bench.kit.document.Progress;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.document.StudyRun;
import org.hubmark.bench.kit.document.Table;
import org.hubmark.bench.kit.document.Tool;
import org.hubmark.bench.load.ClientTls;
import org.hubmark.bench.machine.Machine;
import org.hubmark.bench.machine.watch.TargetFacts;
import org.hubmark.bench.users.embedded.MailboxServer;
import org.hubmark.bench.users.imap.Fetched;
import org.hubmark.bench.users.imap.ImapClient;
import org.hubmark.bench.users.profile.UserProfile;
import org.hubmark.bench.users.result.Judgement;
import org.hubmark.bench.users.result.LevelForm;
import org.hubmark.bench.users.result.LevelLimits;
import org.hubmark.bench.users.result.MailSystem;
import org.hubmark.bench.users.result.UsersResult;
import org.hubmark.core.UserError;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Proves that a day is played against a mail system to its end, that every message is accounted for, and that
 * what fails is counted by its kind while the day goes on. The mail system is GreenMail, here taking mail
 * itself.
 */
@Execution(ExecutionMode.CONCURRENT)
class UsersStudyTest {
    private static final int USERS = 12;
    private static final String PASSWORD = "secret";
    private static final double COMPRESS = 200;

    /** With tasks twice as fast there are as many as in five seconds. */
    private static final Duration SHORT = Duration.ofMillis(2500);

    @TempDir
    private Path folder;

    @AutoClose
    private MailboxServer server;

    private InetSocketAddress smtp;
    private InetSocketAddress imap;
    private List<String> passwords = List.of(PASSWORD);
    private List<Integer> levels = List.of(USERS);
    private double compress = 2 * COMPRESS;
    private Duration duration = SHORT;
    private Duration timeout = Duration.ofSeconds(20);

    @BeforeEach
    void start() {
        server = MailboxServer.start(USERS, "user%d@example.test", PASSWORD);
        smtp = server.smtp();
        imap = server.imap();
    }

    /** {@return the day of a profile with what this test has of a mail system and of time} */
    private UsersRequest request(UserProfile profile) {
        return new UsersRequest(
                profile,
                new MailTarget(smtp, imap, false, false, ClientTls.trustingAll(), false, passwords),
                "user%d@example.test",
                levels,
                1,
                new LevelLimits(1000, 500),
                new UsersRequest.Timing(
                        Duration.ofHours(8),
                        compress,
                        Duration.ofSeconds(1),
                        duration,
                        Duration.ofMillis(200),
                        timeout,
                        Duration.ofSeconds(11)),
                true,
                11);
    }

    private Document play() throws IOException, InterruptedException {
        return play(request(Task.profile("heavy")));
    }

    /** {@return the level of a day of all users on which all mail arrives} */
    private Row playWell() throws IOException, InterruptedException {
        Document found = play();
        Row level = LevelForm.levels(found).getFirst();
        assertThat(value(found, level, LevelForm.MISSING_MSGS)).isZero();
        assertThat(value(found, level, LevelForm.TWICE_MSGS)).isZero();
        return level;
    }

    private Document play(UsersRequest request) throws IOException, InterruptedException {
        return StudyRun.of(
                new UsersStudy(
                        request, new Program("test", UsersStudyTest.class), TargetFacts.UNKNOWN),
                new Context.Request(
                        folder,
                        new Tool("test", null),
                        "hubmark users",
                        Map.of(),
                        Machine.inspect(List.of()),
                        Clock.SYSTEM,
                        Progress.SILENT,
                        List::of));
    }

    private static double value(Document found, Row level, Column column) {
        return found.table(LevelForm.LEVELS).estimate(level, column).value();
    }

    /** {@return a figure of each task, by its name} */
    private static Map<String, Double> tasks(Row level, Column column) {
        Table tasks = level.part(LevelForm.TASKS);
        Map<String, Double> values = new LinkedHashMap<>();
        for (Row task : tasks.rows()) {
            values.put(task.name(LevelForm.TASK), tasks.estimate(task, column).value());
        }
        return values;
    }

    /** The day of LoadSim, the 95th percentile of each task and the weighted score. */
    @Test
    @Tag("published")
    void everyMessageArrives() throws IOException, InterruptedException {
        levels = List.of(4, USERS);
        Document found = play();
        assertThat(found.complete()).isTrue();
        assertThat(LevelForm.levels(found)).extracting(LevelForm::users).containsExactly(4, USERS);
        for (Row level : LevelForm.levels(found)) {
            assertThat(value(found, level, LevelForm.SENT_MSGS)).isPositive();
            assertThat(value(found, level, LevelForm.MISSING_MSGS)).isZero();
            assertThat(value(found, level, LevelForm.TWICE_MSGS)).isZero();
            assertThat(value(found, level, LevelForm.UNCERTAIN_MSGS)).isZero();
            assertThat(value(found, level, LevelForm.ARRIVED_MSGS))
                    .isEqualTo(value(found, level, LevelForm.EXPECTED_COPIES));
            assertThat(value(found, level, LevelForm.ARRIVAL_MAX)).isPositive();
            assertThat(tasks(level, LevelForm.FAILED_TASKS).values()).containsOnly(0.0);
            assertThat(tasks(level, LevelForm.OPEN_TASKS).values()).containsOnly(0.0);
            assertThat(value(found, level, LevelForm.SCORE)).isPositive();
            assertThat(tasks(level, LevelForm.TASK_P95).values())
                    .allMatch(millis -> Double.isNaN(millis) || millis > 0);
            // A copy of each message is kept, which is a task of its own.
            Map<String, Double> done = tasks(level, LevelForm.DONE_TASKS);
            assertThat(done.getOrDefault("SAVE", 0.0))
                    .isEqualTo(Task.SENDING.stream()
                            .mapToDouble(task -> done.getOrDefault(task.name(), 0.0))
                            .sum());
        }
        // Of four users, some tasks have no turn in so short a day.
        assertThat(tasks(LevelForm.levels(found).getLast(), LevelForm.DONE_TASKS))
                .containsKeys("LOGON", "READ", "SEND", "DELETE", "SAVE", "REACT");
        // Another run with the same accounts: what is there from before is none of its mail.
        assertThat(folder.resolve("users.json")).exists();
        assertThat(folder.resolve("report.html")).exists();
        MailSystem target = Objects.requireNonNull(UsersResult.target(found));
        assertThat(target.imapCapabilities()).contains("IMAP4REV1");
        DocumentFile.Check check =
                DocumentFile.check(folder, DocumentFile.read(folder, UsersResult.KIND));
        assertThat(check.mismatches()).isEmpty();
    }

    @Test
    void mailboxesAreKeptAsTheProfileSays() throws IOException, InterruptedException {
        UserProfile heavy = Task.profile("heavy");
        UserProfile tidy = new UserProfile(
                "tidy",
                heavy.reading(),
                heavy.writing(),
                heavy.lists(),
                new UserProfile.Mailbox(10, "300KB"),
                heavy.messages(),
                null,
                null,
                heavy.tree());
        Document found = play(request(tidy));
        Row level = LevelForm.levels(found).getFirst();
        assertThat(value(found, level, LevelForm.MISSING_MSGS)).isZero();
        long sent = 0;
        for (int user = 1; user <= USERS; user++) {
            try (ImapClient client = ImapClient.open(imap, null, Duration.ofSeconds(20))) {
                client.logOn("user" + user + "@example.test", PASSWORD);
                assertThat(client.select("INBOX")).isBetween(0L, 10L);
                sent += client.select("Sent");
                assertThat(client.select("Archive")).isPositive();
                long bytes = client.fetch("1:*", "(RFC822.SIZE)").stream()
                        .mapToLong(Fetched::sizeBytes)
                        .sum();
                // But for what lay in the inbox: a few messages, of at most some 15 kB each.
                assertThat(bytes).isGreaterThan(200_000);
            }
        }
        assertThat((double) sent).isEqualTo(value(found, level, LevelForm.SENT_MSGS));
    }

    @Test
    void aWrongPasswordIsCountedAndTheOthersGoOn() throws IOException, InterruptedException {
        passwords = new ArrayList<>(Collections.nCopies(USERS, PASSWORD));
        passwords.set(5, "wrong");
        Document found = play();
        Row level = LevelForm.levels(found).getFirst();
        assertThat(found.findings().outcome()).isEqualTo(Findings.Outcome.NOT_VALID);
        assertThat(failures(level, Task.LOGON)).containsOnlyKeys("IMAP refused name or password");
        assertThat(tasks(level, LevelForm.DONE_TASKS)).containsEntry("LOGON", USERS - 1.0);
        assertThat(tasks(level, LevelForm.DONE_TASKS).get("READ")).isPositive();
        // Nobody knows what is in a mailbox that can't be opened.
        assertThat(value(found, level, LevelForm.MISSING_MSGS)).isZero();
        assertThat(value(found, level, LevelForm.UNCOUNTED_MSGS)).isPositive();
        assertThat(Judgement.passes(found, level)).isFalse();
        assertThat(Judgement.reasons(found, level))
                .anyMatch(reason -> reason.contains("not counted"));
    }

    @Test
    void aFirstUserWhoIsNotLetInIsSaidAtOnce() {
        passwords = List.of("wrong");
        assertThatThrownBy(this::play)
                .isInstanceOf(UserError.class)
                .hasMessageContaining("user1@example.test")
                .hasMessageContaining("refused name or password");
        passwords = List.of(PASSWORD);
        smtp = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
        assertThatThrownBy(this::play)
                .isInstanceOf(UserError.class)
                .hasMessageContaining("can't connect");
    }

    @Test
    void aSlowServerIsSeenInEachTask() throws IOException, InterruptedException {
        try (FaultyProxy slowSmtp = new FaultyProxy(smtp.getPort());
                FaultyProxy slowImap = new FaultyProxy(imap.getPort())) {
            slowSmtp.delay(40);
            slowImap.delay(40);
            smtp = slowSmtp.address();
            imap = slowImap.address();
            compress = COMPRESS;
            duration = Duration.ofSeconds(5);
            assertThat(tasks(playWell(), LevelForm.TASK_P50).values())
                    .allMatch(millis -> millis > 39);
        }
    }

    @Test
    void droppedConnectionsAreMadeAnew() throws IOException, InterruptedException {
        try (FaultyProxy faulty = new FaultyProxy(imap.getPort())) {
            faulty.dropAfter(15_000);
            imap = faulty.address();
            Row level = playWell();
            assertThat(tasks(level, LevelForm.DONE_TASKS).get("LOGON")).isGreaterThan(USERS);
            assertThat(tasks(level, LevelForm.OPEN_TASKS).values()).containsOnly(0.0);
        }
    }

    @Test
    void aServerThatNoLongerAnswersIsGivenUp() throws IOException, InterruptedException {
        try (FaultyProxy faulty = new FaultyProxy(smtp.getPort())) {
            faulty.stallAfter(6);
            smtp = faulty.address();
            compress = COMPRESS;
            duration = Duration.ofSeconds(4);
            timeout = Duration.ofSeconds(2);
            Document found = play();
            Row level = LevelForm.levels(found).getFirst();
            assertThat(found.findings().outcome()).isEqualTo(Findings.Outcome.NOT_VALID);
            assertThat(Task.SENDING.stream()
                            .flatMap(task -> failures(level, task).keySet().stream()))
                    .isNotEmpty()
                    .containsOnly("SMTP: no answer in time");
            assertThat(failures(level, Task.READ)).isEmpty();
        }
    }

    private static Map<String, Long> failures(Row level, Task task) {
        return level.part(LevelForm.TASKS).rows().stream()
                .filter(one -> one.name(LevelForm.TASK).equals(task.name()))
                .map(LevelForm::failures)
                .findFirst()
                .orElse(Map.of());
    }
}
