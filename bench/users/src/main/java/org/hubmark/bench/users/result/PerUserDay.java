package org.hubmark.bench.users.result;

import org.jspecify.annotations.Nullable;

/** The load of one user and one day, as a profile or its source has it. */
public record PerUserDay(
        @Nullable Double sent,
        @Nullable Double sentNew,
        @Nullable Double sentReply,
        @Nullable Double sentReplyAll,
        @Nullable Double sentForward,
        @Nullable Double received,
        @Nullable Double recipientsMean) {}
