package org.hubmark.bench.measure.run;

import java.time.Duration;

/**
 * Steps besides the repeats that a publishable result needs; docs/run-rules.md gives the reasons.
 *
 * @param form short or standard
 * @param prepares whether a hub is loaded and the idle machine is looked at: not again where an
 *     earlier session has done it
 * @param warmLoad of a hub before the machine is looked at
 * @param idle how long the idle machine is looked at
 * @param checkpointWaitMax for the end of a checkpoint before and after each measured time
 */
public record PublishRequest(
        String form,
        boolean prepares,
        Duration warmLoad,
        Duration idle,
        Duration checkpointWaitMax) {
    /** Long enough for a hub to write its log over and to move parts of it. */
    private static final Duration WARM_LOAD = Duration.ofSeconds(10);

    /** What a machine does now and then, it does within that. */
    private static final Duration IDLE = Duration.ofSeconds(15);

    private static final Duration CHECKPOINT_WAIT_MAX = Duration.ofMinutes(2);

    /** One with the usual times. */
    public static PublishRequest of(String form) {
        return new PublishRequest(form, true, WARM_LOAD, IDLE, CHECKPOINT_WAIT_MAX);
    }

    /** {@return the same for a session that need not prepare what another one has} */
    public PublishRequest prepared() {
        return new PublishRequest(form, false, warmLoad, idle, checkpointWaitMax);
    }
}
