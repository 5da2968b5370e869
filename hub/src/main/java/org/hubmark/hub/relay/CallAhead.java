package org.hubmark.hub.relay;

import static java.util.Objects.requireNonNull;

import org.hubmark.core.Settings;
import org.hubmark.hub.delivery.DeliverySettings;
import org.hubmark.hub.delivery.DeliverySpec;
import org.hubmark.hub.delivery.NextHop;
import org.hubmark.hub.delivery.NextHopSettings;
import org.hubmark.smtp.RecipientCheck;
import org.hubmark.smtp.SmtpReceiver;
import org.hubmark.smtp.client.SmtpReply;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * Asks the next hop about a recipient before mail for it is taken: MAIL FROM:&lt;&gt; and RCPT, as Postfix's
 * address verification does, and no content. Only a 5xx to RCPT refuses; whatever else comes, or nothing in
 * time, the recipient is taken, and its mail is queued as it would be without the question.
 *
 * <p>Answers are kept, bounded in number and time. Questions are asked by few threads over connections of
 * their own; what finds them all busy and the queue before them full is not asked. Any thread.
 */
public final class CallAhead implements RecipientCheck, AutoCloseable {
    /**
     * Limits of the questions and answers.
     *
     * @param answerMax how long an answer is waited for
     * @param acceptedMax how long a recipient counts as there
     * @param refusedMax how long a recipient counts as refused
     * @param answersMax how many answers are kept, 300 octets of heap each, of long replies 1 KB
     * @param connectionsMax how many questions are asked at once
     * @param waitingMax how many more wait for that
     */
    record Limits(
            Duration answerMax,
            Duration acceptedMax,
            Duration refusedMax,
            int answersMax,
            int connectionsMax,
            int waitingMax) {
        /**
         * Those of Postfix, as far as it has them: address_verify_positive_refresh_time and
         * address_verify_negative_refresh_time.
         */
        static Limits of(Duration answerMax) {
            return new Limits(
                    answerMax, Duration.ofHours(168), Duration.ofHours(3), 50_000, 4, 100);
        }
    }

    /** Postfix waits for about as long (address_verify_poll_*). */
    private static final Duration ANSWER_MAX = Duration.ofSeconds(6);

    /** Result of a question. */
    public enum Result {
        /** The next hop took the recipient. */
        ACCEPTED,
        /** It refused with 5xx. */
        REFUSED,
        /** It gave no such answer in time. */
        UNANSWERED,
        /** The recipient was taken without a question. */
        UNASKED
    }

    /** Answer of the next hop; {@code refusal} is null if it took the recipient. */
    private record Answer(@Nullable String refusal, long endNanos) {}

    /** One that is being asked, and who waits for the answer. Under the lock of the whole. */
    private static final class Question {
        private final String path;
        private final List<Consumer<Optional<String>>> listeners = new ArrayList<>(1);
        private @Nullable NextHopConnection connection;
        private boolean over;

        /** Runs out by the clock of the JDK, and not in its common pool, which others may keep busy. */
        private final CompletableFuture<@Nullable Void> time = new CompletableFuture<>();

        /** Whether a next hop was tried, and whether one has greeted. Its thread. */
        private boolean tried;

        private boolean reached;

        private Question(String path) {
            this.path = path;
        }
    }

    private final DeliverySpec.NextHops hops;
    private final String hostName;
    private final Limits limits;
    private final NextHopSettings.Timeouts timeouts;
    private final Duration retry;
    private final NextHopTls tls;
    private final NextHopTls plain;
    private final Map<NextHop, HopAddresses> lookups = new HashMap<>();
    private final ThreadPoolExecutor threads;
    private final Map<String, Answer> answers;
    private final Map<String, Question> questions = new HashMap<>();
    private boolean silent;
    private long silentEndNanos;
    private boolean closed;
    private final Map<Result, LongAdder> counts = new EnumMap<>(Result.class);

    /**
     * Asks nobody yet.
     *
     * @param hostName what it calls itself in EHLO; empty for its address
     * @throws IOException if TLS isn't possible as it is asked for; the message says why
     */
    CallAhead(DeliverySpec.NextHops hops, String hostName, NextHopSettings settings, Limits limits)
            throws IOException {
        for (Result result : Result.values()) {
            counts.put(result, new LongAdder());
        }
        this.hops = hops;
        this.hostName = hostName;
        this.limits = limits;
        Duration wait = limits.answerMax();
        // Where TLS or a lookup stalls, there is time left to ask in plain text or another next
        // hop.
        Duration half = wait.dividedBy(2);
        this.timeouts =
                new NextHopSettings.Timeouts(wait, wait, wait, wait, wait, wait, half, wait);
        this.retry = settings.retry();
        this.tls = NextHopTls.open(hops.tls(), settings.tlsTrust());
        this.plain = NextHopTls.open(DeliverySpec.Tls.NONE, "");
        for (NextHop hop : hops.hops()) {
            lookups.put(hop, new HopAddresses(() -> InetAddress.getAllByName(hop.host()), half));
        }
        this.threads = new ThreadPoolExecutor(
                limits.connectionsMax(),
                limits.connectionsMax(),
                1,
                TimeUnit.MINUTES,
                new ArrayBlockingQueue<>(limits.waitingMax()),
                task -> Thread.ofPlatform().daemon().name("call-ahead").unstarted(task));
        threads.allowCoreThreadTimeOut(true);
        this.answers = new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Answer> eldest) {
                return size() > limits.answersMax();
            }
        };
    }

    /**
     * {@return what asks the next hops about recipients, or null where the settings say that nobody is asked}
     *
     * @throws IllegalArgumentException if there is nobody to ask
     * @throws IOException if TLS isn't possible as it is asked for; the message says why
     */
    public static @Nullable CallAhead open(
            DeliverySpec delivery, DeliverySettings settings, Settings given) throws IOException {
        Limits limits = read(delivery, given);
        return limits != null && delivery instanceof DeliverySpec.NextHops hops
                ? new CallAhead(hops, settings.hostName(), settings.nextHop(), limits)
                : null;
    }

    /** Reads the settings; fails as {@link #open} does, and makes nothing. */
    public static void check(DeliverySpec delivery, Settings given) {
        var unused = read(delivery, given);
    }

    /** {@return the limits, or null where the settings say that nobody is asked} */
    private static @Nullable Limits read(DeliverySpec delivery, Settings settings) {
        boolean enabled = settings.flag(
                "smtp.verify-recipients",
                delivery instanceof DeliverySpec.NextHops
                        && SmtpReceiver.takesFromStrangers(settings),
                "Ask the next hop about each recipient at RCPT, and pass its 5xx on as 550 5.1.1;"
                        + " needs a delivery to smtp:// or lmtp://. The default there is true with"
                        + " smtp.accept-domains; clients of smtp.relay-from are not asked about.");
        if (enabled && !(delivery instanceof DeliverySpec.NextHops)) {
            throw new IllegalArgumentException("setting smtp.verify-recipients: with the delivery '"
                    + delivery + "' there is no next hop to ask; it needs smtp://HOST:PORT or"
                    + " lmtp://HOST:PORT");
        }
        return enabled ? Limits.of(ANSWER_MAX) : null;
    }

    /** {@return recipients with such a result} */
    public LongAdder count(Result result) {
        return counts.getOrDefault(result, new LongAdder());
    }

    @Override
    public void check(String forwardPath, Consumer<Optional<String>> listener) {
        String path = withSmallDomain(forwardPath);
        Optional<String> known = Optional.empty();
        synchronized (this) {
            long nowNanos = System.nanoTime();
            Answer answer = answers.get(path);
            if (answer != null && answer.endNanos() - nowNanos > 0) {
                known = Optional.ofNullable(answer.refusal());
            } else if (ask(path, listener, nowNanos)) {
                return;
            } else {
                count(Result.UNASKED).increment();
            }
        }
        listener.accept(known);
    }

    /** Whoever waits is answered. */
    @Override
    public void close() {
        List<Question> open;
        synchronized (this) {
            closed = true;
            open = List.copyOf(questions.values());
        }
        open.forEach(this::giveUp);
        lookups.values().forEach(HopAddresses::close);
        threads.shutdownNow();
    }

    /** {@return whether the listener waits for an answer now} Under the lock. */
    private boolean ask(String path, Consumer<Optional<String>> listener, long nowNanos) {
        Question asked = questions.get(path);
        if (asked != null) {
            asked.listeners.add(listener);
            return true;
        }
        silent &= silentEndNanos - nowNanos > 0;
        if (closed || silent) {
            return false;
        }
        Question question = new Question(path);
        try {
            threads.execute(() -> ask(question));
        } catch (RejectedExecutionException e) {
            return false;
        }
        question.listeners.add(listener);
        questions.put(path, question);
        var unused = question.time
                .completeOnTimeout(null, limits.answerMax().toNanos(), TimeUnit.NANOSECONDS)
                .thenRun(() -> giveUp(question));
        return true;
    }

    /** Asks one next hop after the other, until one has greeted. */
    private void ask(Question question) {
        try {
            for (NextHop hop : hops.hops()) {
                if (!question.reached) {
                    ask(question, hop);
                }
            }
        } finally {
            if (question.tried && !question.reached) {
                leaveAlone();
            }
            end(question, null);
        }
    }

    private void ask(Question question, NextHop hop) {
        try (NextHopConnection connection = requireNonNull(lookups.get(hop))
                .open(hop.port(), tls, plain, (to, mode) -> open(question, hop, to, mode))) {
            question.reached = true;
            connection.write("MAIL FROM:<>");
            // A refusal says nothing of the recipient.
            if (connection.reply("MAIL").isSuccess()) {
                connection.write("RCPT TO:<" + question.path + ">");
                end(question, connection.reply("RCPT"));
                connection.quit();
            }
        } catch (NextHopPool.NotTriedException e) {
            // It was too late to ask.
            return;
        } catch (IOException e) {
            question.tried = true;
        }
    }

    /** Nobody is asked for a while, so that RCPT does not wait for what can't be reached. */
    private synchronized void leaveAlone() {
        silent = true;
        silentEndNanos = System.nanoTime() + retry.toNanos();
    }

    private NextHopConnection open(
            Question question, NextHop hop, InetSocketAddress address, NextHopTls mode)
            throws IOException {
        NextHopConnection connection = new NextHopConnection(hop, timeouts);
        boolean opened = false;
        try {
            if (!begin(question, connection)) {
                throw new NextHopPool.NotTriedException("its time is over");
            }
            question.tried = true;
            connection.open(address, hostName, mode);
            opened = true;
            return connection;
        } finally {
            if (!opened) {
                connection.close();
            }
        }
    }

    /** {@return whether it is worth asking still} */
    private synchronized boolean begin(Question question, NextHopConnection connection) {
        question.connection = connection;
        return !question.over;
    }

    /** Ends a question whose time is over. Neither the receiver nor the thread waits any longer. */
    private void giveUp(Question question) {
        NextHopConnection connection;
        synchronized (this) {
            connection = question.over ? null : question.connection;
        }
        end(question, null);
        if (connection != null) {
            connection.close();
        }
    }

    /** Answers whoever waits; the first answer counts. */
    private void end(Question question, @Nullable SmtpReply reply) {
        String refusal = null;
        synchronized (this) {
            if (question.over) {
                return;
            }
            question.over = true;
            questions.remove(question.path);
            long nowNanos = System.nanoTime();
            if (reply != null && reply.isSuccess()) {
                keep(question.path, null, nowNanos + limits.acceptedMax().toNanos());
                count(Result.ACCEPTED).increment();
            } else if (reply != null
                    && reply.isPermanent()
                    && !NextHopRefusals.concernHub(reply)
                    && reply.code() != 552) {
                // RFC 5321 4.5.3.1.10: 552 to RCPT is a temporary failure.
                refusal = "the next hop refuses this recipient: " + reply;
                keep(question.path, refusal, nowNanos + limits.refusedMax().toNanos());
                count(Result.REFUSED).increment();
            } else {
                count(Result.UNANSWERED).increment();
            }
        }
        question.time.complete(null);
        Optional<String> answer = Optional.ofNullable(refusal);
        question.listeners.forEach(listener -> listener.accept(answer));
    }

    private void keep(String path, @Nullable String refusal, long endNanos) {
        answers.put(path, new Answer(refusal, endNanos));
    }

    /** Domains are the same in any case; local parts may differ by it (RFC 5321 2.4). */
    private static String withSmallDomain(String path) {
        int at = path.lastIndexOf('@') + 1;
        return path.substring(0, at) + path.substring(at).toLowerCase(Locale.ROOT);
    }
}
