package org.hubmark.bench.mail.meter;

import org.hubmark.bench.load.AcceptedMail;
import org.hubmark.bench.mail.document.Audit;
import org.hubmark.core.QueueId;
import org.hubmark.hub.audit.AuditedContent;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * What was accepted against what was delivered, by queue id, one range of ids after the other. How to use
 * it: {@link #begin} a range, tell all of it that was {@link #delivered}, {@link #end} it; after the last
 * ask what was found. One thread.
 */
final class MessageComparison {
    private static final Comparator<AuditedContent> BY_ID =
            Comparator.comparing(AuditedContent::id);

    /** What is known of a message, in the bits of a byte. */
    private static final int DELIVERED = 1;

    private static final int REPEATED = 2;
    private static final int CHANGED = 4;
    private static final int ID_REPEATED = 8;

    private final AcceptedMail mail;
    private final String place;
    private final boolean acceptedOnly;
    private final Fault missing = new Fault(DELIVERED | ID_REPEATED, 0);
    private final Fault repeated = new Fault(REPEATED, REPEATED);
    private final Fault changed = new Fault(CHANGED, CHANGED);
    private final Fault idRepeated = new Fault(ID_REPEATED, ID_REPEATED);
    /** Of the range, in the order of their ids, of each id the first. */
    private AuditedContent[] accepted = new AuditedContent[0];

    private byte[] known = new byte[0];
    private long checked;
    private long unknown;

    /** Messages with some bits and without others. */
    private static final class Fault {
        private final int mask;
        private final int bits;
        private long count;
        private @Nullable QueueId first;

        Fault(int mask, int bits) {
            this.mask = mask;
            this.bits = bits;
        }

        void look(byte known, QueueId id) {
            if ((known & mask) == bits) {
                count++;
                // Ranges and ids come in their order.
                first = first == null ? id : first;
            }
        }
    }

    /**
     * Begins with nothing delivered.
     *
     * @param place where a message has to be, in words
     * @param acceptedOnly whether nobody looks for what was delivered twice, or was not accepted
     */
    MessageComparison(AcceptedMail mail, String place, boolean acceptedOnly) {
        this.mail = mail;
        this.place = place;
        this.acceptedOnly = acceptedOnly;
    }

    /** Begins a range. */
    void begin(AcceptedMail.Range range) {
        accepted = mail.contents(range).toArray(new AuditedContent[0]);
        known = new byte[accepted.length];
        Arrays.sort(accepted, BY_ID);
        for (int i = 1; i < accepted.length; i++) {
            if (accepted[i].id().equals(accepted[i - 1].id())) {
                known[i] = ID_REPEATED;
            }
        }
    }

    /** Ends a range, of which no more was delivered. */
    void end() {
        checked += accepted.length;
        for (int i = 0; i < known.length; i++) {
            for (Fault fault : List.of(missing, repeated, changed, idRepeated)) {
                fault.look(known[i], accepted[i].id());
            }
        }
    }

    /** {@return the ids of the range that were given, each once} */
    List<QueueId> accepted() {
        List<QueueId> ids = new ArrayList<>();
        for (int i = 0; i < accepted.length; i++) {
            if ((known[i] & ID_REPEATED) == 0) {
                ids.add(accepted[i].id());
            }
        }
        return ids;
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

    /** {@return what was found} After the last range. */
    Audit audit() {
        return new Audit(
                mail.share().toString(),
                checked - idRepeated.count,
                missing.count,
                acceptedOnly ? null : (Long) repeated.count,
                changed.count,
                idRepeated.count,
                acceptedOnly ? null : (Long) unknown);
    }

    /** {@return one line for each kind of fault, with the first message of it} */
    List<String> reasons() {
        List<String> reasons = new ArrayList<>();
        String of = " of " + audit().checkedMsgs() + " audited messages were ";
        add(reasons, missing, of + "accepted and not " + place);
        if (!acceptedOnly) {
            add(reasons, repeated, of + "delivered more than once");
        }
        add(reasons, changed, of + "delivered with other content than was sent");
        add(reasons, idRepeated, " audited messages got a queue id that another had got before");
        if (mail.unnamed() > 0) {
            reasons.add(mail.unnamed() + " messages were accepted without a queue id in the answer,"
                    + " so that they can't be audited");
        }
        if (mail.notNoted() > 0) {
            reasons.add(mail.notNoted() + " messages could not be audited: the audit holds the"
                    + " first "
                    + mail.count() + ", for which a quarter of the driver's heap has room");
        }
        return reasons;
    }

    private static void add(List<String> reasons, Fault fault, String words) {
        if (fault.count > 0) {
            reasons.add(fault.count + words + ", first " + fault.first);
        }
    }
}
