package org.hubmark.hub;

import org.hubmark.core.Content;
import org.hubmark.core.Envelope;
import org.hubmark.core.Intake;
import org.hubmark.core.QueueId;
import org.hubmark.core.Receipt;
import org.jspecify.annotations.Nullable;

import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Accepts each message at once and throws it away: the ceiling of the receive path. It keeps
 * no promise, so it is for measuring only. Any thread.
 */
final class DiscardIntake implements Intake {
    private static final long MICROS_PER_MILLI = 1_000;

    private final AtomicLong nextId;

    DiscardIntake(InstantSource clock) {
        nextId = new AtomicLong(clock.millis() * MICROS_PER_MILLI);
    }

    @Override
    public Receipt.@Nullable Refused refusal() {
        return null;
    }

    @Override
    public QueueId nextId() {
        return new QueueId(nextId.getAndIncrement());
    }

    @Override
    public void storeExtent(Content content, Consumer<Optional<Receipt.Refused>> listener) {
        content.markExtentStored();
        listener.accept(Optional.empty());
    }

    @Override
    public void enqueue(Envelope envelope, Content content, Consumer<Receipt> listener) {
        QueueId id = content.id();
        content.close();
        listener.accept(new Receipt.Queued(id));
    }

    @Override
    public void abandon(Content content) {
        content.close();
    }
}
