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

    /** Divisor of the heap for texts while they are made. With the usual 256 MB it is enough for 60 of small mail. */
    private static final int HEAP_SHARE = 16;

    private static final int KILOBYTES =
            (int) ((Runtime.getRuntime().maxMemory() / HEAP_SHARE) >> 10);

    private final Intake intake;
    private final TrackingLog tracking;
    private final ContentBudget budget = new ContentBudget(BYTES_MAX);
    private final Semaphore memory = new Semaphore(KILOBYTES);

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
        // One has all of it, however large it is.
        int kilobytes = (int) Math.min(notification.memoryBytes() >> 10, KILOBYTES);
        memory.acquireUninterruptibly(kilobytes);
        Content content;
        try {
            byte[] text = notification.content(id);
            content = Content.open(id, budget, text.length);
            if (content != null && !content.append(text, 0, text.length)) {
                intake.abandon(content);
                content = null;
            }
        } finally {
            memory.release(kilobytes);
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
