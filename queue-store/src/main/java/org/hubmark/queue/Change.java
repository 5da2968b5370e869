package org.hubmark.queue;

import org.hubmark.core.Content;
import org.hubmark.core.Envelope;
import org.hubmark.core.QueueId;
import org.hubmark.core.QueuedMessage;
import org.hubmark.core.Receipt;
import org.hubmark.core.RecipientResult;
import org.hubmark.queue.table.LogIndex;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** A change that is handed to the committer. */
sealed interface Change {
    /** Mail; it may have to wait for room. */
    sealed interface Mail extends Change {
        Content content();

        /** {@return the memory that it takes} */
        default long bytes() {
            return content().memoryBytes();
        }
    }

    /**
     * What became of a message; nobody waits for it. It is not promised to last: without it the message will
     * be due again.
     */
    sealed interface Settling extends Change {
        QueueId id();
    }

    /** Somebody waits for what becomes of it. */
    sealed interface Asked extends Change {
        CompletableFuture<?> answer();
    }

    /** Tells who waits for it that it is not made. */
    default void refuse(Receipt.Refused refused) {
        switch (this) {
            case Enqueue e -> {
                GroupBuilder.close(e.content(), Content::close);
                GroupBuilder.answer(e.listener(), refused);
            }
            case StoreExtent s -> GroupBuilder.answer(s.listener(), Optional.of(refused));
            case Asked a ->
                a.answer()
                        .completeExceptionally(
                                new IllegalStateException("the queue: " + refused.detail()));
            case Settling s -> {
                // Nobody waits for it.
            }
            case Stop z -> {
                // As above.
            }
        }
    }

    /** A message is ours from here on; owns the content. */
    record Enqueue(Envelope envelope, Content content, Consumer<Receipt> listener) implements Mail {
        @Override
        public long bytes() {
            return content.memoryBytes() + LogIndex.memoryBytes(envelope);
        }
    }

    /** An extent of a message whose end hasn't come yet. */
    record StoreExtent(Content content, Consumer<Optional<Receipt.Refused>> listener)
            implements Mail {}

    /** A leased message was delivered. */
    record Acknowledge(QueueId id) implements Settling {}

    /**
     * A leased message is to be tried again; no results are those it had. {@code attempts} is what that
     * adds to the count of them; the notification, if any, tells the sender for whom it has failed.
     */
    record Defer(
            QueueId id,
            long dueMillis,
            int attempts,
            String reason,
            List<RecipientResult> results,
            @Nullable QueueId notification)
            implements Settling {}

    /** A leased message is not to be tried again, and leaves when its sender was told; likewise. */
    record ReturnToSender(
            QueueId id,
            String reason,
            List<RecipientResult> results,
            @Nullable QueueId notification)
            implements Settling {}

    /** A leased notification was delivered, or will not be; the rest is for the latter. */
    record Notified(
            QueueId id,
            QueueId about,
            boolean delivered,
            String reason,
            List<RecipientResult> results)
            implements Settling {}

    /** A message, leased or not, is not to be tried again; likewise. */
    record DeadLetter(QueueId id, String reason, List<RecipientResult> results)
            implements Settling {}

    /** A dead letter is to leave; the answer is whether it has. */
    record RemoveDead(QueueId id, CompletableFuture<Boolean> answer) implements Asked {}

    /** A message, leased or not, can't be read or delivered. */
    record SetAside(QueueId id, String reason) implements Settling {}

    /** An operator wants something done with a message that is not leased. */
    record Operate(QueueId id, OperatorAction action, CompletableFuture<OperatorResult> answer)
            implements Asked {}

    /** An operator asks for a message, as it is after all that was handed over before. */
    record Find(QueueId id, CompletableFuture<Optional<QueuedMessage>> answer) implements Asked {}

    /** The last change: the committer ends. */
    record Stop() implements Change {}
}
