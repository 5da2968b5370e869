package org.hubmark.hub.delivery;

import org.hubmark.core.Content;
import org.hubmark.core.ContentBudget;
import org.hubmark.core.Envelope;
import org.hubmark.core.Intake;
import org.hubmark.core.QueueId;
import org.hubmark.core.Receipt;
import org.hubmark.hub.tracking.TrackingEvent;
import org.hubmark.hub.tracking.TrackingLog;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;

/** Puts delivery status notifications into the queue. Any thread that may wait for a commit. */
final class Notifier {
    /** One is a header and a few lines a recipient; as many are made at once as deliver. */
    private static final long BYTES_MAX = 64 << 20;

    /** Texts that are made at once: one of 8,000 recipients with long replies takes up to 60 MB meanwhile. */
    private static final int TEXTS_MAX = 1;

    private final Intake intake;
    private final TrackingLog tracking;
    private final ContentBudget budget = new ContentBudget(BYTES_MAX);
    private final Semaphore texts = new Semaphore(TEXTS_MAX);

    Notifier(Intake intake, TrackingLog tracking) {
        this.intake = intake;
        this.tracking = tracking;
    }

    /**
     * Queues a notification, and waits until it is as durable as any mail that we have taken.
     *
     * @param id its own queue id
     * @return why that isn't possible now, or nothing
     */
    Optional<String> send(QueueId id, StatusNotification notification) {
        texts.acquireUninterruptibly();
        Content content;
        try {
            byte[] text = notification.content(id);
            content = Content.open(id, budget, text.length);
            if (content != null && !content.append(text, 0, text.length)) {
                intake.abandon(content);
                content = null;
            }
        } finally {
            texts.release();
        }
        if (content == null) {
            return Optional.of("no memory for a status notification");
        }
        long sizeBytes = content.sizeBytes();
        Envelope envelope = notification.envelope();
        CompletableFuture<Receipt> receipt = new CompletableFuture<>();
        intake.enqueue(envelope, content, receipt::complete);
        return switch (receipt.join()) {
            case Receipt.Queued queued -> {
                tracking.offer(TrackingEvent.receive(id, envelope, sizeBytes));
                yield Optional.empty();
            }
            case Receipt.Refused refused ->
                Optional.of("the status notification was refused: " + refused.detail());
        };
    }
}
