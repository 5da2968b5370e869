package org.hubmark.hub;

import org.hubmark.core.Content;
import org.hubmark.core.Envelope;
import org.hubmark.core.Lease;
import org.hubmark.core.MailQueue;
import org.hubmark.core.QueueId;
import org.hubmark.core.Receipt;
import org.hubmark.core.RecipientResult;
import org.jspecify.annotations.Nullable;

import java.io.ByteArrayInputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** A queue in memory, for what a hub does with one that is not its store. Any thread. */
public final class MemoryQueue implements MailQueue {
    private final InstantSource clock;
    private final AtomicLong nextId = new AtomicLong(1);
    private final Map<QueueId, Entry> waiting = new LinkedHashMap<>();
    private final Map<QueueId, Entry> leased = new HashMap<>();

    private record Entry(Lease lease, Instant dueAt) {}

    public MemoryQueue(InstantSource clock) {
        this.clock = clock;
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
        listener.accept(Optional.of(new Receipt.Refused(Receipt.Reason.STORAGE_FULL, "too large")));
    }

    @Override
    public synchronized void enqueue(
            Envelope envelope, Content content, Consumer<Receipt> listener) {
        byte[] octets = new byte[content.memoryBytes()];
        content.memory().get(octets);
        QueueId id = content.id();
        content.close();
        Lease lease =
                new Lease(id, envelope, octets.length, 0, () -> new ByteArrayInputStream(octets));
        waiting.put(id, new Entry(lease, clock.instant()));
        listener.accept(new Receipt.Queued(id));
    }

    @Override
    public void abandon(Content content) {
        content.close();
    }

    @Override
    public synchronized List<Lease> lease(int messagesMax) {
        List<Lease> due = new ArrayList<>();
        Instant now = clock.instant();
        Iterator<Entry> entries = waiting.values().iterator();
        while (due.size() < messagesMax && entries.hasNext()) {
            Entry entry = entries.next();
            if (!entry.dueAt().isAfter(now)) {
                entries.remove();
                leased.put(entry.lease().id(), entry);
                due.add(entry.lease());
            }
        }
        return due;
    }

    @Override
    public boolean awaitDue(Duration timeout) throws InterruptedException {
        Thread.sleep(1);
        return true;
    }

    @Override
    public synchronized void acknowledge(QueueId id) {
        leased.remove(id);
    }

    @Override
    public synchronized void defer(
            QueueId id, Instant dueAt, String reason, List<RecipientResult> results) {
        Entry entry = leased.remove(id);
        if (entry != null) {
            Lease before = entry.lease();
            Lease after = new Lease(
                    id,
                    before.envelope(),
                    results,
                    before.sizeBytes(),
                    before.attempts() + 1,
                    false,
                    before.content());
            waiting.put(id, new Entry(after, dueAt));
        }
    }

    @Override
    public synchronized void postpone(QueueId id, Instant dueAt, String reason) {
        Entry entry = leased.remove(id);
        if (entry != null) {
            waiting.put(id, new Entry(entry.lease(), dueAt));
        }
    }

    @Override
    public synchronized void release(QueueId id) {
        Entry entry = leased.remove(id);
        if (entry != null) {
            waiting.put(id, entry);
        }
    }

    @Override
    public void deadLetter(QueueId id, String reason, List<RecipientResult> results) {
        acknowledge(id);
    }

    @Override
    public void setAside(QueueId id, String reason) {
        acknowledge(id);
    }

    @Override
    public CompletableFuture<Throwable> failure() {
        return new CompletableFuture<>();
    }

    @Override
    public void stopAccepting() {}

    @Override
    public void closeBroken(Throwable cause) {}

    @Override
    public void close() {}
}
