package org.hubmark.bench.durability;

import org.hubmark.bench.durability.unsynced.SentMessage;
import org.hubmark.smtp.client.SmtpClient;
import org.hubmark.smtp.client.SmtpReply;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Sends messages that can be known again over some connections at once, each as fast as the server
 * answers, and notes the times of each conversation. A connection that ends is made again. Each has a
 * thread of its own.
 */
final class UnsyncedLoad {
    /** More would say nothing more, and their record takes room. */
    private static final int MESSAGES_MAX = 3000;

    /** A server that is slow gets more time, to say at least something. */
    private static final int MESSAGES_MIN = 20;

    private static final Duration MORE_TIME_MAX = Duration.ofSeconds(30);
    private static final Duration REPLY_TIMEOUT = Duration.ofSeconds(90);
    private static final Duration END_TIMEOUT = Duration.ofSeconds(10);
    private static final long PAUSE_MILLIS = 20;

    /** Tokens have as many digits as no other number in a message. */
    private static final long TOKENS = 1_000_000_000_000L;

    private static final int SEEDS = 1_000_000;

    private final InetSocketAddress address;
    private final long firstToken;
    private final AtomicInteger numbers = new AtomicInteger();
    private final AtomicInteger acknowledged = new AtomicInteger();
    private final ConcurrentLinkedQueue<SentMessage> sent = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<SmtpClient> open = new ConcurrentLinkedQueue<>();
    private volatile long deadlineNanos;
    private volatile @Nullable String lastError;

    UnsyncedLoad(InetSocketAddress address, long seed) {
        this.address = address;
        this.firstToken = TOKENS * (1 + Math.floorMod(seed, SEEDS));
    }

    /** {@return the messages to which there was a reply, in the order of their numbers} */
    List<SentMessage> run(int connections, Duration time) throws InterruptedException {
        deadlineNanos = System.nanoTime() + time.toNanos();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            threads.add(Thread.ofPlatform().daemon().name("unsynced-" + i).start(this::converse));
        }
        try {
            for (Thread thread : threads) {
                long leftNanos = deadlineNanos
                        - System.nanoTime()
                        + MORE_TIME_MAX.plus(END_TIMEOUT).toNanos();
                if (!thread.join(Duration.ofNanos(Math.max(1, leftNanos)))) {
                    // The server does not answer any more.
                    open.forEach(SmtpClient::close);
                    thread.join();
                }
            }
        } finally {
            numbers.set(MESSAGES_MAX);
            open.forEach(SmtpClient::close);
        }
        return sent.stream()
                .sorted(Comparator.comparingInt(SentMessage::number))
                .toList();
    }

    /** {@return why mail was not taken the last time that it was not; null if it always was} */
    @Nullable
    String lastError() {
        return lastError;
    }

    private boolean isOver() {
        long lateNanos = System.nanoTime() - deadlineNanos;
        return numbers.get() >= MESSAGES_MAX
                || (lateNanos > 0 && acknowledged.get() >= MESSAGES_MIN)
                || lateNanos > MORE_TIME_MAX.toNanos();
    }

    private void converse() {
        while (!isOver()) {
            try (SmtpClient client = Load.connect(address, REPLY_TIMEOUT)) {
                open.add(client);
                try {
                    while (!isOver()) {
                        sendOne(client);
                    }
                } finally {
                    open.remove(client);
                }
            } catch (IOException e) {
                lastError = String.valueOf(e.getMessage());
                pause();
            }
        }
    }

    private void sendOne(SmtpClient client) throws IOException {
        int number = numbers.incrementAndGet();
        long token = firstToken + number;
        byte[] content = LedgerMessage.content(token);
        long beganNanos = System.nanoTime();
        SmtpReply reply = Load.begin(client);
        long askedNanos = System.nanoTime();
        long answeredNanos = askedNanos;
        if (reply.asksForContent()) {
            reply = client.end(content);
            answeredNanos = System.nanoTime();
        }
        sent.add(new SentMessage(
                number,
                token,
                beganNanos,
                askedNanos,
                answeredNanos,
                reply.code(),
                Load.queueId(reply)));
        if (reply.isClosing()) {
            throw new IOException(reply.text());
        }
        if (reply.isSuccess()) {
            acknowledged.incrementAndGet();
        } else {
            lastError = reply.code() + " " + reply.text();
            pause();
        }
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
