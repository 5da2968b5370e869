package org.hubmark.bench.mail.study;

import java.time.Duration;

/**
 * What a publishable result needs of its repeats; docs/run-rules.md gives the reasons.
 *
 * @param form short or standard
 * @param checkpointWaitMax for the end of a checkpoint before and after each measured time
 */
public record PublishRequest(String form, Duration checkpointWaitMax) {
    private static final Duration CHECKPOINT_WAIT_MAX = Duration.ofMinutes(2);

    /** One with the usual time. */
    public static PublishRequest of(String form) {
        return new PublishRequest(form, CHECKPOINT_WAIT_MAX);
    }
}
