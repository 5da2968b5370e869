package org.hubmark.bench.users.result;

/**
 * What was sent and received in the measured time, for the load of a day.
 *
 * @param userDays users times the part of a day that was played: 100 users for an eighth of their day
 *     are 12.5
 * @param sentNew messages that were accepted
 * @param received copies of these messages that arrived
 * @param recipients of all these messages
 * @param recipientsSquared the squares of the numbers of recipients, summed up: a message to 10
 *     recipients adds 100
 */
public record DayCounts(
        double userDays,
        long sentNew,
        long sentReply,
        long sentReplyAll,
        long sentForward,
        long received,
        long recipients,
        long recipientsSquared) {
    /** Nothing played. */
    public static final DayCounts NONE = new DayCounts(0, 0, 0, 0, 0, 0, 0, 0);

    /** {@return all messages} */
    public long sent() {
        return sentNew + sentReply + sentReplyAll + sentForward;
    }

    /** {@return both together} */
    public DayCounts plus(DayCounts other) {
        return new DayCounts(
                userDays + other.userDays,
                sentNew + other.sentNew,
                sentReply + other.sentReply,
                sentReplyAll + other.sentReplyAll,
                sentForward + other.sentForward,
                received + other.received,
                recipients + other.recipients,
                recipientsSquared + other.recipientsSquared);
    }
}
