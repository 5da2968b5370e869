package org.hubmark.testkit;

import org.hubmark.core.Lease;
import org.hubmark.core.Outcome;
import org.hubmark.core.Receipt;
import org.hubmark.queue.SimulatedLogVolume;
import org.hubmark.smtp.SmtpPolicy;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;

/**
 * Faults of a hub under test: each occurs at a counted event, never by chance. Counts begin when
 * the fault is asked for and run over all connections, so "the third MAIL" is the third from then
 * on, whoever sends it. Any thread; faults stay until they have happened, or until {@link #clear}.
 */
public final class Faults {
    private final Journal journal;
    private final @Nullable SimulatedLogVolume log;
    private final List<Nth<SmtpPolicy.Verdict.Refuse>> commands = new ArrayList<>();
    private final List<Long> cuts = new ArrayList<>();
    private final List<Nth<Outcome>> deliveries = new ArrayList<>();
    private long roomBytes = Long.MAX_VALUE;

    /** What happens at the nth event of a kind. */
    private static final class Nth<T> {
        private final String kind;
        private final T fault;
        private long left;

        Nth(String kind, long nth, T fault) {
            this.kind = kind;
            this.left = nth;
            this.fault = fault;
        }

        /** {@return the fault of this event, or null} Counts it. */
        static <T> @Nullable T next(List<Nth<T>> all, String kind) {
            T fault = null;
            for (Iterator<Nth<T>> faults = all.iterator(); faults.hasNext(); ) {
                Nth<T> one = faults.next();
                if (one.kind.equals(kind) && --one.left == 0) {
                    faults.remove();
                    fault = one.fault;
                }
            }
            return fault;
        }
    }

    Faults(Journal journal, @Nullable SimulatedLogVolume log) {
        this.journal = journal;
        this.log = log;
    }

    /**
     * Answers the nth command of a kind, instead of executing it.
     *
     * @param verb HELO, EHLO, MAIL, RCPT, DATA, RSET, NOOP, VRFY or QUIT
     * @param nth 1 for the next one
     * @param reply one line, 4xx or 5xx: {@code 451 4.3.0 try later}; 421 ends the connection
     */
    public synchronized Faults answer(String verb, long nth, String reply) {
        String upper = verb.toUpperCase(Locale.ROOT);
        if (!List.of("HELO", "EHLO", "MAIL", "RCPT", "DATA", "RSET", "NOOP", "VRFY", "QUIT")
                .contains(upper)) {
            throw new IllegalArgumentException("'" + verb
                    + "' is not one of HELO, EHLO, MAIL, RCPT, DATA, RSET, NOOP, VRFY and QUIT");
        }
        atLeast(1, nth, "the nth command");
        commands.add(new Nth<>(upper, nth, new SmtpPolicy.Verdict.Refuse(reply)));
        return this;
    }

    /**
     * Cuts the connection of the next message that gets so long, within its content. Asked for
     * twice, it is done to two messages.
     *
     * @param octets of content with the hub's Received field; it is cut when as many have come
     */
    public synchronized Faults cutContent(long octets) {
        atLeast(0, octets, "the number of octets");
        cuts.add(octets);
        return this;
    }

    /** Takes so many more bytes of mail, then none for want of room: 452 4.3.1. */
    public synchronized Faults fillDiskAfter(long bytes) {
        atLeast(0, bytes, "the number of bytes");
        roomBytes = bytes;
        return this;
    }

    /** Makes each sync of the log take so long, and with it each 250 after content. */
    public synchronized Faults delaySyncs(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("the time of a sync is at least 0, not " + time);
        }
        log().delaySync(time);
        return this;
    }

    /**
     * The nth sync of the log fails. The hub then refuses everything with 421 until it is restarted
     * or crashed, and nobody has got a 250 for what was not synced.
     */
    public synchronized Faults failSync(long nth) {
        atLeast(1, nth, "the nth sync");
        log().failSync(nth, nth);
        return this;
    }

    /** The nth attempt to deliver is put off until the retry schedule says; advance the clock. */
    public synchronized Faults deferDelivery(long nth, String reason) {
        atLeast(1, nth, "the nth delivery");
        deliveries.add(new Nth<>("", nth, new Outcome.Deferred(reason)));
        return this;
    }

    /** The nth attempt to deliver fails for good: the message becomes a dead letter. */
    public synchronized Faults failDelivery(long nth, String reason) {
        atLeast(1, nth, "the nth delivery");
        deliveries.add(new Nth<>("", nth, new Outcome.Undeliverable(reason)));
        return this;
    }

    /** Ends all faults and delays. A sync that has failed has failed. */
    public synchronized Faults clear() {
        commands.clear();
        cuts.clear();
        deliveries.clear();
        roomBytes = Long.MAX_VALUE;
        if (log != null) {
            log.delaySync(Duration.ZERO);
            log.failSync(Long.MAX_VALUE, 0);
        }
        return this;
    }

    /** {@return what becomes of a command} */
    synchronized SmtpPolicy.Verdict nextCommand(String peer, String verb) {
        SmtpPolicy.Verdict.Refuse verdict = Nth.next(commands, verb);
        if (verdict == null) {
            return new SmtpPolicy.Verdict.Proceed();
        }
        journal.add(verb + " of " + peer + ": answered " + verdict.reply());
        return verdict;
    }

    /** {@return what becomes of content, so much of which has come} */
    synchronized SmtpPolicy.Verdict nextContent(String peer, long octets) {
        for (Iterator<Long> all = cuts.iterator(); all.hasNext(); ) {
            if (octets >= all.next()) {
                all.remove();
                journal.add("content of " + peer + ": connection cut after " + octets + " octets");
                return new SmtpPolicy.Verdict.Disconnect();
            }
        }
        return new SmtpPolicy.Verdict.Proceed();
    }

    /** {@return what a delivery comes to, or null when it is to be done} */
    synchronized @Nullable Outcome nextDelivery(Lease lease) {
        Outcome outcome = Nth.next(deliveries, "");
        if (outcome != null) {
            journal.add("delivery of " + lease.id() + ": " + outcome);
        }
        return outcome;
    }

    /** {@return why a message of that size has no room, or null when it takes its room} */
    synchronized Receipt.@Nullable Refused takeRoom(long bytes) {
        if (roomBytes >= bytes) {
            if (roomBytes != Long.MAX_VALUE) {
                roomBytes -= bytes;
            }
            return null;
        }
        // What is too long for the rest ends the room for the others too, as a full disk would.
        roomBytes = 0;
        journal.add("a message of " + bytes + " bytes: no room on the disk");
        return full();
    }

    /** {@return whether mail is refused for want of room already} */
    synchronized Receipt.@Nullable Refused refusal() {
        return roomBytes <= 0 ? full() : null;
    }

    private static void atLeast(long least, long asked, String what) {
        if (asked < least) {
            throw new IllegalArgumentException(what + " is " + least + " or more, not " + asked);
        }
    }

    private SimulatedLogVolume log() {
        if (log == null) {
            throw new IllegalStateException(
                    "this hub's log is in a real folder (onDisk); leave out onDisk to simulate it");
        }
        return log;
    }

    private static Receipt.Refused full() {
        return new Receipt.Refused(Receipt.Reason.STORAGE_FULL, "the log volume has no room");
    }
}
