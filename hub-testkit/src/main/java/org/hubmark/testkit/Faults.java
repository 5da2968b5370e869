package org.hubmark.testkit;

import org.hubmark.core.Lease;
import org.hubmark.core.Outcome;
import org.hubmark.core.Receipt;
import org.hubmark.queue.SimulatedLogVolume;
import org.hubmark.smtp.SmtpPolicy;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
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
    private final TestClock clock;
    private final Journal journal;
    private final @Nullable SimulatedLogVolume log;
    private final List<CommandFault> commands = new ArrayList<>();
    private final List<Cut> cuts = new ArrayList<>();
    private final List<DeliveryFault> deliveries = new ArrayList<>();
    private final ArrayDeque<Instant> admitted = new ArrayDeque<>();
    private int rateMax = Integer.MAX_VALUE;
    private Duration ratePeriod = Duration.ZERO;
    private long roomBytes = Long.MAX_VALUE;

    /** Fault of the nth command of a kind. */
    private static final class CommandFault {
        private final String verb;
        private final SmtpPolicy.Verdict verdict;
        private long left;

        CommandFault(String verb, long nth, SmtpPolicy.Verdict verdict) {
            this.verb = verb;
            this.left = nth;
            this.verdict = verdict;
        }
    }

    /** A connection to be cut when so much of a message has come. */
    private record Cut(long octets) {}

    /** Outcome of the nth attempt to deliver. */
    private static final class DeliveryFault {
        private final Outcome outcome;
        private long left;

        DeliveryFault(long nth, Outcome outcome) {
            this.left = nth;
            this.outcome = outcome;
        }
    }

    Faults(TestClock clock, Journal journal, @Nullable SimulatedLogVolume log) {
        this.clock = clock;
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
        return add(verb, nth, new SmtpPolicy.Verdict.Refuse(reply));
    }

    /** Cuts the connection at the nth command of a kind, without an answer. */
    public synchronized Faults cutAt(String verb, long nth) {
        return add(verb, nth, new SmtpPolicy.Verdict.Disconnect());
    }

    /**
     * Cuts the connection of the next message that gets so long, within its content. Asked for
     * twice, it is done to two messages.
     *
     * @param octets of content with the hub's Received field; it is cut when as many have come
     */
    public synchronized Faults cutContent(long octets) {
        atLeast(0, octets, "the number of octets");
        cuts.add(new Cut(octets));
        return this;
    }

    /** Takes so many messages in any such period, by the hub's clock; MAIL then gets 451 4.7.1. */
    public synchronized Faults limitRate(int messagesMax, Duration period) {
        atLeast(0, messagesMax, "the number of messages");
        if (!period.isPositive()) {
            throw new IllegalArgumentException("a period is longer than zero, not " + period);
        }
        rateMax = messagesMax;
        ratePeriod = period;
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
            throw new IllegalArgumentException("a sync takes no time or more, not " + time);
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
        deliveries.add(new DeliveryFault(nth, new Outcome.Deferred(reason)));
        return this;
    }

    /** The nth attempt to deliver fails for good: the message becomes a dead letter. */
    public synchronized Faults failDelivery(long nth, String reason) {
        atLeast(1, nth, "the nth delivery");
        deliveries.add(new DeliveryFault(nth, new Outcome.Undeliverable(reason)));
        return this;
    }

    /** Ends all faults, rate limits and delays. A sync that has failed has failed. */
    public synchronized Faults clear() {
        commands.clear();
        cuts.clear();
        deliveries.clear();
        admitted.clear();
        rateMax = Integer.MAX_VALUE;
        roomBytes = Long.MAX_VALUE;
        if (log != null) {
            log.delaySync(Duration.ZERO);
            log.failSync(Long.MAX_VALUE, 0);
        }
        return this;
    }

    /** {@return what becomes of a command} */
    synchronized SmtpPolicy.Verdict nextCommand(String peer, String verb) {
        SmtpPolicy.Verdict verdict = null;
        for (Iterator<CommandFault> faults = commands.iterator(); faults.hasNext(); ) {
            CommandFault fault = faults.next();
            if (fault.verb.equals(verb) && --fault.left == 0) {
                faults.remove();
                verdict = fault.verdict;
            }
        }
        if (verdict == null && verb.equals("MAIL") && !admit()) {
            verdict = new SmtpPolicy.Verdict.Refuse("451 4.7.1 too much mail, try again later");
        }
        if (verdict == null) {
            return new SmtpPolicy.Verdict.Proceed();
        }
        journal.add(verb + " of " + peer + ": " + words(verdict));
        return verdict;
    }

    /** {@return what becomes of content, so much of which has come} */
    synchronized SmtpPolicy.Verdict nextContent(String peer, long octets) {
        for (Iterator<Cut> all = cuts.iterator(); all.hasNext(); ) {
            if (octets >= all.next().octets()) {
                all.remove();
                journal.add("content of " + peer + ": connection cut after " + octets + " octets");
                return new SmtpPolicy.Verdict.Disconnect();
            }
        }
        return new SmtpPolicy.Verdict.Proceed();
    }

    /** {@return what a delivery comes to, or null when it is to be done} */
    synchronized @Nullable Outcome nextDelivery(Lease lease) {
        Outcome outcome = null;
        for (Iterator<DeliveryFault> faults = deliveries.iterator(); faults.hasNext(); ) {
            DeliveryFault fault = faults.next();
            if (--fault.left == 0) {
                faults.remove();
                outcome = fault.outcome;
            }
        }
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

    private Faults add(String verb, long nth, SmtpPolicy.Verdict verdict) {
        String upper = verb.toUpperCase(Locale.ROOT);
        if (!List.of("HELO", "EHLO", "MAIL", "RCPT", "DATA", "RSET", "NOOP", "VRFY", "QUIT")
                .contains(upper)) {
            throw new IllegalArgumentException("'" + verb
                    + "' is not one of HELO, EHLO, MAIL, RCPT, DATA, RSET, NOOP, VRFY and QUIT");
        }
        atLeast(1, nth, "the nth command");
        commands.add(new CommandFault(upper, nth, verdict));
        return this;
    }

    private static void atLeast(long least, long asked, String what) {
        if (asked < least) {
            throw new IllegalArgumentException(what + " is " + least + " or more, not " + asked);
        }
    }

    private boolean admit() {
        if (rateMax == Integer.MAX_VALUE) {
            return true;
        }
        Instant now = clock.instant();
        while (!admitted.isEmpty() && !admitted.peek().plus(ratePeriod).isAfter(now)) {
            admitted.remove();
        }
        return admitted.size() < rateMax && admitted.add(now);
    }

    private SimulatedLogVolume log() {
        if (log == null) {
            throw new IllegalStateException(
                    "the log of this hub is in a real folder (onDisk); leave that out to have it"
                            + " simulated");
        }
        return log;
    }

    private static Receipt.Refused full() {
        return new Receipt.Refused(Receipt.Reason.STORAGE_FULL, "the log volume has no room");
    }

    private static String words(SmtpPolicy.Verdict verdict) {
        return switch (verdict) {
            case SmtpPolicy.Verdict.Proceed go -> "went on";
            case SmtpPolicy.Verdict.Refuse refuse -> "answered " + refuse.reply();
            case SmtpPolicy.Verdict.Disconnect cut -> "connection cut";
        };
    }
}
