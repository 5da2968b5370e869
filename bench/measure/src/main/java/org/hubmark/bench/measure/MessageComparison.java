package org.hubmark.bench.measure;

import org.hubmark.bench.load.AcceptedMail;
import org.hubmark.bench.results.Audit;
import org.hubmark.core.QueueId;
import org.hubmark.hub.audit.AuditedContent;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** Comparison of accepted with delivered messages, by queue id. One thread. */
final class MessageComparison {
    private static final Comparator<AuditedContent> BY_ID =
            Comparator.comparing(AuditedContent::id);

    /** What is known of a message, in the bits of a byte. */
    private static final int DELIVERED = 1;

    private static final int REPEATED = 2;
    private static final int CHANGED = 4;
    private static final int ID_REPEATED = 8;

    private final AcceptedMail mail;
    /** In the order of their ids, of each id the first. */
    private final AuditedContent[] accepted;

    private final byte[] known;
    private final String place;
    private boolean acceptedOnly;
    private long unknown;

    /**
     * Begins with nothing delivered.
     *
     * @param place where a message has to be, in words
     */
    MessageComparison(AcceptedMail mail, String place) {
        this.mail = mail;
        this.place = place;
        this.accepted = mail.contents().toArray(new AuditedContent[0]);
        this.known = new byte[accepted.length];
        Arrays.sort(accepted, BY_ID);
        for (int i = 1; i < accepted.length; i++) {
            if (accepted[i].id().equals(accepted[i - 1].id())) {
                known[i] = ID_REPEATED;
            }
        }
    }

    /** {@return the ids that were given, each once} */
    List<QueueId> accepted() {
        List<QueueId> ids = new ArrayList<>();
        for (int i = 0; i < accepted.length; i++) {
            if ((known[i] & ID_REPEATED) == 0) {
                ids.add(accepted[i].id());
            }
        }
        return ids;
    }

    /** {@return the same} Nobody looked for what was delivered twice, or was not accepted. */
    MessageComparison ofAcceptedOnly() {
        acceptedOnly = true;
        return this;
    }

    /** Adds what was delivered. */
    void delivered(AuditedContent content) {
        int at = Arrays.binarySearch(accepted, content, BY_ID);
        if (at < 0) {
            unknown++;
            return;
        }
        while ((known[at] & ID_REPEATED) != 0) {
            at--;
        }
        known[at] |= (byte) ((known[at] & DELIVERED) == 0 ? DELIVERED : REPEATED);
        if (!content.equals(accepted[at])) {
            known[at] |= CHANGED;
        }
    }

    /** {@return what was found} After the last delivery. */
    Audit audit() {
        long repeatedIds = count(ID_REPEATED, ID_REPEATED);
        return new Audit(
                mail.share().toString(),
                accepted.length - repeatedIds,
                count(DELIVERED | ID_REPEATED, 0),
                acceptedOnly ? null : (Long) count(REPEATED, REPEATED),
                count(CHANGED, CHANGED),
                repeatedIds,
                acceptedOnly ? null : (Long) unknown);
    }

    /** {@return one line for each kind of fault, with the first message of it} */
    List<String> reasons() {
        List<String> reasons = new ArrayList<>();
        Audit found = audit();
        String of = " of " + found.checkedMsgs() + " audited messages ";
        if (found.missingMsgs() > 0) {
            reasons.add(found.missingMsgs() + of + "were accepted and not " + place + ", first "
                    + first(DELIVERED | ID_REPEATED, 0));
        }
        Long repeated = found.repeatedMsgs();
        if (repeated != null && repeated > 0) {
            reasons.add(repeated + of + "were delivered more than once, first "
                    + first(REPEATED, REPEATED));
        }
        if (found.changedMsgs() > 0) {
            reasons.add(found.changedMsgs() + of + "were delivered with other content than was"
                    + " sent, first " + first(CHANGED, CHANGED));
        }
        if (found.repeatedIds() > 0) {
            reasons.add(found.repeatedIds() + " audited messages got a queue id that another had"
                    + " got before, first " + first(ID_REPEATED, ID_REPEATED));
        }
        if (mail.unnamed() > 0) {
            reasons.add(mail.unnamed() + " messages were accepted without a queue id in the answer,"
                    + " so that they can't be audited");
        }
        if (mail.beyondLimit() > 0) {
            reasons.add(mail.beyondLimit() + " messages could not be audited: the audit holds the"
                    + " first "
                    + accepted.length + "; choose --audit sampled, or a shorter run");
        }
        return reasons;
    }

    private long count(int mask, int bits) {
        long count = 0;
        for (byte one : known) {
            count += (one & mask) == bits ? 1 : 0;
        }
        return count;
    }

    private @Nullable QueueId first(int mask, int bits) {
        for (int i = 0; i < known.length; i++) {
            if ((known[i] & mask) == bits) {
                return accepted[i].id();
            }
        }
        return null;
    }
}
