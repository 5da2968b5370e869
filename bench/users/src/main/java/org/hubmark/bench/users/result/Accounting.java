package org.hubmark.bench.users.result;

import java.util.List;

/**
 * Where every message went, found out by looking into all mailboxes at the end. But for sentMsgs and
 * uncertainMsgs, a message counts once for each of its recipients.
 *
 * @param sentMsgs that the server accepted
 * @param expectedMsgs those, times the recipients of each
 * @param arrivedMsgs of which a recipient got one copy or more
 * @param missingMsgs which a recipient did not get
 * @param uncountedMsgs that were not seen in mailboxes that could not be looked into at the end: they are
 *     there or not
 * @param twiceMsgs copies beyond the first
 * @param uncertainMsgs whose sending broke off before the server's answer: they may arrive or not, and
 *     are in none of the others
 */
public record Accounting(
        long sentMsgs,
        long expectedMsgs,
        long arrivedMsgs,
        long missingMsgs,
        long uncountedMsgs,
        long twiceMsgs,
        long uncertainMsgs) {
    /** Nothing sent. */
    public static final Accounting NONE = new Accounting(0, 0, 0, 0, 0, 0, 0);

    /** {@return both together} */
    public Accounting plus(Accounting other) {
        return new Accounting(
                sentMsgs + other.sentMsgs,
                expectedMsgs + other.expectedMsgs,
                arrivedMsgs + other.arrivedMsgs,
                missingMsgs + other.missingMsgs,
                uncountedMsgs + other.uncountedMsgs,
                twiceMsgs + other.twiceMsgs,
                uncertainMsgs + other.uncertainMsgs);
    }

    /** {@return the sum} */
    static Accounting sum(List<Accounting> all) {
        return all.stream().reduce(NONE, Accounting::plus);
    }
}
