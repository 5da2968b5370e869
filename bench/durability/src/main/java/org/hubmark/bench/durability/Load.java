package org.hubmark.bench.durability;

import org.hubmark.smtp.client.SmtpClient;
import org.hubmark.smtp.client.SmtpReply;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAccumulator;

/**
 * Sends mail over some connections at once, each as fast as the server answers, until it is told to
 * stop. First what an earlier crash left in doubt is sent again, as a mail server would. Each
 * connection has a thread of its own; any thread may ask and stop.
 */
final class Load implements AutoCloseable {
    private static final Duration REPLY_TIMEOUT = Duration.ofSeconds(90);
    private static final Duration END_TIMEOUT = Duration.ofSeconds(5);
    private static final int CLOSING = 421;
    private static final String QUEUED_AS = "queued as ";
    private static final long PAUSE_MILLIS = 5;
    private static final long POLL_MICROS = 500;

    private final Ledger ledger;
    private final InetSocketAddress address;
    private final boolean anyLineEnds;
    private final Queue<Ledger.Entry> again;
    private final List<Thread> threads = new ArrayList<>();
    private final Queue<SmtpClient> open = new ConcurrentLinkedQueue<>();
    private final AtomicLong acknowledged = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private final LongAccumulator longestReplyNanos = new LongAccumulator(Math::max, 0);
    private final StallMeter stalls = new StallMeter();
    private volatile boolean stopping;

    /**
     * Starts sending.
     *
     * @param anyLineEnds whether the server may keep CRLF as LF
     */
    Load(Ledger ledger, InetSocketAddress address, int connections, boolean anyLineEnds) {
        this.ledger = ledger;
        this.address = address;
        this.anyLineEnds = anyLineEnds;
        this.again = new ArrayDeque<>(ledger.inDoubt());
        for (int i = 0; i < connections; i++) {
            int connection = i;
            threads.add(
                    Thread.ofPlatform().daemon().name("ledger-" + i).start(() -> run(connection)));
        }
    }

    long acknowledged() {
        return acknowledged.get();
    }

    long refused() {
        return refused.get();
    }

    /**
     * {@return how long the server may have been kept from a sync that was due: by a group of messages
     * and by a sync, each as long as the longest reply, and by the machine}
     */
    long longestDelayNanos() {
        return 2 * longestReplyNanos.get() + stalls.longestNanos();
    }

    /** {@return the longest time for which the machine let nobody do anything} */
    long longestStallNanos() {
        return stalls.longestNanos();
    }

    /** Waits for some acknowledgements; false if the time is over first. */
    boolean awaitAcknowledged(long count, Duration timeout) throws InterruptedException {
        long deadlineNanos = System.nanoTime() + timeout.toNanos();
        while (acknowledged.get() < count) {
            if (System.nanoTime() > deadlineNanos) {
                return false;
            }
            TimeUnit.MICROSECONDS.sleep(POLL_MICROS);
        }
        return true;
    }

    /** No new message is begun; what is under way may end, if the server still lives. */
    void stop() throws InterruptedException {
        stopping = true;
        long deadlineNanos = System.nanoTime() + END_TIMEOUT.toNanos();
        for (Thread thread : threads) {
            long leftNanos = Math.max(1, deadlineNanos - System.nanoTime());
            if (!thread.join(Duration.ofNanos(leftNanos))) {
                open.forEach(SmtpClient::close);
                thread.join();
            }
        }
    }

    @Override
    public void close() throws InterruptedException {
        stopping = true;
        stalls.close();
        open.forEach(SmtpClient::close);
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** Connects as each sender does. */
    static SmtpClient connect(InetSocketAddress address, Duration timeout) throws IOException {
        return SmtpClient.open(address, timeout, "ledger.example");
    }

    /** {@return the reply to the beginning of a message from and to whom they all are} */
    static SmtpReply begin(SmtpClient client) throws IOException {
        return client.begin("ledger@sender.example", List.of("ledger@recipient.example"));
    }

    private void run(int number) {
        while (!stopping) {
            try (SmtpClient client = connect(address, REPLY_TIMEOUT)) {
                open.add(client);
                try {
                    while (!stopping) {
                        sendOne(client, number);
                    }
                } finally {
                    open.remove(client);
                }
            } catch (IOException e) {
                // The server may be down, or take no connections for a while: that is the point.
                pause();
            }
        }
    }

    private void sendOne(SmtpClient client, int number) throws IOException {
        Ledger.Entry entry = next(number);
        byte[] content = LedgerMessage.content(entry.token);
        int attempts = entry.attempts.get();
        ledger.sending(entry);
        long startNanos = System.nanoTime();
        SmtpReply reply;
        try {
            reply = begin(client);
        } catch (IOException e) {
            // The connection has ended before the server had anything.
            entry.attempts.set(attempts);
            putBack(entry);
            throw e;
        }
        if (reply.asksForContent()) {
            // From here on, if the connection ends, nobody knows.
            reply = client.end(content);
        } else if (reply.code() == CLOSING) {
            entry.attempts.set(attempts);
            putBack(entry);
            throw new IOException("the server is closing");
        }
        longestReplyNanos.accumulate(System.nanoTime() - startNanos);
        if (reply.isSuccess()) {
            entry.queueId = queueId(reply);
            ledger.acknowledged(entry);
            acknowledged.incrementAndGet();
        } else {
            if (entry.attempts.get() == 1) {
                ledger.refused(entry, reply.code());
            } else {
                // An earlier attempt may have got through: it stays in doubt, and is tried again.
                putBack(entry);
            }
            refused.incrementAndGet();
            pause();
        }
    }

    /** {@return what a server calls the message that it has taken, if it says so} */
    static @Nullable String queueId(SmtpReply reply) {
        int at = reply.text().indexOf(QUEUED_AS);
        return at < 0 ? null : reply.text().substring(at + QUEUED_AS.length()).strip();
    }

    private Ledger.Entry next(int number) {
        Ledger.@Nullable Entry waiting;
        synchronized (again) {
            waiting = again.poll();
        }
        if (waiting != null) {
            return waiting;
        }
        long token = ledger.newToken();
        byte[] digest = LedgerMessage.digest(LedgerMessage.content(token), anyLineEnds);
        return ledger.add(token, number, Objects.requireNonNull(digest));
    }

    private void putBack(Ledger.Entry entry) {
        synchronized (again) {
            again.add(entry);
        }
    }

    private void pause() {
        try {
            if (!stopping) {
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            }
        } catch (InterruptedException e) {
            stopping = true;
        }
    }
}
