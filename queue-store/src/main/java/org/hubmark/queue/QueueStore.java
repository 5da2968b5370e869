package org.hubmark.queue;

import org.hubmark.core.ByteSize;
import org.hubmark.core.Content;
import org.hubmark.core.Envelope;
import org.hubmark.core.Intake;
import org.hubmark.core.Lease;
import org.hubmark.core.QueueId;
import org.hubmark.core.Receipt;
import org.hubmark.core.Settings;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * The durable queue: a message whose listener got {@link Receipt.Queued} is there, as durably as the
 * store's {@link org.hubmark.core.Durability} says, until it is acknowledged. A lease isn't written:
 * after a restart everything due is due again, so a message may be delivered twice but none is lost.
 *
 * <p>One store has one committer thread of its own, which calls the listeners. Any thread may call
 * the methods of {@link Intake} and settle leases; one, the dispatcher's, leases.
 */
public final class QueueStore implements Intake, AutoCloseable {
    private static final long MICROS_PER_SECOND = 1_000_000;

    private final StoreLock lock;
    private final QueueDatabase database;
    private final DueMessages due;
    private final Gate gate = new Gate();
    private final StoreCounters counters = new StoreCounters();
    private final Committer committer;
    private final Thread committerThread;
    private final AtomicLong nextId;
    private boolean closed;

    private QueueStore(
            StoreConfiguration configuration, StoreLock lock, QueueDatabase database, int slots)
            throws IOException {
        this.lock = lock;
        this.database = database;
        this.due = new DueMessages(database, configuration.clock());
        this.committer = new Committer(
                database,
                due,
                gate,
                freeSpace(configuration, database),
                configuration.durability(),
                new Staging(database, due, configuration.clock(), counters),
                counters,
                slots);
        // Ids also grow over a restart and after what was enqueued last has left.
        this.nextId = new AtomicLong(Math.max(
                database.totals().highestId() + 1, micros(configuration.clock().instant())));
        this.committerThread = new Thread(committer, "committer");
    }

    /**
     * Opens a store, making an empty one where there is none, and brings back everything that was
     * acknowledged.
     *
     * @throws StoreException if it can't be opened; the message says why and what to do
     */
    public static QueueStore open(StoreConfiguration configuration) throws StoreException {
        Settings settings = configuration.settings();
        int slots = settings.count(
                "store.handoff-slots",
                4096,
                1,
                1 << 20,
                "Changes that may wait for the committer; one more message is refused.");
        boolean directFlush = settings.flag(
                "store.direct-flush",
                true,
                "Write flushes and compactions past the page cache (half the CPU; needs O_DIRECT).");
        Path log = configuration.logVolume();
        Path queue = configuration.queueVolume();
        StoreLock lock = null;
        QueueDatabase database = null;
        boolean opened = false;
        try {
            Files.createDirectories(log);
            lock = StoreLock.acquire(queue);
            if (Files.isSameFile(log, queue)) {
                throw new StoreException("the log volume and the queue volume are one folder, "
                        + log + "; give two (they may lie side by side on one device)");
            }
            StoreIdentity.require(log, queue, true);
            database = QueueDatabase.open(
                    log, queue, configuration.checkpointDepthBytes(), directFlush);
            database.removeIncomplete();
            QueueStore store = new QueueStore(configuration, lock, database, slots);
            store.committerThread.start();
            opened = true;
            return store;
        } catch (StoreException e) {
            throw e;
        } catch (IOException e) {
            throw new StoreException(
                    "can't open the queue on " + log + " and " + queue + ": " + e, e);
        } finally {
            if (!opened) {
                closeQuietly(database, lock);
            }
        }
    }

    @Override
    public Receipt.@Nullable Refused refusal() {
        return gate.refusal();
    }

    @Override
    public QueueId nextId() {
        return new QueueId(nextId.getAndIncrement());
    }

    @Override
    public void spool(Content content, Consumer<Optional<Receipt.Refused>> listener) {
        Receipt.Refused refused = gate.refusal();
        if (refused == null && committer.offer(new Change.Spool(content, listener))) {
            return;
        }
        Receipt.Refused answer = refused == null ? Gate.BUSY : refused;
        counters.refused(answer);
        listener.accept(Optional.of(answer));
    }

    @Override
    public void enqueue(Envelope envelope, Content content, Consumer<Receipt> listener) {
        Receipt.Refused refused = gate.refusal();
        if (refused == null && committer.offer(new Change.Enqueue(envelope, content, listener))) {
            return;
        }
        Receipt.Refused answer = refused == null ? Gate.BUSY : refused;
        counters.refused(answer);
        abandon(content);
        listener.accept(answer);
    }

    @Override
    public void abandon(Content content) {
        if (content.spooledParts() > 0) {
            committer.abandon(content.id());
        }
        content.close();
    }

    /**
     * Leases messages that are due and not leased, the longest due first. One thread: the
     * dispatcher's. Does not wait.
     *
     * @throws UncheckedIOException if the queue can't be read
     */
    public List<Lease> lease(int messagesMax) {
        List<Lease> leases = new ArrayList<>();
        try {
            for (DueMessages.Held held : due.lease(messagesMax)) {
                QueueId id = new QueueId(held.key().id());
                MessageRow row = held.row();
                leases.add(new Lease(
                        id,
                        row.envelope(),
                        row.sizeBytes(),
                        row.attempts(),
                        new StoredContent(database, id, row)));
            }
            return leases;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Waits until something may be due, at most that long; false when the time is over.
     * Dispatcher's thread.
     */
    public boolean awaitDue(Duration timeout) throws InterruptedException {
        try {
            return due.await(timeout.toNanos());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Ends a lease: the message was delivered and leaves. Any thread; waits when the hand-off is
     * full. Of a message that isn't leased it changes nothing, as do {@link #defer} and {@link
     * #release}.
     */
    public void acknowledge(QueueId id) {
        committer.put(new Change.Acknowledge(id));
    }

    /** Ends a lease: to be tried again, not before {@code dueAt}. */
    public void defer(QueueId id, Instant dueAt, String reason) {
        committer.put(new Change.Defer(id, millisNotBefore(dueAt), reason));
    }

    /** Ends a lease, without counting an attempt or writing anything: due again at once. */
    public void release(QueueId id) {
        due.release(id);
    }

    /**
     * Ends a lease: no further attempt. Of a message that isn't leased too, for an operator; then
     * it counts no attempt.
     */
    public void deadLetter(QueueId id, String reason) {
        committer.put(new Change.DeadLetter(id, reason));
    }

    /**
     * Makes a deferred message or a dead letter due now; false if there is none under this id, or
     * if it is leased. Waits until it is written.
     *
     * @throws IllegalStateException if the store is closed or broken
     */
    public boolean retry(QueueId id) {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        committer.put(new Change.Retry(id, answer));
        return await(answer);
    }

    /**
     * {@return a message as it is after every change handed over before, if it is there} Waits for
     * those changes.
     *
     * @throws IllegalStateException if the store is closed or broken
     */
    public Optional<QueuedMessage> find(QueueId id) {
        CompletableFuture<Optional<QueuedMessage>> answer = new CompletableFuture<>();
        committer.put(new Change.Find(id, answer));
        return await(answer);
    }

    /** {@return counts so far} Any thread, cheap. */
    public StoreStatistics statistics() {
        return counters.with(database.counts());
    }

    /**
     * {@return completed with the cause when a write or sync failed; the store then refuses
     * everything}
     */
    public CompletableFuture<Throwable> failure() {
        return committer.failure();
    }

    /**
     * Refuses new mail from now on with {@link Receipt.Reason#CLOSING}; leases and settling go on.
     */
    public void stopAccepting() {
        gate.closing();
    }

    /** Waits for what was handed over, makes everything durable and closes. */
    @Override
    public synchronized void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        stopAccepting();
        committer.put(new Change.Stop());
        joinCommitter();
        due.close();
        database.close();
        lock.close();
    }

    private void joinCommitter() {
        boolean interrupted = false;
        while (true) {
            try {
                committerThread.join();
                break;
            } catch (InterruptedException e) {
                // What was handed over becomes durable first.
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static FreeSpace freeSpace(StoreConfiguration configuration, QueueDatabase database)
            throws IOException {
        long freeMin = freeMin(configuration.settings());
        FileStore log = Files.getFileStore(configuration.logVolume());
        FileStore queue = Files.getFileStore(configuration.queueVolume());
        return new FreeSpace(
                log::getUsableSpace, queue::getUsableSpace, database::unflushedBytes, freeMin);
    }

    private static long freeMin(Settings settings) {
        return settings.bytes(
                "store.free-space-min",
                ByteSize.parse("64MiB"),
                "Free space on each volume below which mail is refused (452 4.3.1).");
    }

    private static <T> T await(CompletableFuture<T> answer) {
        try {
            return answer.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof IllegalStateException closedOrBroken ? closedOrBroken : e;
        }
    }

    private static void closeQuietly(@Nullable QueueDatabase database, @Nullable StoreLock lock)
            throws StoreException {
        try {
            if (database != null) {
                database.close();
            }
            if (lock != null) {
                lock.close();
            }
        } catch (IOException e) {
            throw new StoreException("can't unlock the queue: " + e, e);
        }
    }

    private static long micros(Instant instant) {
        return Math.max(0, instant.getEpochSecond() * MICROS_PER_SECOND + instant.getNano() / 1000);
    }

    /** Rounded up: not before means not a fraction of a millisecond before. */
    private static long millisNotBefore(Instant instant) {
        return instant.plusNanos(999_999).toEpochMilli();
    }
}
