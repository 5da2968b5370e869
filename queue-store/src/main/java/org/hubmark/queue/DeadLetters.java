package org.hubmark.queue;

import org.hubmark.core.QueueId;
import org.hubmark.core.QueuedMessage;
import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * Some of a queue's dead letters.
 *
 * @param messages in the order of their ids, which is that of their receipt
 * @param next where to look on, or null when there are no more
 */
public record DeadLetters(
        List<QueuedMessage> messages, @Nullable QueueId next) {
    /** Copies the list. */
    public DeadLetters {
        messages = List.copyOf(messages);
    }
}
