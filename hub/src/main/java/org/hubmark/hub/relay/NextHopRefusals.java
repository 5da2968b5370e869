package org.hubmark.hub.relay;

import org.hubmark.core.Envelope;
import org.hubmark.smtp.client.SmtpReply;

import java.util.HashSet;
import java.util.Set;

/**
 * Tells a next hop that refuses this hub from one that refuses a message. Under the lock of its {@link
 * NextHopPool}.
 *
 * <p>Two things show it. A reply may say so itself ({@link #concernHub}); and then the next hop is left
 * alone once it has turned away the mail of somebody else as well, by 421 that of ten senders, since there are servers that
 * say so of some senders. Or all of the last messages were refused alike, whoever they were from and to.
 */
final class NextHopRefusals {
    /**
     * As many as that, from as many senders to as many recipients, aren't refused by chance: where every
     * second message is refused rightly, one such row in a thousand is. Those before it are returned.
     */
    static final int EVERYTHING = 10;

    private static final Set<Integer> CODES = Set.of(521, 530, 534, 535, 538);
    private static final Set<String> STATUSES = Set.of("5.7.8", "5.7.9", "5.7.11", "5.7.57");

    private String sender = "";
    private String recipient = "";
    private boolean hasTurnedAway;

    /** Senders of messages that it ended connections over, in a row. */
    private final Set<String> goodbyes = new HashSet<>();

    /** What those in a row were refused with. */
    private String kind = "";

    private final Set<String> senders = new HashSet<>();
    private final Set<String> recipients = new HashSet<>();
    private long inARow;
    private boolean hasTaken;
    private long takenNanos;

    /**
     * {@return whether a reply is about what this hub is to the next hop, and not about a message} RFC 4954 6:
     * authentication is required (530) or was too weak (534, 538, X.7.11), or failed (535, X.7.8). RFC 3207 4:
     * STARTTLS is (530). Exchange: X.7.57. RFC 7504: it takes no mail (521). RFC 5321 4.2.2: it does not know
     * the command, or does not want it now (500, 502, 503, 504); Postfix has 504 for a name in EHLO that
     * isn't qualified.
     */
    static boolean concernHub(SmtpReply reply) {
        return isCommandUnknown(reply)
                || CODES.contains(reply.code())
                || STATUSES.contains(reply.status());
    }

    /** {@return whether a server does not know a command or a parameter, or not at this place} */
    static boolean isCommandUnknown(SmtpReply reply) {
        return reply.code() == 500 || (reply.code() >= 502 && reply.code() <= 504);
    }

    /** {@return whether a refusal is about an address or a mailbox, as far as its code says (RFC 3463 3.2, 3.3)} */
    static boolean concernAddress(SmtpReply reply) {
        String status = reply.status();
        return status.isEmpty()
                ? reply.code() >= 550 && reply.code() <= 553
                : status.startsWith("5.1.") || status.startsWith("5.2.");
    }

    /** The next hop has taken a message. */
    void taken(long nowNanos) {
        hasTaken = true;
        takenNanos = nowNanos;
        decided();
        senders.clear();
        recipients.clear();
        inARow = 0;
    }

    /** It has answered about a message as such: it has turned nobody away. */
    void decided() {
        hasTurnedAway = false;
        goodbyes.clear();
    }

    /**
     * A message was refused with a reply that is about this hub, or by the end of the connection.
     *
     * @return whether the same has come of a message of somebody else before, and of none the contrary since
     */
    boolean turnedAway(Envelope envelope, SmtpReply reply) {
        String from = envelope.reversePath();
        String to = envelope.forwardPaths().getFirst();
        if (reply.isClosing()) {
            // It may be about the reputation of a sender, and there may be several of those.
            add(goodbyes, from);
            return goodbyes.size() >= EVERYTHING;
        }
        boolean again = hasTurnedAway && !(from.equals(sender) && to.equals(recipient));
        hasTurnedAway = true;
        sender = from;
        recipient = to;
        return again;
    }

    /**
     * A message was refused as such, for all of its recipients.
     *
     * @return whether everything is refused
     */
    boolean refused(Envelope envelope, SmtpReply reply, long nowNanos) {
        decided();
        String refusedWith = reply.code() + " " + reply.status();
        if (!refusedWith.equals(kind)) {
            kind = refusedWith;
            senders.clear();
            recipients.clear();
            inARow = 0;
        }
        inARow++;
        add(senders, envelope.reversePath());
        add(recipients, envelope.forwardPaths().getFirst());
        return isRow(nowNanos) && senders.size() >= EVERYTHING && recipients.size() >= EVERYTHING;
    }

    /** {@return whether so many were refused alike and none was taken meanwhile, nor a moment before} */
    boolean isRow(long nowNanos) {
        return inARow >= EVERYTHING
                && (!hasTaken || nowNanos - takenNanos >= NextHopTrouble.CALM.toNanos());
    }

    private static void add(Set<String> few, String one) {
        if (few.size() < EVERYTHING) {
            few.add(one);
        }
    }
}
