package org.hubmark.bench.users.result;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;

/** The load of one user and one day, as a profile or its source has it. */
public record PerUserDay(
        @Nullable Double sent,
        @Nullable Double sentNew,
        @Nullable Double sentReply,
        @Nullable Double sentReplyAll,
        @Nullable Double sentForward,
        @Nullable Double received,
        @Nullable Double recipientsMean) {
    /** {@return all of them, in the order of {@link LevelForm#DAY}} */
    List<@Nullable Double> figures() {
        return Arrays.asList(
                sent, sentNew, sentReply, sentReplyAll, sentForward, received, recipientsMean);
    }
}
