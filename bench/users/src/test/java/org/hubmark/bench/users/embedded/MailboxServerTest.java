package org.hubmark.bench.users.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.US_ASCII;

import org.hubmark.bench.load.ClientTls;
import org.hubmark.bench.users.imap.Fetched;
import org.hubmark.bench.users.imap.ImapAddress;
import org.hubmark.bench.users.imap.ImapClient;
import org.hubmark.smtp.client.SmtpClient;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;

/**
 * Proves that a client that waits for news by IDLE, and ends the wait at the first, reads nothing but whole
 * responses and is told of all that comes. Several messages come at once in each round, so that the
 * later ones come while the client ends its wait.
 */
@Timeout(90)
final class MailboxServerTest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final String USER = "user1@example.test";
    private static final String PASSWORD = "secret";
    private static final byte[] CONTENT = "Subject: news\r\n\r\nNews.\r\n".getBytes(US_ASCII);
    private static final int SENDERS = 12;
    private static final int ROUNDS = 100;

    private final Semaphore round = new Semaphore(0);

    @Test
    void oneThreadAtATimeTellsOfNewsAndOfAllOfThem() throws Exception {
        try (MailboxServer server = MailboxServer.start(1, "user%d@example.test", PASSWORD);
                ExecutorService senders = Executors.newFixedThreadPool(SENDERS);
                ImapClient client = ImapClient.open(address(server))) {
            List<Future<?>> sent = new ArrayList<>();
            for (int sender = 0; sender < SENDERS; sender++) {
                sent.add(senders.submit(() -> send(server)));
            }
            client.logOn(USER, PASSWORD);
            var unused = client.select("INBOX");
            try {
                for (int seen = 1; seen <= ROUNDS; seen++) {
                    takeRound(client, seen);
                }
            } finally {
                round.release(ROUNDS * SENDERS);
            }
            for (Future<?> one : sent) {
                one.get();
            }
        }
    }

    /** Ends the wait at each piece of news, as a mail program does, until all of a round is there. */
    private void takeRound(ImapClient client, int number) throws Exception {
        Set<Long> uids = new HashSet<>();
        round.release(SENDERS);
        while (uids.size() < SENDERS) {
            assertThat(client.idle(System.nanoTime() + PATIENCE.toNanos()))
                    .as("told of news in round %s, with %s of %s", number, uids.size(), SENDERS)
                    .isTrue();
            var unused = client.takeNews();
            uids.clear();
            for (Fetched fetched : client.fetch("1:*", "(UID)")) {
                uids.add(fetched.uid());
            }
        }
        client.delete("1:*");
    }

    private @Nullable Void send(MailboxServer server) throws Exception {
        try (SmtpClient client = SmtpClient.open(server.smtp(), PATIENCE, "test.example")) {
            for (int sent = 0; sent < ROUNDS; sent++) {
                round.acquire();
                assertThat(client.send("sender@example.test", List.of(USER), CONTENT)
                                .isSuccess())
                        .isTrue();
            }
        }
        return null;
    }

    private static ImapAddress address(MailboxServer server) {
        return new ImapAddress(server.imap(), false, false, ClientTls.trustingAll(), PATIENCE);
    }
}
