package org.hubmark.hub.delivery;

import org.hubmark.core.Envelope;
import org.hubmark.core.Lease;
import org.hubmark.core.MailQueue;
import org.hubmark.core.Outcome;
import org.hubmark.core.QueueId;
import org.hubmark.core.RecipientResult;
import org.hubmark.core.RecipientResult.State;
import org.hubmark.hub.tracking.TrackingEvent;
import org.hubmark.hub.tracking.TrackingLog;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * Ends leases as the outcomes of their attempts say, recipient by recipient. Who has the message is
 * never sent it again, over restarts too; who is refused comes back to the sender in a notification,
 * which is durable before the refusal is: a crash between them costs a second notification, never the
 * only one. The message is kept until its notifications were delivered. What can't come back becomes a
 * dead letter, and so does a message whose notification is refused too. A message is given up for its age
 * by an attempt of its own only. Delivery threads, several at once.
 */
public final class Settlement {
    private static final Logger LOG = LoggerFactory.getLogger(Settlement.class);

    private final MailQueue queue;
    private final DeliverySettings settings;
    private final Notifier notifier;
    private final TrackingLog tracking;
    private final ResidenceHistogram residence;
    private final InstantSource clock;
    private final MinuteLog expiries = new MinuteLog(
            "messages_expired", "messages given up as too old (delivery.expire-after)");
    private final MinuteLog unreturned = new MinuteLog(
            "notifications_failed",
            "messages became dead letters, since their senders could not be notified"
                    + " (see 'hubmark queue retry')");
    private final LongAdder delivered = new LongAdder();
    private final LongAdder deferred = new LongAdder();
    private final LongAdder returned = new LongAdder();
    private final LongAdder dead = new LongAdder();
    private volatile boolean aborting;

    Settlement(
            MailQueue queue,
            DeliverySettings settings,
            TrackingLog tracking,
            ResidenceHistogram residence,
            InstantSource clock) {
        this.queue = queue;
        this.settings = settings;
        this.notifier = new Notifier(queue, tracking);
        this.tracking = tracking;
        this.residence = residence;
        this.clock = clock;
    }

    /** {@return messages that left the queue, delivered to somebody} */
    public LongAdder delivered() {
        return delivered;
    }

    /** {@return attempts that were put off} */
    public LongAdder deferred() {
        return deferred;
    }

    /** {@return notifications of failures sent} */
    public LongAdder returned() {
        return returned;
    }

    /** {@return messages that became dead letters} */
    public LongAdder dead() {
        return dead;
    }

    /** From now on what is put off was so by our own stopping: it stays in the queue as it was. */
    void abort() {
        aborting = true;
    }

    /** Ends a lease. */
    void settle(Lease lease, Outcome outcome) {
        if (outcome instanceof Outcome.Delivered && lease.results().isEmpty()) {
            acknowledge(lease);
            left(lease);
            tracking.offer(TrackingEvent.attempt(TrackingEvent.Kind.DELIVER, lease, ""));
            return;
        }
        Instant now = clock.instant();
        if (outcome instanceof Outcome.NotTried notTried) {
            putBack(lease, notTried.reason(), now);
            return;
        }
        List<RecipientResult> results = results(lease, outcome);
        if (aborting && tried(lease, results, result -> !result.isOpen()).isEmpty()) {
            queue.release(lease.id());
            return;
        }
        Optional<Instant> next = aborting
                ? Optional.of(now)
                : settings.retry()
                        .next(
                                lease.envelope().receivedAt(),
                                now,
                                lease.attempts(),
                                lease.askedFor());
        if (next.isEmpty() && expire(results)) {
            expiries.happened(lease.id().toString());
        }
        List<Integer> failed = tried(lease, results, result -> result.state() == State.FAILED);
        QueueId notification =
                failed.isEmpty() || !comesBack(lease.envelope()) ? null : queue.nextId();
        Optional<String> problem = notification == null
                ? Optional.empty()
                : send(notification, StatusNotification.Action.FAILED, lease, results, failed, now);
        if (problem.isPresent()) {
            notification = null;
            // It fails again at the next attempt, when there is room for the notification, maybe.
            reopen(lease, results, problem.get());
            next = Optional.of(now.plus(settings.retry().waitMin()));
        } else if (next.isPresent() && !aborting) {
            notifyOfDelay(lease, results, now);
        }
        if (notification != null) {
            returned.increment();
        }
        track(lease, results);
        end(lease, results, next.orElse(now), notification);
    }

    /** Ends a lease whose delivery broke down: it would break down again at the next attempt. */
    void setAside(Lease lease, Throwable cause) {
        String reason = cause instanceof UncheckedIOException unreadable
                ? String.valueOf(unreadable.getMessage())
                : cause.toString();
        LOG.error(
                "the delivery of {} failed unexpectedly; the message is set aside",
                lease.id(),
                cause);
        queue.setAside(lease.id(), reason);
        tracking.offer(TrackingEvent.attempt(TrackingEvent.Kind.DAMAGED, lease, reason));
    }

    private void left(Lease lease) {
        residence.record(lease.envelope().receivedAt(), clock.instant());
        delivered.increment();
    }

    private void putBack(Lease lease, String reason, Instant now) {
        if (aborting) {
            queue.release(lease.id());
            return;
        }
        queue.postpone(lease.id(), now.plus(settings.nextHop().retry()), reason);
    }

    private static List<RecipientResult> results(Lease lease, Outcome outcome) {
        int recipients = lease.envelope().forwardPaths().size();
        List<RecipientResult> results = new ArrayList<>(recipients);
        for (int i = 0; i < recipients; i++) {
            RecipientResult before = lease.result(i);
            RecipientResult now = switch (outcome) {
                case Outcome.Delivered all -> RecipientResult.DELIVERED;
                case Outcome.Deferred later -> RecipientResult.pending(later.reason());
                case Outcome.NotTried none -> before;
                case Outcome.Undeliverable never -> RecipientResult.failed(never.reason());
                case Outcome.Partial each -> each.results().get(i);
            };
            if (!before.isOpen()) {
                results.add(before);
            } else if (before.state() == State.DELAYED && now.state() == State.PENDING) {
                results.add(new RecipientResult(State.DELAYED, now.reply()));
            } else {
                results.add(now);
            }
        }
        return results;
    }

    /** {@return whether there was anyone to give up} */
    private static boolean expire(List<RecipientResult> results) {
        boolean isAnyOpen = first(results, RecipientResult::isOpen) != null;
        results.replaceAll(result -> result.isOpen()
                ? RecipientResult.failed(
                        "4.4.7 too old for another attempt; the last one: " + result.reply())
                : result);
        return isAnyOpen;
    }

    private static void reopen(Lease lease, List<RecipientResult> results, String problem) {
        for (int i : tried(lease, results, result -> result.state() == State.FAILED)) {
            RecipientResult result = results.get(i);
            results.set(i, RecipientResult.pending(problem + "; " + result.reply()));
        }
    }

    private void notifyOfDelay(Lease lease, List<RecipientResult> results, Instant now) {
        Duration after = settings.delayWarning();
        Duration age = Duration.between(lease.envelope().receivedAt(), now);
        if (after.isZero() || age.compareTo(after) < 0 || !comesBack(lease.envelope())) {
            return;
        }
        List<Integer> late = tried(lease, results, result -> result.state() == State.PENDING);
        if (late.isEmpty()) {
            return;
        }
        Optional<String> problem =
                send(queue.nextId(), StatusNotification.Action.DELAYED, lease, results, late, now);
        if (problem.isEmpty()) {
            for (int i : late) {
                results.set(i, new RecipientResult(State.DELAYED, results.get(i).reply()));
            }
        }
    }

    private Optional<String> send(
            QueueId id,
            StatusNotification.Action action,
            Lease lease,
            List<RecipientResult> results,
            List<Integer> recipients,
            Instant now) {
        Instant until = lease.envelope().receivedAt().plus(settings.retry().expireAfter());
        return notifier.send(
                id,
                new StatusNotification(
                        action, lease, results, recipients, settings.ownName(), now, until));
    }

    /** Never for the null reverse-path (RFC 5321 4.5.5): notifications of notifications don't end. */
    private boolean comesBack(Envelope envelope) {
        return settings.notifications() && !envelope.reversePath().isEmpty();
    }

    private void end(
            Lease lease,
            List<RecipientResult> results,
            Instant next,
            @Nullable QueueId notification) {
        List<RecipientResult> kept = kept(lease, results);
        RecipientResult open = first(results, RecipientResult::isOpen);
        if (open != null) {
            if (notification == null) {
                queue.defer(lease.id(), next, open.reply(), kept);
            } else {
                queue.defer(lease.id(), next, open.reply(), kept, notification);
            }
            deferred.increment();
            return;
        }
        RecipientResult failed = first(results, result -> result.state() == State.FAILED);
        if (failed != null && !comesBack(lease.envelope())) {
            bury(lease, failed.reply(), kept);
            return;
        }
        if (failed == null) {
            acknowledge(lease);
        } else {
            queue.returnToSender(lease.id(), failed.reply(), kept, notification);
        }
        if (first(results, result -> result.state() == State.DELIVERED) != null) {
            left(lease);
        }
    }

    private void acknowledge(Lease lease) {
        QueueId about = StatusNotification.about(lease.envelope());
        if (about == null) {
            queue.acknowledge(lease.id());
        } else {
            queue.notified(lease.id(), about);
        }
    }

    private void bury(Lease lease, String reason, List<RecipientResult> kept) {
        QueueId about = StatusNotification.about(lease.envelope());
        if (about == null) {
            queue.deadLetter(lease.id(), reason, kept);
        } else {
            queue.notNotified(lease.id(), about, reason, kept);
            unreturned.happened(about + ": " + reason);
        }
        dead.increment();
    }

    /** {@return what the queue has to keep} Nothing while all recipients are alike and to be tried. */
    private static List<RecipientResult> kept(Lease lease, List<RecipientResult> results) {
        RecipientResult some = results.getFirst();
        boolean alike = lease.results().isEmpty()
                && some.state() != State.DELAYED
                && results.stream().allMatch(some::equals);
        return alike ? List.of() : results;
    }

    private void track(Lease lease, List<RecipientResult> results) {
        track(TrackingEvent.Kind.DELIVER, lease, results, r -> r.state() == State.DELIVERED);
        track(TrackingEvent.Kind.FAIL, lease, results, r -> r.state() == State.FAILED);
        track(TrackingEvent.Kind.DEFER, lease, results, RecipientResult::isOpen);
    }

    private void track(
            TrackingEvent.Kind kind,
            Lease lease,
            List<RecipientResult> results,
            Predicate<RecipientResult> kindOfResult) {
        List<Integer> places = tried(lease, results, kindOfResult);
        if (!places.isEmpty()) {
            List<String> forwardPaths =
                    places.stream().map(lease.envelope().forwardPaths()::get).toList();
            String reason = results.get(places.getFirst()).reply();
            tracking.offer(TrackingEvent.attempt(kind, lease, forwardPaths, reason));
        }
    }

    /** {@return the places of the recipients that were tried and have such a result now} */
    private static List<Integer> tried(
            Lease lease, List<RecipientResult> results, Predicate<RecipientResult> wanted) {
        return IntStream.range(0, results.size())
                .filter(i -> lease.result(i).isOpen() && wanted.test(results.get(i)))
                .boxed()
                .toList();
    }

    private static @Nullable RecipientResult first(
            List<RecipientResult> results, Predicate<RecipientResult> wanted) {
        return results.stream().filter(wanted).findFirst().orElse(null);
    }
}
