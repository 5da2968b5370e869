package org.hubmark.bench.load;

import org.hubmark.core.QueueId;
import org.hubmark.hub.audit.AuditedContent;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What was accepted against what was delivered, by queue id, size and checksum. Tell all of it that was
 * {@link #delivered}, then ask what was found. One thread.
 */
public final class MessageComparison {
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

    /**
     * Begins with nothing delivered.
     *
     * @param mail of a load that has ended
     */
    public MessageComparison(AcceptedMail mail) {
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
    public void delivered(AuditedContent content) {
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

    /** {@return the places of the messages of which some bits are as given} */
    private int[] having(int mask, int bits) {
        return IntStream.range(0, known.length)
                .filter(at -> (known[at] & mask) == bits)
                .toArray();
    }

    private int[] missing() {
        return having(DELIVERED | ID_REPEATED, 0);
    }

    private int[] having(int bit) {
        return having(bit, bit);
    }

    /** {@return what was found} */
    public Audit audit() {
        long idsRepeated = having(ID_REPEATED).length;
        return new Audit(
                mail.share().toString(),
                ids.length - idsRepeated,
                missing().length,
                having(REPEATED).length,
                having(CHANGED).length,
                idsRepeated,
                unknown);
    }

    /** {@return a line for each kind of fault of the server, with the first message of it} */
    public List<String> faults() {
        String of = " of " + audit().checkedMsgs() + " audited messages were ";
        return Stream.of(
                        fault(missing(), of + "accepted and not delivered"),
                        fault(having(REPEATED), of + "delivered more than once"),
                        fault(having(CHANGED), of + "delivered with other content than was sent"),
                        fault(
                                having(ID_REPEATED),
                                " audited messages got a queue id that another had got before"))
                .flatMap(Optional::stream)
                .toList();
    }

    private Optional<String> fault(int[] places, String words) {
        return IntStream.of(places)
                .mapToObj(first -> places.length + words + ", first " + new QueueId(ids[first]))
                .findFirst();
    }
}
