package org.hubmark.hub.relay;

import org.hubmark.core.Lease;
import org.hubmark.core.Outcome;
import org.hubmark.core.RecipientResult;
import org.hubmark.hub.delivery.NextHop;
import org.hubmark.smtp.client.SmtpReply;
import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The recipients of one message at one next hop: who is asked for in which transaction, and what it
 * brought each of them. A next hop need not take more than 100 at once (RFC 5321 4.5.3.1.8); those that
 * it finds too many go in a transaction of their own (4.5.3.1.10). One delivery thread.
 */
final class NextHopRecipients {
    /** RFC 5321 4.5.3.1.8: each server takes so many. */
    static final int TRANSACTION_MAX = 100;

    private static final int TOO_MANY = 452;
    private static final int TOO_MUCH = 552;

    private final Lease lease;
    private final NextHop hop;
    private final @Nullable RecipientResult[] results;
    /** Those results that have a reply, each of which many recipients may get. */
    private final Map<RecipientResult, RecipientResult> replies = new HashMap<>(4);

    /** The places of those that no transaction has asked for, or only one that was full. An address may stand there twice. */
    private final ArrayDeque<Integer> left = new ArrayDeque<>();

    private final List<Integer> asked = new ArrayList<>();
    private final List<Integer> accepted = new ArrayList<>();
    private final List<Integer> excess = new ArrayList<>();
    private @Nullable SmtpReply excessReply;
    private boolean delivered;
    private boolean anyAccepted;
    private @Nullable SmtpReply turnedAway;
    private @Nullable SmtpReply refusal;

    NextHopRecipients(Lease lease, NextHop hop) {
        this.lease = lease;
        this.hop = hop;
        this.results = new RecipientResult[lease.envelope().forwardPaths().size()];
        for (int i = 0; i < results.length; i++) {
            if (lease.result(i).isOpen()) {
                left.add(i);
            }
        }
    }

    /**
     * Begins a transaction.
     *
     * @param max how many it may ask for
     * @return whether there is anybody left to ask for
     */
    boolean begin(int max) {
        asked.clear();
        accepted.clear();
        excess.clear();
        excessReply = null;
        while (asked.size() < max && !left.isEmpty()) {
            asked.add(left.remove());
        }
        return !asked.isEmpty();
    }

    /** {@return how many the transaction asks for} */
    int count() {
        return asked.size();
    }

    /** {@return a recipient of the transaction as a command} */
    String command(int index) {
        return "RCPT TO:<" + lease.envelope().forwardPaths().get(asked.get(index)) + ">";
    }

    /** Notes the answer to a recipient of the transaction. */
    void answered(int index, SmtpReply reply) {
        int recipient = asked.get(index);
        if (reply.isSuccess()) {
            accepted.add(recipient);
            anyAccepted = true;
        } else if (reply.code() == TOO_MANY || reply.code() == TOO_MUCH) {
            excess.add(recipient);
            excessReply = reply;
        } else {
            note(recipient, reply);
        }
    }

    /** {@return the recipients that the next hop has accepted} */
    int accepted() {
        return accepted.size();
    }

    /** {@return whether all that was refused was refused because there were too many, in the words of RFC 3463} */
    boolean saidTooMany() {
        return excessReply != null && saysTooMany(excessReply);
    }

    /**
     * All answers to recipients are there. With others accepted, those that were too many are asked for in
     * the next transaction; alone, they are put off: RFC 5321 4.5.3.1.10 has 552 as temporary as 452.
     */
    void close() {
        if (excessReply != null) {
            for (int recipient : excess) {
                noteTemporary(recipient, excessReply);
            }
            if (!accepted.isEmpty()) {
                left.addAll(excess);
            }
        }
        excess.clear();
    }

    /** Notes a refusal of MAIL: it concerns all, those too that no transaction has asked for. */
    void refused(SmtpReply reply) {
        asked.forEach(recipient -> note(recipient, reply));
        left.forEach(recipient -> note(recipient, reply));
        left.clear();
    }

    /**
     * Notes the answer to the content.
     *
     * @return whether it was a refusal because there were too many recipients, so that half of them are to
     *     be asked for at once
     */
    boolean concluded(SmtpReply reply) {
        boolean tooMany = accepted.size() > 1 && maySayTooMany(reply);
        if (tooMany) {
            accepted.forEach(recipient -> noteTemporary(recipient, reply));
            left.addAll(accepted);
            accepted.clear();
            return true;
        }
        for (int recipient : accepted) {
            note(recipient, reply);
        }
        if (!reply.isSuccess() && !reply.isPermanent()) {
            putOffRest(reply);
        }
        return false;
    }

    /** Notes the answer for one accepted recipient, which LMTP has (RFC 2033 4.2). */
    void concluded(int index, SmtpReply reply) {
        note(accepted.get(index), reply);
    }

    /** {@return whether another transaction has to be made for those that are left} */
    boolean hasLeft() {
        return !left.isEmpty();
    }

    /** {@return an answer that is about this hub and not about the message, or ended the connection; or null} */
    @Nullable
    SmtpReply turnedAway() {
        return turnedAway;
    }

    /** {@return a permanent refusal of a recipient, or null} */
    @Nullable
    SmtpReply refusal() {
        return refusal;
    }

    /** {@return whether the next hop has accepted a recipient, whatever came of it then} */
    boolean wasAnyAccepted() {
        return anyAccepted;
    }

    /** {@return whether all of them were refused for good} */
    boolean wereAllRefused() {
        for (int i = 0; i < results.length; i++) {
            RecipientResult result = results[i];
            if (lease.result(i).isOpen()
                    && (result == null || result.state() != RecipientResult.State.FAILED)) {
                return false;
            }
        }
        return true;
    }

    /** Their refusals are no reason to give them up: they are tried again. */
    void putOffRefused() {
        for (int i = 0; i < results.length; i++) {
            RecipientResult result = results[i];
            if (result != null && result.state() == RecipientResult.State.FAILED) {
                results[i] = RecipientResult.pending(result.reply());
            }
        }
    }

    /** {@return whether somebody has the message, so that it can't be begun anew} */
    boolean hasDelivered() {
        return delivered;
    }

    /**
     * {@return what came of it}
     *
     * @param unanswered what to say of the recipients that got no answer
     */
    Outcome outcome(String unanswered) {
        RecipientResult first = null;
        boolean alike = true;
        for (int i = 0; i < results.length; i++) {
            if (!lease.result(i).isOpen()) {
                continue;
            }
            RecipientResult result = results[i];
            if (result == null) {
                result = RecipientResult.pending(unanswered);
                results[i] = result;
            }
            alike &= first == null || result.equals(first);
            first = first == null ? result : first;
        }
        if (first == null) {
            throw new IllegalStateException(lease.id() + " has no open recipient");
        }
        if (!alike) {
            List<RecipientResult> all = new ArrayList<>(results.length);
            for (RecipientResult result : results) {
                all.add(result == null ? RecipientResult.pending(unanswered) : result);
            }
            return new Outcome.Partial(all);
        }
        return switch (first.state()) {
            case DELIVERED -> new Outcome.Delivered();
            case PENDING, DELAYED -> new Outcome.Deferred(first.reply());
            case FAILED -> new Outcome.Undeliverable(first.reply());
        };
    }

    /** Those that would get the same answer now are not asked for. */
    private void putOffRest(SmtpReply reply) {
        left.forEach(recipient -> noteTemporary(recipient, reply));
        left.clear();
    }

    private void note(int recipient, SmtpReply reply) {
        if (reply.isSuccess()) {
            results[recipient] = RecipientResult.DELIVERED;
            delivered = true;
        } else if (NextHopRefusals.concernHub(reply) || reply.isClosing()) {
            turnedAway = turnedAway == null ? reply : turnedAway;
            noteTemporary(recipient, reply);
        } else if (reply.isPermanent()) {
            refusal = refusal == null ? reply : refusal;
            note(recipient, RecipientResult.failed(hop + ": " + reply));
        } else {
            noteTemporary(recipient, reply);
        }
    }

    private void noteTemporary(int recipient, SmtpReply reply) {
        note(recipient, RecipientResult.pending(hop + ": " + reply));
    }

    private void note(int recipient, RecipientResult result) {
        RecipientResult same = replies.putIfAbsent(result, result);
        results[recipient] = same == null ? result : same;
    }

    /** {@return whether a 452 may be about the number of recipients or messages and not about a mailbox} */
    static boolean maySayTooMany(SmtpReply reply) {
        return reply.code() == TOO_MANY && (saysTooMany(reply) || !reply.hasEnhancedCode());
    }

    /** {@return whether a reply has X.5.3 of RFC 3463, too many recipients} */
    private static boolean saysTooMany(SmtpReply reply) {
        return reply.text().startsWith("4.5.3") || reply.text().startsWith("5.5.3");
    }
}
