package org.hubmark.hub.delivery;

import org.hubmark.core.QueueId;
import org.hubmark.core.QueuedMessage;
import org.hubmark.core.Uninterrupted;
import org.hubmark.hub.tracking.TrackingEvent;
import org.hubmark.hub.tracking.TrackingLog;
import org.hubmark.queue.DeadLetters;
import org.hubmark.queue.QueueStore;
import org.hubmark.queue.StoreStatistics;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Removes dead letters that are too old, and the oldest when they are too large together, but none that waits
 * for its notification. Nothing is too old by a clock that was not steady for an hour, or for the age if that
 * is less: a clock that is wrong for a shorter time removes nothing. It goes through the queue in the order
 * of receipt, some messages at a time with pauses between, and only when something is to be removed: a
 * queue of any length takes no memory and little time. One thread looks; any thread reads what it counts.
 */
public final class DeadLetterRetention implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DeadLetterRetention.class);

    /** How often to {@link #look}. */
    public static final Duration PERIOD = Duration.ofSeconds(1);

    private static final int MESSAGES_AT_ONCE = 1_000;
    private static final Duration PAUSE = Duration.ofMillis(50);

    /** After a failure, and after a pass that could not remove enough. */
    private static final Duration PAUSE_LONG = Duration.ofMinutes(1);

    /** Largest share of the time that passes take is one part in this many; pauses are the rest. */
    private static final int PASS_SHARE = 10;

    private static final Duration STEADY = Duration.ofHours(1);

    /** More than a clock is slewed between two looks. */
    private static final Duration JUMP = Duration.ofMinutes(1);

    private final QueueStore store;
    private final DeadLetterSettings settings;
    private final TrackingLog tracking;
    private final InstantSource clock;
    private final LongSupplier nanos;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final LongAdder removed = new LongAdder();
    private final MinuteLog removals = new MinuteLog(
            "dead_letters_removed",
            "dead letters removed because of their age or of delivery.dead-letter-max-bytes"
                    + " (REMOVE in the tracking log)");
    private volatile @Nullable Thread thread;

    // Of who looks, and of the thread that removes while it does.
    private boolean isSteady;
    private Instant passDueAt = Instant.MIN;
    private long passNotBeforeNanos;
    private Instant lookedAt;
    private long lookedNanos;
    private long steadySinceNanos;

    /** Removes nothing before the first look. */
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
        this.lookedAt = clock.instant();
        this.lookedNanos = nanos.getAsLong();
        this.steadySinceNanos = lookedNanos;
        this.passNotBeforeNanos = lookedNanos;
    }

    /**
     * Looks whether something is to be removed, which a thread of its own does, {@code retention}, while
     * that lasts. The hub's timer.
     */
    public void look() {
        Thread before = thread;
        if ((before == null || !before.isAlive()) && isDue()) {
            thread = Thread.ofPlatform().daemon().name("retention").start(this::remove);
        }
    }

    /** {@return dead letters that were removed} */
    public LongAdder removed() {
        return removed;
    }

    /** Ends; the store isn't asked any more. After the last look. */
    @Override
    public void close() {
        closing.countDown();
        Thread last = thread;
        if (last != null) {
            Uninterrupted.join(last);
        }
    }

    /** Looks, and removes on the thread that calls. */
    void lookHere() {
        if (isDue()) {
            remove();
        }
    }

    private boolean isDue() {
        long nowNanos = nanos.getAsLong();
        isSteady = isSteady(nowNanos);
        if (nowNanos - passNotBeforeNanos < 0) {
            return false;
        }
        StoreStatistics.Length now = store.statistics().length();
        return settings.isOver(now.deadBytes())
                || (isSteady && now.deadMessages() > 0 && !clock.instant().isBefore(passDueAt));
    }

    /** Goes through the queue once; what fails may not fail later. */
    private void remove() {
        long startNanos = nanos.getAsLong();
        long pauseNanos = PAUSE_LONG.toNanos();
        try {
            if (!settings.isOver(pass(store.statistics().length().deadBytes()))) {
                pauseNanos = (PASS_SHARE - 1) * (nanos.getAsLong() - startNanos);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            LOG.error("can't read the queue; dead letters are kept until it can be read", e);
        } finally {
            passNotBeforeNanos = nanos.getAsLong() + pauseNanos;
        }
    }

    /** {@return whether the clock has gone on as time does for long enough} */
    private boolean isSteady(long nowNanos) {
        Instant now = clock.instant();
        Duration gone = Duration.ofNanos(nowNanos - lookedNanos);
        if (Duration.between(lookedAt, now).minus(gone).abs().compareTo(JUMP) > 0) {
            steadySinceNanos = nowNanos;
        }
        lookedAt = now;
        lookedNanos = nowNanos;
        Duration age = settings.ageMin();
        Duration steady = age.compareTo(STEADY) < 0 ? age : STEADY;
        return nowNanos - steadySinceNanos >= steady.toNanos();
    }

    /** {@return octets of the dead letters that are left} Goes through the queue once. */
    private long pass(long deadBytes) throws InterruptedException {
        Instant now = clock.instant();
        // What dies from now on is due after this.
        Instant next = now.plus(settings.ageMin());
        long bytes = deadBytes;
        QueueId from = new QueueId(0);
        while (from != null) {
            DeadLetters page = store.deadLetters(from, MESSAGES_AT_ONCE);
            List<QueuedMessage> leaving = new ArrayList<>();
            for (QueuedMessage message : page.messages()) {
                Instant endsAt = settings.endsAt(message);
                boolean isTooMuch =
                        settings.isOver(bytes) && message.state() != QueuedMessage.State.RETURNED;
                if (isTooMuch || (isSteady && !endsAt.isAfter(now))) {
                    leaving.add(message);
                    bytes -= message.sizeBytes();
                } else {
                    next = endsAt.isBefore(next) ? endsAt : next;
                }
            }
            remove(leaving);
            from = page.next();
            if (from != null && closing.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS)) {
                return bytes;
            }
        }
        passDueAt = next;
        return bytes;
    }

    private void remove(List<QueuedMessage> leaving) {
        List<CompletableFuture<Boolean>> answers =
                leaving.stream().map(message -> store.removeDead(message.id())).toList();
        for (int i = 0; i < answers.size(); i++) {
            if (answers.get(i).join()) {
                tracking.offer(TrackingEvent.removed(TrackingEvent.Kind.REMOVE, leaving.get(i)));
                removed.increment();
                removals.happened(leaving.get(i).id().toString());
            }
        }
    }
}
