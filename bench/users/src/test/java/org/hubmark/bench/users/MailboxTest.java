package org.hubmark.bench.users;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.US_ASCII;

import org.hubmark.bench.load.ClientTls;
import org.hubmark.bench.users.profile.Population;
import org.hubmark.bench.users.result.LevelForm;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What a client makes of a server that tells of the same removal twice, as GreenMail does. */
@Timeout(30)
final class MailboxTest {
    private static final String PASSWORD = "hubmark";
    private static final SplittableRandom RANDOM = new SplittableRandom(1);

    private final Population population =
            new Population("user%d@example.test", 4, Task.profile("light").lists(), 1);
    private final SentMail sentMail = new SentMail();

    @Test
    void whatComesWithARemovalThatIsToldTwiceIsSeen() throws IOException, TaskFailure {
        try (Server server = new Server();
                Mailbox mailbox = mailbox(server)) {
            mailbox.move(mailbox.choose(false, RANDOM));
            sentMail.open(new Task.Turn(Task.SEND, 0, true), List.of(0)).accepted();
            server.add(9);
            mailbox.poll();
            assertThat(sentMail.accounting().get(LevelForm.ARRIVED)).isOne();
            assertThat(sentMail.accounting().get(LevelForm.TWICE)).isZero();
            mailbox.poll();
            assertThat(sentMail.accounting().get(LevelForm.TWICE)).isZero();
        }
    }

    /** Its users and lists may be others: with fewer of them, the answer would go to fewer. */
    @Test
    void nobodyAnswersToAllOfAnotherRun() throws IOException, TaskFailure {
        try (Server server = new Server();
                Mailbox mailbox = mailbox(server)) {
            assertThat(mailbox.choose(false, RANDOM)).isNotNull();
            assertThat(mailbox.chooseToSeveral(RANDOM)).isNull();
            sentMail.open(new Task.Turn(Task.SEND, 0, true), List.of(0, 2, 3)).accepted();
            server.add(9);
            mailbox.poll();
            assertThat(Objects.requireNonNull(mailbox.chooseToSeveral(RANDOM)).uid())
                    .isEqualTo(9);
        }
    }

    @Test
    void whoWaitsIsToldOfWhatComes() throws Exception {
        try (Server server = new Server();
                Mailbox mailbox = mailbox(server)) {
            sentMail.open(new Task.Turn(Task.SEND, 0, true), List.of(0)).accepted();
            Thread sender = Thread.ofVirtual().start(() -> server.addToWhoWaits(9));
            assertThat(mailbox.idle(System.nanoTime() + Duration.ofSeconds(20).toNanos()))
                    .isTrue();
            assertThat(sentMail.accounting().get(LevelForm.ARRIVED)).isOne();
            sender.join();
            assertThat(mailbox.idle(System.nanoTime() + Duration.ofMillis(30).toNanos()))
                    .isFalse();
            // The connection is good for more.
            mailbox.browse();
            assertThat(sentMail.accounting().get(LevelForm.TWICE)).isZero();
        }
    }

    /** What was there at the logon is nothing that has come. */
    @Test
    void whatComesIsToldOnce() throws IOException, TaskFailure {
        try (Server server = new Server();
                Mailbox mailbox = mailbox(server)) {
            assertThat(mailbox.takeNotices()).isEmpty();
            server.add(9);
            mailbox.poll();
            List<Mailbox.Notice> notices = mailbox.takeNotices();
            assertThat(notices).hasSize(1);
            Message message = notices.getFirst().message();
            assertThat(message.uid()).isEqualTo(9);
            assertThat(mailbox.takeNotices()).isEmpty();
            assertThat(mailbox.holds(message)).isTrue();
            mailbox.move(message);
            assertThat(mailbox.holds(message)).isFalse();
        }
    }

    /** A server with one folder; of a message that was moved it tells again with the next news. */
    private final class Server implements AutoCloseable {
        private final ServerSocket listening =
                new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        private final TreeSet<Long> uids = new TreeSet<>(List.of(1L, 2L, 3L));
        private int told;
        private String again = "";
        private @Nullable OutputStream idling;

        Server() throws IOException {
            Thread.ofVirtual().start(this::serve);
        }

        InetSocketAddress address() {
            return (InetSocketAddress) listening.getLocalSocketAddress();
        }

        /** One comes; whether it is told of is for the next command. */
        synchronized void add(long uid) {
            uids.add(uid);
        }

        /** One comes, and whoever waits by IDLE, or will, is told. */
        void addToWhoWaits(long uid) {
            try {
                synchronized (this) {
                    while (idling == null) {
                        wait();
                    }
                    uids.add(uid);
                    told = uids.size();
                    idling.write(("* " + told + " EXISTS\r\n").getBytes(US_ASCII));
                }
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        private synchronized void idle(@Nullable OutputStream out) throws IOException {
            idling = out;
            if (out != null) {
                out.write("+ idling\r\n".getBytes(US_ASCII));
                notifyAll();
            }
        }

        private void serve() {
            try (Socket socket = listening.accept();
                    BufferedReader in = new BufferedReader(
                            new InputStreamReader(socket.getInputStream(), US_ASCII))) {
                OutputStream out = socket.getOutputStream();
                out.write("* OK ready\r\n".getBytes(US_ASCII));
                for (String line = in.readLine(); line != null; line = in.readLine()) {
                    String[] words = line.split(" ", 2);
                    if (words[1].equals("IDLE")) {
                        idle(out);
                        assertThat(in.readLine()).isEqualTo("DONE");
                        idle(null);
                    }
                    out.write((answer(words[1]) + words[0] + " OK done\r\n").getBytes(US_ASCII));
                }
            } catch (IOException e) {
                // The client has gone.
            }
        }

        private synchronized String answer(String command) {
            if (command.equals("CAPABILITY")) {
                return "* CAPABILITY IMAP4rev1 IDLE MOVE\r\n";
            }
            if (command.startsWith("SELECT")) {
                told = uids.size();
                return "* " + told + " EXISTS\r\n* OK [UIDVALIDITY 7] .\r\n";
            }
            if (command.startsWith("UID MOVE")) {
                uids.remove(Long.parseLong(command.split(" ", -1)[2]));
                told--;
                again = "* 1 EXPUNGE\r\n";
                return again;
            }
            if (command.startsWith("UID FETCH")) {
                return fetched(command.split(" ", -1)[2], command.contains("HEADER"));
            }
            if (command.equals("NOOP") && uids.size() > told) {
                told = uids.size();
                return "* " + told + " EXISTS\r\n" + again;
            }
            return "";
        }

        private String fetched(String set, boolean header) {
            List<Long> wanted = new ArrayList<>();
            if (set.endsWith(":*")) {
                long from = Long.parseLong(set.substring(0, set.indexOf(':')));
                wanted.addAll(uids.tailSet(Math.min(from, uids.last())));
            } else {
                for (String one : set.split(",", -1)) {
                    wanted.add(Long.parseLong(one));
                }
            }
            return wanted.stream()
                    .map(uid -> "* " + (uids.headSet(uid).size() + 1) + " FETCH (UID " + uid
                            + (header ? " FLAGS () BODY[HEADER.FIELDS (X)] " + literal() : "")
                            + ")\r\n"
                            // Of flags by themselves, as servers do that think of them late.
                            + (header ? "* 1 FETCH (UID " + uid + " FLAGS (\\Recent))\r\n" : ""))
                    .collect(Collectors.joining());
        }

        private String literal() {
            String header = SentMail.FIELD + ": " + sentMail.run() + ".1\r\n"
                    + "From: user2@example.test\r\n"
                    + "To: user1@example.test, user3@example.test, user4@example.test\r\n\r\n";
            return "{" + header.length() + "}\r\n" + header;
        }

        @Override
        public void close() throws IOException, TaskFailure {
            listening.close();
        }
    }

    private Mailbox mailbox(Server server) throws IOException {
        MailTarget target = new MailTarget(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 1),
                server.address(),
                false,
                false,
                ClientTls.trustingAll(),
                false,
                List.of(PASSWORD));
        Mailbox mailbox = new Mailbox(
                new MailPlaces(target, population, Duration.ofSeconds(10)), sentMail, 0);
        mailbox.logOn();
        return mailbox;
    }
}
