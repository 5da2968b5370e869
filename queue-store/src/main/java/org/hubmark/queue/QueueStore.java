package org.hubmark.queue;

import org.hubmark.core.Content;
import org.hubmark.core.Envelope;
import org.hubmark.core.FileErrors;
import org.hubmark.core.Intake;
import org.hubmark.core.Lease;
import org.hubmark.core.MailQueue;
import org.hubmark.core.QueueId;
import org.hubmark.core.QueuedMessage;
import org.hubmark.core.Receipt;
import org.hubmark.core.RecipientResult;
import org.hubmark.core.Settings;
import org.hubmark.core.StoreException;
import org.hubmark.core.Uninterrupted;
import org.hubmark.queue.log.LogException;
import org.hubmark.queue.log.VolumeFullException;
import org.hubmark.queue.table.QueueDatabase;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDB;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The durable queue: a message whose listener got {@link Receipt.Queued} is there, as durably as the
 * store's {@link org.hubmark.core.Durability} says, until it is acknowledged as delivered. A lease
 * isn't written: after a restart everything due is due again, so a message may be delivered twice
 * but none is lost.
 *
 * <p>A store calls listeners on threads of its own, one at a time. Any thread may call
 * the methods of {@link Intake} and settle leases; one, the dispatcher's, leases.
 */
public final class QueueStore implements MailQueue {
    private static final long MICROS_PER_SECOND = 1_000_000;

    private static final Logger LOG = LoggerFactory.getLogger(QueueStore.class);

    /** File descriptors of a segment with direct I/O; half as many without. */
    private static final int SEGMENT_DESCRIPTORS = 4;

    /** Closing takes longer only where a volume doesn't answer. */
    private static final Duration CLOSE_MAX = Duration.ofMinutes(2);

    private final StoreParts parts;
    private final Checkpointer checkpointer;
    private final Committer committer;
    private final Thread checkpointerThread;
    private final Thread committerThread;
    private final List<Thread> syncThreads;
    private final Thread watchThread;
    private final AtomicLong nextId;
    private @Nullable CompletableFuture<Void> end;

    private QueueStore(StoreParts parts) {
        this.parts = parts;
        this.checkpointer = new Checkpointer(parts, this::failed);
        this.committer = new Committer(parts, checkpointer);
        // Ids also grow over a restart and after what was enqueued last has left.
        long highestId = Math.max(
                parts.messages().totals().highestId(), parts.log().recovered().highestId());
        this.nextId = new AtomicLong(
                Math.max(highestId + 1, micros(parts.configuration().clock().instant())));
        this.checkpointerThread = new Thread(checkpointer, "checkpointer");
        this.committerThread = new Thread(committer, "committer");
        this.syncThreads = List.of(
                new Thread(committer.lane(), "log-sync-1"),
                new Thread(committer.lane(), "log-sync-2"));
        this.watchThread = new Thread(
                new StallWatch(
                        committer::isWaitedFor,
                        committer::progress,
                        parts.gate(),
                        parts.settings().log().stallTime(),
                        committer::fail),
                "store-watch");
        watchThread.setDaemon(true);
    }

    /** Loads the native library of the queue database. Else the first store does when it opens. */
    public static void preload() {
        RocksDB.loadLibrary();
    }

    /**
     * Has the stores of this process give up what would keep its end: the exit handlers of the C library,
     * which {@link Runtime#halt} runs too, wait for the threads of RocksDB, and a flush or a merge takes
     * long on a slow volume. Of a store that was closed there is nothing left; of one that was not, the
     * next start reads the log. To be called just before the process ends.
     */
    public static void leaveAll() {
        QueueDatabase.leaveAll();
    }

    /**
     * Opens a store, making an empty one where there is none if the configuration allows it, and
     * brings back everything that was accepted.
     *
     * @throws StoreException if it can't be opened; the message says why and what to do
     */
    public static QueueStore open(StoreConfiguration configuration) throws StoreException {
        LogSettings logSettings =
                LogSettings.read(configuration.settings(), configuration.checkpointDepthBytes());
        try {
            RequiredSpace.of(logSettings)
                    .require(configuration.logVolume(), configuration.queueVolume());
        } catch (IOException e) {
            throw StoreStart.failure(
                    "can't look at the volumes " + configuration.logVolume() + " and "
                            + configuration.queueVolume(),
                    e);
        }
        return open(configuration, logSettings, StoreStart::segments);
    }

    /** Opens a store whose segments lie elsewhere, or have sizes that no operator may set. */
    static QueueStore open(
            StoreConfiguration configuration, LogSettings logSettings, StoreStart.Segments segments)
            throws StoreException {
        StoreSettings settings = StoreSettings.read(configuration.settings(), logSettings);
        Path log = configuration.logVolume();
        Path queue = configuration.queueVolume();
        long startNanos = System.nanoTime();
        try {
            StoreParts parts = StoreStart.open(configuration, settings, segments);
            boolean opened = false;
            try {
                QueueStore store = new QueueStore(parts);
                store.startThreads();
                opened = true;
                StoreStart.logOpened(parts, System.nanoTime() - startNanos);
                return store;
            } finally {
                if (!opened) {
                    parts.close();
                }
            }
        } catch (IOException e) {
            boolean ours = e instanceof StoreException || e instanceof LogException;
            throw !ours && VolumeFullException.isCause(e)
                    ? new StoreException(
                            "no room to open the queue on " + log + " and " + queue + " ("
                                    + FileErrors.text(e)
                                    + "). Nothing is damaged or lost: free bytes or inodes",
                            e)
                    : StoreStart.failure("can't open the queue on " + log + " and " + queue, e);
        }
    }

    /**
     * Reads the settings, so that what is wrong with them can be told before a volume is touched.
     *
     * @throws IllegalArgumentException if one is not possible; the message names it
     */
    public static void checkSettings(Settings settings, long checkpointDepthBytes) {
        StoreSettings.read(settings, LogSettings.read(settings, checkpointDepthBytes));
    }

    /** {@return whether opening it has made it: it was empty, as a volume that is missing would be} */
    public boolean isNew() {
        return parts.isNew();
    }

    @Override
    public Receipt.@Nullable Refused refusal() {
        return parts.gate().refusal();
    }

    @Override
    public QueueId nextId() {
        return new QueueId(nextId.getAndIncrement());
    }

    @Override
    public void storeExtent(Content content, Consumer<Optional<Receipt.Refused>> listener) {
        Receipt.Refused refused = offer(new Change.StoreExtent(content, listener));
        if (refused != null) {
            listener.accept(Optional.of(refused));
        }
    }

    @Override
    public void enqueue(Envelope envelope, Content content, Consumer<Receipt> listener) {
        Receipt.Refused refused = offer(new Change.Enqueue(envelope, content, listener));
        if (refused != null) {
            abandon(content);
            listener.accept(refused);
        }
    }

    /** {@return why mail is not handed over; null if it is} */
    private Receipt.@Nullable Refused offer(Change.Mail mail) {
        Receipt.Refused refused = parts.gate().refusal();
        if (refused == null) {
            refused = committer.offer(mail) ? null : Gate.BUSY;
        }
        if (refused != null) {
            parts.counters().refused(refused);
        }
        return refused;
    }

    @Override
    public void abandon(Content content) {
        if (content.storedExtents() > 0) {
            committer.abandon(content.id());
        }
        content.close();
    }

    /**
     * Leases messages that are due and not leased. Fresh mail and what has waited for its time take
     * turns: one in four is of the latter while there are both. One thread: the dispatcher's. Does not
     * wait.
     *
     * @throws UncheckedIOException if the queue can't be read
     */
    @Override
    public List<Lease> lease(int messagesMax) {
        return lease(messagesMax, Long.MAX_VALUE);
    }

    @Override
    public List<Lease> lease(int messagesMax, long bytesMax) {
        return read(() -> parts.messages().lease(messagesMax, bytesMax, this::setAsideUnreadable));
    }

    @Override
    public void limitWait(Duration waitMax) {
        parts.messages().limitWait(waitMax);
    }

    /**
     * Waits until something may be due, at most that long; false when the time is over.
     * Dispatcher's thread.
     */
    @Override
    public boolean awaitDue(Duration timeout) throws InterruptedException {
        try {
            return parts.messages().awaitDue(timeout);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Ends a lease: the message was delivered and leaves. Any thread; waits when the hand-off is
     * full. Of a message that isn't leased it changes nothing, as do {@link #defer} and {@link
     * #release}.
     */
    @Override
    public void acknowledge(QueueId id) {
        settle(group -> group.addAcknowledge(id.value()));
    }

    /** Ends a lease: to be tried again, not before {@code dueAt}. */
    public void defer(QueueId id, Instant dueAt, String reason) {
        defer(id, dueAt, reason, List.of());
    }

    /**
     * Ends a lease: to be tried again for the recipients that are open.
     *
     * @param results how far each recipient has got by now, in the order of the envelope; empty if
     *     that has not changed
     */
    @Override
    public void defer(QueueId id, Instant dueAt, String reason, List<RecipientResult> results) {
        defer(id, millisNotBefore(dueAt), 1, reason, results, null);
    }

    @Override
    public void defer(
            QueueId id,
            Instant dueAt,
            String reason,
            List<RecipientResult> results,
            QueueId notification) {
        defer(id, millisNotBefore(dueAt), 1, reason, results, notification);
    }

    private void defer(
            QueueId id,
            long dueMillis,
            int attempts,
            String reason,
            List<RecipientResult> results,
            @Nullable QueueId notification) {
        settle(group ->
                group.addDefer(id.value(), dueMillis, attempts, reason, results, notification));
    }

    @Override
    public void returnToSender(
            QueueId id,
            String reason,
            List<RecipientResult> results,
            @Nullable QueueId notification) {
        settle(group -> group.addReturn(id.value(), reason, results, notification));
    }

    @Override
    public void notified(QueueId notification, QueueId about) {
        settle(group -> group.addNotified(notification.value(), about, null, List.of()));
    }

    @Override
    public void notNotified(
            QueueId notification, QueueId about, String reason, List<RecipientResult> results) {
        settle(group -> group.addNotified(notification.value(), about, reason, results));
    }

    /**
     * Ends a lease without an attempt. Nothing is written as long as no more than 16,384 are held back; of
     * the rest the wait is ten times as long, since each costs a record of the log.
     */
    @Override
    public void postpone(QueueId id, Instant dueAt, String reason) {
        long untilMillis = millisNotBefore(dueAt);
        if (!read(() -> parts.messages().holdBack(id.value(), untilMillis))) {
            long waitMillis =
                    Math.max(0, untilMillis - parts.configuration().clock().millis());
            defer(id, untilMillis + 9 * waitMillis, 0, reason, List.of(), null);
        }
    }

    /** Ends a lease, without counting an attempt or writing anything: due again at once. */
    @Override
    public void release(QueueId id) {
        var unused = read(() -> parts.messages().release(id.value()));
    }

    /**
     * Ends a lease: no further attempt. Of a message that isn't leased too, for an operator; then
     * it counts no attempt.
     */
    public void deadLetter(QueueId id, String reason) {
        deadLetter(id, reason, List.of());
    }

    /** Does the same, and keeps how far each recipient has got; as in {@link #defer}. */
    @Override
    public void deadLetter(QueueId id, String reason, List<RecipientResult> results) {
        settle(group -> group.addDeadLetter(id.value(), reason, results));
    }

    /**
     * {@return the dead letters among some of the queue's messages} What changes meanwhile may be missed.
     * Any thread that may wait for reads.
     *
     * @param from the first id to look at
     * @param messagesMax to look at, dead or not
     * @throws UncheckedIOException if the queue can't be read
     */
    public DeadLetters deadLetters(QueueId from, int messagesMax) {
        return read(() -> parts.messages().deadLetters(from.value(), messagesMax));
    }

    /**
     * Has a dead letter leave for good. Not synced by itself: a crash may bring it back. Any thread.
     *
     * @return whether it has left, when that is written; false of what is no dead letter
     */
    public CompletableFuture<Boolean> removeDead(QueueId id) {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        committer.put(new Change.Made(group -> group.addRemoval(id.value(), answer), answer));
        return answer;
    }

    /**
     * Ends a lease: the message can't be read, or its delivery broke down, so it is kept and not
     * tried again until somebody asks for it by {@link #releaseSetAside}. Of a message that isn't
     * leased too.
     */
    @Override
    public void setAside(QueueId id, String reason) {
        settle(group -> group.addSetAside(id.value(), reason));
    }

    /**
     * Makes a deferred message or a dead letter due now, for those whom it was refused too if it is
     * dead; false if there is none under this id, or
     * if it is leased. Waits until it is written.
     *
     * @throws IllegalStateException if the store is closed or broken
     */
    public boolean retry(QueueId id) {
        return operate(id, OperatorAction.RETRY) == OperatorResult.DONE;
    }

    /** Makes a message due now that was set aside; otherwise as {@link #retry}. */
    public boolean releaseSetAside(QueueId id) {
        return operate(id, OperatorAction.RELEASE) == OperatorResult.DONE;
    }

    /**
     * Does to a message what an operator asks for. Waits until it is written; a deletion, which is
     * logged, until it is synced. Any thread but the dispatcher's.
     *
     * @throws IllegalStateException if the store is closed or broken, or its log is full
     * @throws UncheckedIOException if the message can't be read
     */
    public OperatorResult operate(QueueId id, OperatorAction action) {
        Optional<QueuedMessage> before =
                action == OperatorAction.DELETE ? find(id) : Optional.empty();
        CompletableFuture<OperatorResult> answer = new CompletableFuture<>();
        committer.put(
                new Change.Made(group -> group.addOperate(id.value(), action, answer), answer));
        OperatorResult result = await(answer);
        if (result == OperatorResult.DONE) {
            before.ifPresent(QueueStore::logDeleted);
        }
        return result;
    }

    /** The one way in which accepted mail leaves that nobody has got. */
    private static void logDeleted(QueuedMessage message) {
        LOG.atWarn()
                .addKeyValue("event", "message_deleted")
                .addKeyValue("id", message.id())
                .log(
                        "{} was deleted by an operator: {} octets from <{}> to {}, received {}",
                        message.id(),
                        message.sizeBytes(),
                        message.envelope().reversePath(),
                        message.envelope().forwardPaths(),
                        message.envelope().receivedAt());
    }

    /**
     * {@return a message as it is after every change handed over before, if it is there} Waits for
     * those changes.
     *
     * @throws IllegalStateException if the store is closed or broken
     * @throws UncheckedIOException if the message can't be read
     */
    public Optional<QueuedMessage> find(QueueId id) {
        CompletableFuture<Optional<QueuedMessage>> answer = new CompletableFuture<>();
        committer.put(new Change.Made(group -> group.find(id.value(), answer), answer));
        return await(answer);
    }

    /** {@return counts so far} Any thread, cheap. */
    public StoreStatistics statistics() {
        return parts.counters()
                .with(
                        parts.messages().totals(),
                        parts.log().counters(),
                        parts.database().counts(),
                        checkpointer.checkpoints());
    }

    /**
     * {@return about how many file descriptors the store may need with the backlog that it has now} A
     * backlog that grows needs one more for each 256 MiB.
     */
    public long descriptorsMax() throws IOException {
        Path database = parts.configuration().queueVolume().resolve(QueueDatabase.FOLDER);
        try (Stream<Path> tables = Files.list(database)) {
            return (long) parts.settings().log().size().segmentsMax() * SEGMENT_DESCRIPTORS
                    + tables.count()
                    + parts.database().content().count();
        }
    }

    /** {@return the length of the queue} Any thread, also when the store is closed. */
    public long queuedMessages() {
        return parts.messages().totals().messages();
    }

    /** {@return what the syncs covered that accepted messages waited for, by size} Any thread, cheap. */
    public List<SyncedGroups> syncedGroups() {
        return parts.counters().syncedGroups();
    }

    /**
     * {@return what is free on the queue volume, less what the log may still have to move there, in percent of
     * store.free-space-min; below 100 mail is refused} As the committer saw it last, which looks some times a
     * second. Any thread, cheap: it asks no volume.
     */
    public long queueFreePercent() {
        return parts.freeSpace().freePercent();
    }

    /**
     * {@return completed with the cause when a write or sync failed; the store then refuses
     * everything} On a thread of its own, which may close the store.
     */
    @Override
    public CompletableFuture<Throwable> failure() {
        return committer.failure();
    }

    /**
     * Refuses new mail from now on with {@link Receipt.Reason#CLOSING}; leases and settling go on.
     */
    @Override
    public void stopAccepting() {
        parts.gate().closing();
    }

    /** Closes as after a failed write or a kill: nothing is made durable any more. */
    @Override
    public void closeBroken(Throwable cause) throws IOException {
        committer.fail(cause);
        close();
    }

    /**
     * Waits for what was handed over, makes everything durable and closes. From a listener it does
     * not wait for the end, which comes after it.
     *
     * @throws IOException if it fails, or if a volume doesn't answer in time: then what is left of
     *     closing is done when it does, and until then the queue stays locked
     */
    @Override
    public void close() throws IOException {
        close(CLOSE_MAX);
    }

    void close(Duration closeMax) throws IOException {
        stopAccepting();
        CompletableFuture<Void> closing = beginClosing();
        Thread caller = Thread.currentThread();
        if (caller.equals(committerThread) || syncThreads.contains(caller)) {
            return;
        }
        // What was handed over becomes durable first.
        long deadlineNanos = System.nanoTime() + closeMax.toNanos();
        Uninterrupted.run(() -> await(closing, deadlineNanos));
        if (!closing.isDone()) {
            throw new IOException("the queue did not close within " + closeMax.toSeconds()
                    + " s: a volume does not answer");
        }
        if (closing.isCompletedExceptionally()) {
            Throwable cause = closing.exceptionNow();
            throw new IOException("can't close the queue: " + cause, cause);
        }
    }

    /** Not by a timer of the JVM, which is a thread that no schedule of threads leads. */
    private static void await(CompletableFuture<Void> closing, long deadlineNanos)
            throws InterruptedException {
        try {
            closing.get(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException e) {
            // Who waits looks at how it ended.
            return;
        }
    }

    private synchronized CompletableFuture<Void> beginClosing() {
        if (end == null) {
            CompletableFuture<Void> begun = new CompletableFuture<>();
            end = begun;
            Thread closer = new Thread(() -> shutDown(begun), "store-close");
            // A volume that hangs must not keep the process.
            closer.setDaemon(true);
            closer.start();
        }
        return end;
    }

    private void shutDown(CompletableFuture<Void> ended) {
        try {
            stopThreads();
            parts.messages().close();
            if (committer.hasFailed() || checkpointer.isCutOff()) {
                // What reached the disk is not known, so nothing is added.
                parts.close();
            } else {
                parts.closeClean();
            }
            ended.complete(null);
        } catch (Throwable e) {
            ended.completeExceptionally(e);
        }
    }

    /** Opens the log, which may take a checkpoint, and starts all threads. */
    private void startThreads() throws IOException {
        boolean started = false;
        try {
            checkpointerThread.start();
            committer.openLog();
            syncThreads.forEach(Thread::start);
            committerThread.start();
            watchThread.start();
            started = true;
        } finally {
            if (!started) {
                // There may be no thread to be had; then those end that there are.
                stopThreads();
            }
        }
    }

    /** Ends those that run, in the order in which one hands over to the next; waits for that. */
    private void stopThreads() {
        if (committerThread.isAlive()) {
            committer.put(Change.STOP);
            Uninterrupted.join(committerThread);
        } else {
            committer.lane().close();
        }
        syncThreads.forEach(Uninterrupted::join);
        checkpointer.stop();
        Uninterrupted.join(checkpointerThread);
        watchThread.interrupt();
    }

    private void failed(Throwable cause) {
        committer.fail(cause);
    }

    private void setAsideUnreadable(QueueId id, IOException cause, boolean canChange) {
        if (committer.hasFailed()) {
            throw new UncheckedIOException(cause);
        }
        LOG.error("{} can't be read and is set aside", id, cause);
        if (canChange) {
            setAside(id, String.valueOf(cause.getMessage()));
        }
        // A row of the database that can't be read can't be changed either: it stays leased, which
        // keeps it out of the way until the next start.
    }

    private void settle(Change.Step step) {
        committer.put(new Change.Made(step, null));
    }

    private interface Reading<T> {
        T get() throws IOException;
    }

    private static <T> T read(Reading<T> reading) {
        try {
            return reading.get();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static <T> T await(CompletableFuture<T> answer) {
        try {
            return answer.join();
        } catch (CompletionException e) {
            throw switch (e.getCause()) {
                case IllegalStateException closedOrBroken -> closedOrBroken;
                case UncheckedIOException unreadable -> unreadable;
                case null, default -> e;
            };
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
