package org.hubmark.queue;

import org.hubmark.core.Content;
import org.hubmark.core.Envelope;
import org.hubmark.core.Receipt;
import org.hubmark.queue.table.LogIndex;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** A change that is handed to the committer. */
sealed interface Change {
    /** The last one: the committer ends when it has done all before it. */
    Change STOP = new Made(group -> {}, null);

    /** Tells who waits for it that it is not made. */
    void refuse(Receipt.Refused refused);

    /** Mail; it may have to wait for room. */
    sealed interface Mail extends Change {
        Content content();

        /** {@return the memory that it takes} */
        default long bytes() {
            return content().memoryBytes();
        }
    }

    /** A message is ours from here on; owns the content. */
    record Enqueue(Envelope envelope, Content content, Consumer<Receipt> listener) implements Mail {
        @Override
        public long bytes() {
            return content.memoryBytes() + LogIndex.memoryBytes(envelope);
        }

        @Override
        public void refuse(Receipt.Refused refused) {
            GroupBuilder.close(content, Content::close);
            GroupBuilder.answer(listener, refused);
        }
    }

    /** An extent of a message whose end hasn't come yet. */
    record StoreExtent(Content content, Consumer<Optional<Receipt.Refused>> listener)
            implements Mail {
        @Override
        public void refuse(Receipt.Refused refused) {
            GroupBuilder.answer(listener, Optional.of(refused));
        }
    }

    /** Does something to a message that is in the queue, or looks at it. */
    interface Step {
        void addTo(GroupBuilder group) throws IOException;
    }

    /**
     * A step. One that nobody waits for says what became of a message, and is not promised to last: without
     * it the message will be due again.
     */
    record Made(Step step, @Nullable CompletableFuture<?> answer) implements Change {
        @Override
        public void refuse(Receipt.Refused refused) {
            if (answer != null) {
                answer.completeExceptionally(
                        new IllegalStateException("the queue: " + refused.detail()));
            }
        }
    }
}
