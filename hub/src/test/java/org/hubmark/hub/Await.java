package org.hubmark.hub;

import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

import java.time.Duration;

/** Waits for what comes in the background, longer than any disk or machine stands still. */
public final class Await {
    private Await() {}

    public static ConditionFactory await() {
        return Awaitility.await()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(10))
                .atMost(Duration.ofMinutes(1));
    }
}
