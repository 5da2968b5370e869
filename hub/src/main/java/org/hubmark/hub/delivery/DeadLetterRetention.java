package org.hubmark.hub.delivery;

import org.hubmark.core.Durations;
import org.hubmark.core.QueueId;
import org.hubmark.core.QueuedMessage;
import org.hubmark.hub.tracking.TrackingEvent;
import org.hubmark.hub.tracking.TrackingLog;
import org.hubmark.queue.DeadLetters;
import org.hubmark.queue.QueueStore;
import org.hubmark.queue.StoreStatistics;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Removes dead letters that are too old, and the oldest when there are too many or too large ones; of
 * these first such as wait for no notification. Too old is what was so at two looks an hour apart, or as far
 * apart as the age, if that is less: a clock that is wrong for a shorter time removes nothing. It goes through the queue in the order of receipt, some messages at a time with pauses between, and only
 * when something is to be removed: a queue of any length takes no memory and little time. A thread of its
 * own, {@code retention}; any thread reads what it counts.
 */
public final class DeadLetterRetention implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DeadLetterRetention.class);

    private static final Duration PERIOD = Duration.ofSeconds(1);
    private static final int MESSAGES_AT_ONCE = 1_000;
    private static final Duration PAUSE = Duration.ofMillis(50);

    /** The log is told of what was removed so often at most. */
    private static final Duration TOLD_PERIOD = Duration.ofMinutes(1);

    private static final int EARLY_PERCENT = 80;
    private static final int CALM_PERCENT = 70;

    /** Between the two looks at which a dead letter is too old, at most. */
    private static final Duration CONFIRMATION = Duration.ofHours(1);

    /** Largest share of the time that passes take is one part in this many; pauses are the rest. */
    private static final int PASS_SHARE = 10;

    private final QueueStore store;
    private final DeadLetterSettings settings;
    private final TrackingLog tracking;
    private final InstantSource clock;
    private final LongSupplier nanos;
    private final Duration ageMin;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread;
    private final LongAdder removed = new LongAdder();
    private volatile @Nullable Instant oldest;

    // The thread's.
    private Instant passDueAt = Instant.MIN;
    private long passNotBeforeNanos;
    private boolean warned;
    private boolean unreadable;
    private long untold;
    private long untoldBytes;
    private long toldNanos;

    /** When some were found too old, by the clock and by the nanoseconds; null while none are. */
    private @Nullable Instant foundOldAt;

    private long foundOldNanos;

    /** Removes nothing until it is started. */
    public DeadLetterRetention(
            QueueStore store,
            DeadLetterSettings settings,
            TrackingLog tracking,
            InstantSource clock) {
        this(store, settings, tracking, clock, System::nanoTime);
    }

    DeadLetterRetention(
            QueueStore store,
            DeadLetterSettings settings,
            TrackingLog tracking,
            InstantSource clock,
            LongSupplier nanos) {
        this.store = store;
        this.settings = settings;
        this.tracking = tracking;
        this.clock = clock;
        this.nanos = nanos;
        this.ageMin = shorter(settings.ageMax(), settings.expireAfter());
        this.passNotBeforeNanos = nanos.getAsLong();
        this.toldNanos = passNotBeforeNanos - TOLD_PERIOD.toNanos();
        this.thread = new Thread(this::run, "retention");
        this.thread.setDaemon(true);
    }

    /** Begins to look. */
    public void start() {
        thread.start();
    }

    /** {@return dead letters that were removed} */
    public LongAdder removed() {
        return removed;
    }

    /** {@return the age of the oldest dead letter as of the last pass, in seconds; 0 without one} */
    public double oldestSeconds() {
        Instant since = oldest;
        return since == null
                ? 0
                : Math.max(0, Duration.between(since, clock.instant()).toMillis() / 1e3);
    }

    /** Ends; the store isn't asked any more. */
    @Override
    public void close() {
        closing.countDown();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            while (!closing.await(PERIOD.toMillis(), TimeUnit.MILLISECONDS)) {
                lookAgain();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IllegalStateException e) {
            LOG.debug("the store has ended, dead letters stay", e);
        }
        tell();
    }

    /** Looks, also after a look that failed: a read that fails once may not the next time. */
    void lookAgain() throws InterruptedException {
        try {
            look();
            unreadable = false;
        } catch (UncheckedIOException e) {
            if (!unreadable) {
                LOG.error("the queue can't be read, dead letters stay until it can", e);
            }
            unreadable = true;
            passNotBeforeNanos = nanos.getAsLong() + TOLD_PERIOD.toNanos();
        }
    }

    /** Looks whether something is to be removed, and removes it. */
    void look() throws InterruptedException {
        StoreStatistics.Length now = store.statistics().length();
        warnEarly(now);
        if (now.deadMessages() == 0) {
            oldest = null;
            passDueAt = Instant.MIN;
            foundOldAt = null;
        } else if (nanos.getAsLong() - passNotBeforeNanos >= 0
                && (settings.isOver(now.deadMessages(), now.deadBytes()) || isPassDue())) {
            long startNanos = nanos.getAsLong();
            boolean paused = pass(now);
            long endNanos = nanos.getAsLong();
            passNotBeforeNanos =
                    endNanos + (paused ? (PASS_SHARE - 1) * (endNanos - startNanos) : 0);
        }
        if (nanos.getAsLong() - toldNanos >= TOLD_PERIOD.toNanos()) {
            tell();
        }
    }

    private boolean isPassDue() {
        return foundOldAt == null ? !clock.instant().isBefore(passDueAt) : isConfirmed();
    }

    private boolean isConfirmed() {
        return nanos.getAsLong() - foundOldNanos
                >= shorter(ageMin, CONFIRMATION).toNanos();
    }

    private void warnEarly(StoreStatistics.Length now) {
        long percent = settings.percentUsed(now.deadMessages(), now.deadBytes());
        if (percent >= EARLY_PERCENT && !warned) {
            LOG.atWarn()
                    .addKeyValue("event", "dead_letters_near_limit")
                    .addKeyValue("messages", now.deadMessages())
                    .addKeyValue("bytes", now.deadBytes())
                    .addKeyValue("percent", percent)
                    .log(
                            "{} dead letters with {} bytes use {} % of their limit; from 100 % on"
                                    + " the oldest are removed: see 'hubmark queue list --state"
                                    + " dead', or raise delivery.dead-letter-max-count or"
                                    + " -max-bytes",
                            now.deadMessages(), now.deadBytes(), percent);
        }
        warned = percent >= EARLY_PERCENT || (warned && percent >= CALM_PERCENT);
    }

    /** Goes through the queue once, or twice if that is not enough; true if that took pauses. */
    private boolean pass(StoreStatistics.Length before) throws InterruptedException {
        Pass first = new Pass(before.deadMessages(), before.deadBytes(), false);
        boolean paused = first.run();
        if (settings.isOver(first.count, first.bytes)) {
            paused |= new Pass(first.count, first.bytes, true).run();
        }
        return paused;
    }

    /** One way through the queue. */
    private final class Pass {
        private final Instant now = clock.instant();
        private final boolean takesReturned;
        private final Instant tooOldAt;
        private long count;
        private long bytes;
        private long old;

        /** Takes those that wait for a notification too if there are too many, or not. */
        Pass(long count, long bytes, boolean takesReturned) {
            this.count = count;
            this.bytes = bytes;
            this.takesReturned = takesReturned;
            Instant found = foundOldAt;
            this.tooOldAt = found == null || !isConfirmed()
                    ? Instant.MIN
                    : found.isBefore(now) ? found : now;
        }

        boolean run() throws InterruptedException {
            Instant left = null;
            // What dies from now on is due after this.
            Instant next = later(now, ageMin);
            boolean paused = false;
            QueueId from = new QueueId(0);
            while (from != null) {
                DeadLetters page = store.deadLetters(from, MESSAGES_AT_ONCE);
                List<QueuedMessage> leaving = new ArrayList<>();
                for (QueuedMessage message : page.messages()) {
                    Instant endsAt = endsAt(message);
                    if (isTooMuch(message) || !endsAt.isAfter(tooOldAt)) {
                        leaving.add(message);
                        count--;
                        bytes -= message.sizeBytes();
                    } else {
                        old += endsAt.isAfter(now) ? 0 : 1;
                        next = endsAt.isBefore(next) ? endsAt : next;
                        left = left == null || message.dueAt().isBefore(left)
                                ? message.dueAt()
                                : left;
                    }
                }
                remove(leaving);
                from = page.next();
                if (from != null) {
                    paused = true;
                    if (closing.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS)) {
                        return true;
                    }
                }
            }
            oldest = left;
            passDueAt = next;
            foundOld();
            return paused;
        }

        private boolean isTooMuch(QueuedMessage message) {
            return settings.isOver(count, bytes)
                    && (takesReturned || message.state() != QueuedMessage.State.RETURNED);
        }

        /** Those that are left and too old have been so once. */
        private void foundOld() {
            if (old == 0) {
                foundOldAt = null;
            } else if (foundOldAt == null || !tooOldAt.equals(Instant.MIN)) {
                foundOldAt = now;
                foundOldNanos = nanos.getAsLong();
                LOG.atWarn()
                        .addKeyValue("event", "dead_letters_old")
                        .addKeyValue("messages", old)
                        .log(
                                "{} dead letters are too old (delivery.dead-letter-max-age) by the"
                                        + " clock, which says {}; they are removed if they still are"
                                        + " in {}",
                                old,
                                now,
                                Durations.format(shorter(ageMin, CONFIRMATION)));
            }
        }
    }

    private Instant endsAt(QueuedMessage message) {
        if (message.envelope().reversePath().isEmpty()) {
            return later(message.dueAt(), ageMin);
        }
        Instant endsAt = later(message.dueAt(), settings.ageMax());
        return message.state() == QueuedMessage.State.RETURNED
                        && !settings.ageMax().isZero()
                ? endsAt.plus(settings.expireAfter())
                : endsAt;
    }

    /** Zero is none. */
    private static Duration shorter(Duration one, Duration other) {
        if (one.isZero() || other.isZero()) {
            return one.isZero() ? other : one;
        }
        return one.compareTo(other) < 0 ? one : other;
    }

    private static Instant later(Instant since, Duration ageMax) {
        return ageMax.isZero() ? Instant.MAX : since.plus(ageMax);
    }

    private void remove(List<QueuedMessage> leaving) {
        List<CompletableFuture<Boolean>> answers = new ArrayList<>(leaving.size());
        for (QueuedMessage message : leaving) {
            answers.add(store.removeDead(message.id()));
        }
        for (int i = 0; i < answers.size(); i++) {
            if (hasLeft(answers.get(i))) {
                tracking.offer(TrackingEvent.removed(leaving.get(i)));
                removed.increment();
                untold++;
                untoldBytes += leaving.get(i).sizeBytes();
            }
        }
    }

    private static boolean hasLeft(CompletableFuture<Boolean> answer) {
        try {
            return answer.join();
        } catch (CompletionException e) {
            throw switch (e.getCause()) {
                case IllegalStateException ended -> ended;
                case UncheckedIOException unreadable -> unreadable;
                case null, default -> e;
            };
        }
    }

    private void tell() {
        if (untold == 0) {
            return;
        }
        LOG.atWarn()
                .addKeyValue("event", "dead_letters_removed")
                .addKeyValue("messages", untold)
                .addKeyValue("bytes", untoldBytes)
                .log(
                        "{} dead letters with {} bytes were removed because of their limits (age"
                                + " {}, number {}, bytes {}; 0 is none); the tracking log has"
                                + " each as REMOVE",
                        untold,
                        untoldBytes,
                        Durations.format(settings.ageMax()),
                        settings.countMax(),
                        settings.bytesMax());
        untold = 0;
        untoldBytes = 0;
        toldNanos = nanos.getAsLong();
    }
}
