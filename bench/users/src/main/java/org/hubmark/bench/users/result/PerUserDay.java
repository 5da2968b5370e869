package org.hubmark.bench.users.result;

import org.jspecify.annotations.Nullable;

/** The load of one user and one day; also how far each figure may be off by chance. */
public record PerUserDay(
        @Nullable Double sent,
        @Nullable Double sentNew,
        @Nullable Double sentReply,
        @Nullable Double sentReplyAll,
        @Nullable Double sentForward,
        @Nullable Double received,
        @Nullable Double recipientsMean) {
    /** {@return what the counts say} */
    public static PerUserDay of(DayCounts counts) {
        double days = counts.userDays();
        return new PerUserDay(
                rate(counts.sent(), days),
                rate(counts.sentNew(), days),
                rate(counts.sentReply(), days),
                rate(counts.sentReplyAll(), days),
                rate(counts.sentForward(), days),
                rate(counts.received(), days),
                rate(counts.recipients(), (double) counts.sent()));
    }

    /**
     * {@return the standard error of each} Messages are sent at random moments, so a count is off by its
     * root; of received mail one message more or less is all its recipients more or less.
     */
    public static PerUserDay errorOf(DayCounts counts) {
        double days = counts.userDays();
        double sent = (double) counts.sent();
        double mean = (double) counts.recipients() / sent;
        double squared = (double) counts.recipientsSquared();
        double variance = (squared - sent * mean * mean) / (sent - 1);
        return new PerUserDay(
                rate(root(counts.sent()), days),
                rate(root(counts.sentNew()), days),
                rate(root(counts.sentReply()), days),
                rate(root(counts.sentReplyAll()), days),
                rate(root(counts.sentForward()), days),
                rate(root(counts.recipientsSquared()), days),
                sent > 1 ? (Double) Math.sqrt(Math.max(0, variance) / sent) : null);
    }

    private static double root(long count) {
        return Math.sqrt((double) count);
    }

    private static @Nullable Double rate(long count, double of) {
        return rate((double) count, of);
    }

    private static @Nullable Double rate(double count, double of) {
        return of > 0 ? (Double) (count / of) : null;
    }
}
