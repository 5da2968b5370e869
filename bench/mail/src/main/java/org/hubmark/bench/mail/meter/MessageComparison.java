package org.hubmark.bench.mail.meter;

import org.hubmark.bench.load.AcceptedMail;
import org.hubmark.bench.mail.document.Audit;
import org.hubmark.bench.mail.document.Case;
import org.hubmark.bench.mail.document.Reason;
import org.hubmark.core.QueueId;
import org.hubmark.hub.audit.AuditedContent;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What was accepted against what was delivered, by queue id, size and checksum. Tell all of it that was
 * {@link #delivered}, then ask what was found. One thread.
 */
final class MessageComparison {
    /** What is known of a message, in the bits of a byte. */
    private static final int DELIVERED = 1;

    private static final int REPEATED = 2;
    private static final int CHANGED = 4;
    private static final int ID_REPEATED = 8;

    private final AcceptedMail mail;
    /** In their order; of several messages with one id the first has its sum and what is known. */
    private final long[] ids;

    private final long[] sums;
    private final byte[] known;
    private long unknown;

    /** Messages that have something in common. */
    private record Found(long count, int first) {}

    /**
     * Begins with nothing delivered.
     *
     * @param mail of a load that has ended
     */
    MessageComparison(AcceptedMail mail) {
        this.mail = mail;
        this.ids = mail.ids();
        this.sums = new long[ids.length];
        this.known = new byte[ids.length];
        for (int i = 1; i < ids.length; i++) {
            known[i] = (byte) (ids[i] == ids[i - 1] ? ID_REPEATED : 0);
        }
        mail.forEach((id, sum) -> {
            int at = at(id);
            sums[at] = sums[at] == 0 ? sum : sums[at];
        });
    }

    private int at(long id) {
        int at = Arrays.binarySearch(ids, id);
        while (at > 0 && (known[at] & ID_REPEATED) != 0) {
            at--;
        }
        return at;
    }

    /** Adds what was delivered. */
    void delivered(AuditedContent content) {
        int at = at(content.id().value());
        if (at < 0) {
            unknown++;
            return;
        }
        known[at] |= (byte) ((known[at] & DELIVERED) == 0 ? DELIVERED : REPEATED);
        if (content.sum() != sums[at]) {
            known[at] |= CHANGED;
        }
    }

    private Found missing() {
        return found(DELIVERED | ID_REPEATED, 0);
    }

    private Found having(int bit) {
        return found(bit, bit);
    }

    private Found found(int mask, int bits) {
        long count = 0;
        int first = -1;
        for (int i = known.length - 1; i >= 0; i--) {
            if ((known[i] & mask) == bits) {
                count++;
                first = i;
            }
        }
        return new Found(count, first);
    }

    /** {@return what was found} */
    Audit audit() {
        long idsRepeated = having(ID_REPEATED).count;
        return new Audit(
                mail.share().toString(),
                ids.length - idsRepeated,
                missing().count,
                having(REPEATED).count,
                having(CHANGED).count,
                idsRepeated,
                unknown);
    }

    /** {@return one line for each kind of fault, with the first message of it} */
    List<Reason> reasons() {
        List<Reason> reasons = new ArrayList<>();
        String of = " of " + audit().checkedMsgs() + " audited messages were ";
        add(reasons, missing(), of + "accepted and not delivered");
        add(reasons, having(REPEATED), of + "delivered more than once");
        add(reasons, having(CHANGED), of + "delivered with other content than was sent");
        add(
                reasons,
                having(ID_REPEATED),
                " audited messages got a queue id that another had got before");
        if (mail.unnamed() > 0) {
            reasons.add(new Reason(
                    Case.OTHER,
                    mail.unnamed() + " messages were accepted without a queue id in the answer, so"
                            + " that they can't be audited"));
        }
        if (mail.notNoted() > 0) {
            reasons.add(new Reason(
                    Case.AUDIT,
                    mail.notNoted() + " messages could not be audited: the audit holds the first "
                            + mail.count() + ", for which half of the driver's heap has room"));
        }
        return reasons;
    }

    private void add(List<Reason> reasons, Found found, String words) {
        if (found.count > 0) {
            reasons.add(new Reason(
                    Case.MAIL, found.count + words + ", first " + new QueueId(ids[found.first])));
        }
    }
}
