package org.hubmark.hub.admin;

import org.hubmark.queue.StoreStatistics;
import org.jspecify.annotations.Nullable;

/**
 * Figures of the queue that a running hub gives to its operator.
 *
 * @param process its number
 * @param uptimeSeconds since it was started
 * @param queue what is in it
 * @param acceptedMessages since the start
 * @param deliveredMessages that have left since the start, delivered
 * @param deferredAttempts to deliver that were put off since the start
 * @param backPressure normal, medium or high
 * @param refusing why mail is refused, or null
 */
public record HubStatistics(
        long process,
        long uptimeSeconds,
        StoreStatistics.Length queue,
        long acceptedMessages,
        long deliveredMessages,
        long deferredAttempts,
        String backPressure,
        @Nullable String refusing) {}
