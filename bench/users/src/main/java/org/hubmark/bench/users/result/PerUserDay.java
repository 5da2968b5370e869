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
                rate(counts.recipients(), counts.sent()));
    }

    /**
     * {@return the standard error of each} Messages are sent at random moments, so a count is off by its
     * root; of received mail one message more or less is all its recipients more or less.
     */
    public static PerUserDay errorOf(DayCounts counts) {
        double days = counts.userDays();
        double sent = counts.sent();
        double mean = counts.recipients() / sent;
        double variance = (counts.recipientsSquared() - sent * mean * mean) / (sent - 1);
        return new PerUserDay(
                rate(Math.sqrt(sent), days),
                rate(Math.sqrt(counts.sentNew()), days),
                rate(Math.sqrt(counts.sentReply()), days),
                rate(Math.sqrt(counts.sentReplyAll()), days),
                rate(Math.sqrt(counts.sentForward()), days),
                rate(Math.sqrt(counts.recipientsSquared()), days),
                sent > 1 ? (Double) Math.sqrt(Math.max(0, variance) / sent) : null);
    }

    private static @Nullable Double rate(double count, double of) {
        return of > 0 ? (Double) (count / of) : null;
    }
}
