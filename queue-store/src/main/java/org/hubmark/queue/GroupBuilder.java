package org.hubmark.queue;

import org.hubmark.core.Content;
import org.hubmark.core.QueueId;
import org.hubmark.core.QueuedMessage;
import org.hubmark.core.Receipt;
import org.hubmark.core.RecipientResult;
import org.hubmark.queue.log.LogPosition;
import org.hubmark.queue.log.LogWriter;
import org.hubmark.queue.log.RecordType;
import org.hubmark.queue.table.ContentExtent;
import org.hubmark.queue.table.Entry;
import org.hubmark.queue.table.MessageRow;
import org.hubmark.queue.table.MessageState;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Turns changes into records of the open group, and into the entries that are applied and the answers
 * that are given when it is committed. Committer's thread.
 */
final class GroupBuilder {
    private static final Logger LOG = LoggerFactory.getLogger(GroupBuilder.class);
    static final Receipt.Refused LOG_FULL = new Receipt.Refused(
            Receipt.Reason.STORAGE_FULL, "the log is full and the queue volume has no room");
    private static final Receipt.Refused ENVELOPE_TOO_LARGE = new Receipt.Refused(
            Receipt.Reason.ENVELOPE_TOO_LARGE, "the envelope is too large for the queue");

    private final LogWriter writer;
    private final LogRoom room;
    private final Messages messages;
    private final InstantSource clock;
    private final StoreParts parts;
    private final int extentBytesMax;
    private final ContentWriter.Step applyStaged;
    private final Map<Long, List<ContentExtent>> unfinished = new HashMap<>();
    private List<Change> changes = new ArrayList<>();
    private List<Content> contents = new ArrayList<>();
    private List<Entry> entries = new ArrayList<>();
    private List<Runnable> answers = new ArrayList<>();

    /** Have left without a record, for want of room; bounded by the messages of a full queue. */
    private final Queue<Long> late = new ArrayDeque<>();

    /** Have another state without a record, for want of room; bounded likewise. */
    private final Map<Long, MessageState> lateStates = new LinkedHashMap<>();

    private boolean promises;

    /** Whether a message was changed that is not being settled; not applied yet. */
    private boolean changedInPlace;

    /**
     * Builds groups of a store.
     *
     * @param applyStaged ends the group and waits until all are applied
     */
    GroupBuilder(StoreParts parts, LogRoom room, ContentWriter.Step applyStaged) {
        this.applyStaged = applyStaged;
        this.writer = parts.log().writer();
        this.room = room;
        this.messages = parts.messages();
        this.clock = parts.configuration().clock();
        this.parts = parts;
        this.extentBytesMax = parts.settings().log().extentBytesMax();
    }

    /** Adds a change. */
    void add(Change change) throws IOException {
        switch (change) {
            case Change.Enqueue e -> addEnqueue(e);
            case Change.StoreExtent s -> addExtent(s);
            case Change.Made made -> made.step().addTo(this);
        }
        changes.add(change);
    }

    /** The index is read: what was staged before must be seen there. */
    private void awaitApplied() throws IOException {
        applyStaged.run();
        changedInPlace = false;
    }

    /** The same if a message that a step changes too may have been changed in place. */
    private void awaitChangedInPlace(boolean readsIndex) throws IOException {
        if (changedInPlace || readsIndex) {
            awaitApplied();
        }
    }

    private boolean isSettling(@Nullable QueueId id) {
        return id != null && messages.isSettling(id.value());
    }

    /** Adds that the stored extents of a message are given up. */
    void addAbandon(long id) throws IOException {
        if (unfinished.remove(id) != null) {
            // Without the record they last until the next start, which keeps no extents without a
            // row.
            if (room.make(0, 0)) {
                writer.start(RecordType.ABANDON, id, 0);
                writer.finish();
            }
            entries.add(new Entry.Abandoned(id));
        }
    }

    /** {@return whether nothing was added since the last commit} */
    boolean isEmpty() {
        return entries.isEmpty() && answers.isEmpty() && writer.recordCount() == 0;
    }

    /** Ends the group, all of which is written. */
    WrittenGroup end() {
        WrittenGroup group = new WrittenGroup(
                changes, contents, entries, answers, promises, writer.generation());
        changes = new ArrayList<>();
        contents = new ArrayList<>();
        entries = new ArrayList<>();
        answers = new ArrayList<>();
        promises = false;
        return group;
    }

    private void addEnqueue(Change.Enqueue enqueue) throws IOException {
        Content content = enqueue.content();
        long id = content.id().value();
        List<ContentExtent> extents = new ArrayList<>(unfinished.getOrDefault(id, List.of()));
        ByteBuffer memory = content.memory();
        int extentsMax = extents.size() + memory.remaining() / extentBytesMax + 1;
        MessageState state = MessageState.fresh();
        int headBytes = MessageRow.bytesMax(enqueue.envelope(), state, extentsMax);
        if (headBytes > LogWriter.HEAD_BYTES_MAX) {
            refuse(enqueue, ENVELOPE_TOO_LARGE);
            return;
        }
        boolean isWhole = memory.remaining() <= extentBytesMax;
        boolean hasRoom = true;
        while (hasRoom && memory.remaining() > extentBytesMax) {
            hasRoom = addExtent(id, extents, nextExtent(memory));
        }
        if (!hasRoom || !room.make(headBytes, memory.remaining())) {
            parts.counters().refused(LOG_FULL);
            refuse(enqueue, LOG_FULL);
            return;
        }
        ContentExtent last = isWhole
                ? new ContentExtent(memory.remaining(), content.checksum())
                : ContentExtent.of(memory);
        if (memory.hasRemaining()) {
            extents.add(last);
        }
        MessageRow row = new MessageRow(enqueue.envelope(), state, extents);
        unfinished.remove(id);
        ByteBuffer head = writer.start(RecordType.ENQUEUE, id, headBytes);
        int start = head.position();
        row.encode(head);
        int encodedBytes = head.position() - start;
        LogPosition home = writer.finish(memory, last.crc32c());
        promises = true;
        contents.add(content);
        entries.add(new Entry.Enqueued(id, row, home, encodedBytes));
        Receipt queued = new Receipt.Queued(content.id());
        answers.add(() -> {
            parts.counters().accepted(row.sizeBytes());
            answer(enqueue.listener(), queued);
        });
    }

    private ByteBuffer nextExtent(ByteBuffer memory) {
        int lengthBytes = Math.min(memory.remaining(), extentBytesMax);
        ByteBuffer extent = memory.slice(memory.position(), lengthBytes);
        memory.position(memory.position() + lengthBytes);
        return extent;
    }

    private void refuse(Change.Enqueue enqueue, Receipt.Refused refused) throws IOException {
        addAbandon(enqueue.content().id().value());
        answers.add(() -> {
            close(enqueue.content(), Content::close);
            answer(enqueue.listener(), refused);
        });
    }

    private void addExtent(Change.StoreExtent store) throws IOException {
        Content content = store.content();
        long id = content.id().value();
        List<ContentExtent> extents = unfinished.getOrDefault(id, new ArrayList<>());
        ByteBuffer memory = content.memory();
        while (memory.hasRemaining()) {
            if (!addExtent(id, extents, nextExtent(memory))) {
                // Who is refused abandons the message.
                parts.counters().refused(LOG_FULL);
                answers.add(() -> answer(store.listener(), Optional.of(LOG_FULL)));
                return;
            }
        }
        answers.add(() -> {
            content.markExtentStored();
            answer(store.listener(), Optional.empty());
        });
    }

    private boolean addExtent(long id, List<ContentExtent> extents, ByteBuffer octets)
            throws IOException {
        ContentExtent extent = ContentExtent.of(octets);
        if (!room.make(Integer.BYTES, extent.lengthBytes())) {
            return false;
        }
        int number = extents.size();
        writer.start(RecordType.EXTENT, id, Integer.BYTES).putInt(number);
        LogPosition place = writer.finish(octets, extent.crc32c());
        extents.add(extent);
        unfinished.put(id, extents);
        entries.add(new Entry.ExtentStored(id, number, place));
        return true;
    }

    /** A leased message was delivered. */
    void addAcknowledge(long id) throws IOException {
        messages.fresh().drop(id);
        if (messages.beginSettle(id) != null) {
            leave(id);
        }
    }

    private void leave(long id) throws IOException {
        lateStates.remove(id);
        if (room.isTight() || !writeAcknowledge(id)) {
            // A full log must become free without being written to. The record comes later; a
            // crash before that brings the message back, as does any record that was not synced.
            late.add(id);
        }
        entries.add(new Entry.Acknowledged(id));
    }

    /**
     * Adds the records that there was no room for, as far as there is now.
     *
     * @param last whether no more room will be needed, so that none is kept
     */
    void addLate(boolean last) throws IOException {
        while (!late.isEmpty() && (last || !room.isTight()) && writeAcknowledge(late.element())) {
            late.remove();
        }
        // First those without whose record somebody might get a message twice.
        writeLate(state -> !state.results().isEmpty() || !state.notifications().isEmpty(), last);
        writeLate(state -> true, last);
    }

    /** {@return whether records wait for room} */
    boolean isLate() {
        return !late.isEmpty() || !lateStates.isEmpty();
    }

    private void writeLate(Predicate<MessageState> kind, boolean last) throws IOException {
        Iterator<Map.Entry<Long, MessageState>> states = lateStates.entrySet().iterator();
        while (states.hasNext() && (last || !room.isTight())) {
            Map.Entry<Long, MessageState> next = states.next();
            if (kind.test(next.getValue())) {
                if (!writeState(next.getKey(), next.getValue())) {
                    return;
                }
                states.remove();
            }
        }
    }

    private boolean writeAcknowledge(long id) throws IOException {
        if (!room.make(0, 0)) {
            return false;
        }
        writer.start(RecordType.ACKNOWLEDGE, id, 0);
        writer.finish();
        return true;
    }

    /**
     * A leased message is to be tried again; no results are those it had.
     *
     * @param attempts what that adds to the count of them
     * @param notification tells the sender for whom it has failed
     */
    void addDefer(
            long id,
            long dueMillis,
            int attempts,
            String reason,
            List<RecipientResult> results,
            @Nullable QueueId notification)
            throws IOException {
        awaitChangedInPlace(isSettling(notification));
        messages.fresh().drop(id);
        MessageState before = messages.beginSettle(id);
        if (before != null) {
            MessageState now = MessageState.due(
                    dueMillis, before.attempts() + attempts, reason, results(before, results));
            settle(id, now.waitingFor(notifications(before, notification)));
        }
    }

    /** A leased message is not to be tried again, and leaves when its sender was told. */
    void addReturn(
            long id, String reason, List<RecipientResult> results, @Nullable QueueId notification)
            throws IOException {
        awaitChangedInPlace(isSettling(notification));
        messages.fresh().drop(id);
        MessageState before = messages.beginSettle(id);
        if (before == null) {
            return;
        }
        Set<Long> notifications = notifications(before, notification);
        if (notifications.isEmpty()) {
            leave(id);
            return;
        }
        MessageState now = dead(before.attempts() + 1, reason, results(before, results));
        settle(id, now.returned(notifications));
    }

    private MessageState dead(int attempts, String reason, List<RecipientResult> results) {
        return new MessageState(
                QueuedMessage.State.DEAD, clock.millis(), attempts, reason, results);
    }

    /** {@return the results of an attempt; none are those it had} */
    private static List<RecipientResult> results(
            MessageState before, List<RecipientResult> attempt) {
        return attempt.isEmpty() ? before.results() : attempt;
    }

    /** {@return those that a message waits for, with one more if that is in the queue still} */
    private Set<Long> notifications(MessageState before, @Nullable QueueId added)
            throws IOException {
        MessageState state = added == null ? null : messages.state(added.value());
        if (added == null || state == null) {
            // Delivered meanwhile.
            return before.notifications();
        }
        Set<Long> all = new HashSet<>(before.notifications());
        all.add(state.kind().isDead() ? MessageState.UNTOLD : added.value());
        return all;
    }

    /**
     * A leased notification was delivered, or will not be.
     *
     * @param failure of the latter; null of the former
     */
    void addNotified(
            long id, QueueId message, @Nullable String failure, List<RecipientResult> results)
            throws IOException {
        awaitChangedInPlace(isSettling(message));
        messages.fresh().drop(id);
        MessageState own = messages.beginSettle(id);
        if (own == null) {
            return;
        }
        long about = message.value();
        MessageState waiting = messages.state(about);
        if (waiting == null || !waiting.notifications().contains(id)) {
            if (failure == null) {
                leave(id);
            } else {
                settle(id, dead(own.attempts() + 1, failure, results));
            }
            return;
        }
        Set<Long> others = new HashSet<>(waiting.notifications());
        others.remove(id);
        if (failure != null) {
            others.add(MessageState.UNTOLD);
        }
        // First, so that a crash leaves the notification, which is then sent again.
        if (addTold(about, waiting, others)) {
            leave(id);
        } else {
            messages.releaseSettling(id);
        }
    }

    /** Adds what a message waits for from now on; false when there is no room. */
    private boolean addTold(long id, MessageState before, Set<Long> notifications)
            throws IOException {
        if (before.kind() == QueuedMessage.State.RETURNED) {
            if (!messages.withdraw(id, before)) {
                return false;
            }
            if (!notifications.isEmpty()) {
                return addState(id, before.returned(notifications));
            }
            leave(id);
            return true;
        }
        // It may be leased, and stays so.
        MessageState now = before.waitingFor(notifications);
        if (!write(id, now)) {
            return false;
        }
        changedInPlace = true;
        return true;
    }

    /** A message, leased or not, is not to be tried again. */
    void addDeadLetter(long id, String reason, List<RecipientResult> results) throws IOException {
        MessageState before = beginEnd(id);
        if (before != null && !before.kind().isDead()) {
            settle(id, dead(before.attempts(), reason, results(before, results)));
        }
    }

    /** A message, leased or not, can't be read or delivered. */
    void addSetAside(long id, String reason) throws IOException {
        MessageState before = beginEnd(id);
        if (before != null && before.isScheduled()) {
            MessageState now = new MessageState(
                    QueuedMessage.State.DAMAGED,
                    clock.millis(),
                    before.attempts(),
                    reason,
                    before.results());
            settle(id, now.waitingFor(before.notifications()));
        }
    }

    /** A dead letter is to leave; the answer is whether it has. */
    void addRemoval(long id, CompletableFuture<Boolean> answer) throws IOException {
        awaitChangedInPlace(messages.isSettling(id));
        MessageState before = state(id, answer);
        boolean leaves = before != null && before.kind().isDead() && messages.withdraw(id, before);
        if (leaves) {
            leave(id);
        }
        answers.add(() -> answer.complete(leaves));
    }

    /** {@return the state of a message, or null} One that can't be read ends who asks, not the store. */
    private @Nullable MessageState state(long id, CompletableFuture<?> answer) {
        try {
            return messages.state(id);
        } catch (IOException e) {
            answer.completeExceptionally(new UncheckedIOException(e));
            return null;
        }
    }

    /** {@return the state of a message that will not be tried again}; counts the attempt of a lease */
    private @Nullable MessageState beginEnd(long id) throws IOException {
        awaitChangedInPlace(!messages.isLeased(id));
        messages.fresh().drop(id);
        MessageState leased = messages.beginSettle(id);
        // Nothing else says that its state is about to be another.
        changedInPlace |= leased == null;
        return leased == null
                ? messages.state(id)
                : MessageState.due(
                                leased.dueMillis(),
                                leased.attempts() + 1,
                                leased.reason(),
                                leased.results())
                        .waitingFor(leased.notifications());
    }

    /** An operator wants something done with a message that is not leased. */
    void addOperate(long id, OperatorAction action, CompletableFuture<OperatorResult> answer)
            throws IOException {
        awaitApplied();
        MessageState before = state(id, answer);
        if (before == null) {
            answer.complete(OperatorResult.ABSENT);
        } else if (!messages.withdraw(id, before)) {
            answer.complete(OperatorResult.LEASED);
        } else if (!isFit(action, before.kind())) {
            messages.releaseSettling(id);
            answer.complete(OperatorResult.UNFIT);
        } else if (addOperation(action, id, before)) {
            answers.add(() -> answer.complete(OperatorResult.DONE));
        } else {
            answer.completeExceptionally(
                    new IllegalStateException("the queue: " + LOG_FULL.detail()));
        }
    }

    private static boolean isFit(OperatorAction action, QueuedMessage.State kind) {
        return switch (action) {
            case RETRY ->
                kind == QueuedMessage.State.DEFERRED
                        || kind == QueuedMessage.State.DEAD
                        || kind == QueuedMessage.State.RETURNED;
            case RELEASE -> kind == QueuedMessage.State.DAMAGED;
            case DEAD_LETTER -> !kind.isDead();
            case DELETE -> true;
        };
    }

    /** Adds what an operator does to a message that was withdrawn; false when there is no room. */
    private boolean addOperation(OperatorAction action, long id, MessageState before)
            throws IOException {
        return switch (action) {
            case RETRY, RELEASE -> addState(id, before.forRetry());
            case DEAD_LETTER ->
                addState(id, dead(before.attempts(), "by an operator", before.results()));
            case DELETE -> {
                // Unlike a delivery it is not repeated when it is lost: the message would be back.
                // So
                // it takes of the room that is kept, and there is no delete without its record.
                if (!writeAcknowledge(id)) {
                    messages.releaseSettling(id);
                    yield false;
                }
                messages.fresh().drop(id);
                lateStates.remove(id);
                entries.add(new Entry.Acknowledged(id));
                promises = true;
                yield true;
            }
        };
    }

    /** An operator asks for a message, as it is after all that was handed over before. */
    void find(long id, CompletableFuture<Optional<QueuedMessage>> answer) throws IOException {
        awaitApplied();
        try {
            answer.complete(messages.find(id));
        } catch (IOException e) {
            // It ends who asks, not the store.
            answer.completeExceptionally(new UncheckedIOException(e));
        }
    }

    /**
     * Adds what an attempt came to. Where the log is full it takes effect without its record, which comes
     * later: who has the message by now is not to get it again at each attempt until there is room.
     */
    private void settle(long id, MessageState now) throws IOException {
        lateStates.remove(id);
        if (room.isTight() || !writeState(id, now)) {
            lateStates.put(id, now);
        }
        entries.add(new Entry.Changed(id, now));
    }

    /** Without room a message that was withdrawn becomes due again: false, with nothing changed. */
    private boolean addState(long id, MessageState now) throws IOException {
        if (!write(id, now)) {
            messages.releaseSettling(id);
            return false;
        }
        return true;
    }

    /** Adds a state with its record; false when there is no room, with nothing changed. */
    private boolean write(long id, MessageState now) throws IOException {
        if (!writeState(id, now)) {
            return false;
        }
        lateStates.remove(id);
        entries.add(new Entry.Changed(id, now));
        return true;
    }

    private boolean writeState(long id, MessageState now) throws IOException {
        if (!room.make(now.bytesMax(), 0)) {
            return false;
        }
        RecordType type = switch (now.kind()) {
            case QUEUED, DEFERRED -> RecordType.DEFER;
            case DEAD, RETURNED, HEADER -> RecordType.DEAD_LETTER;
            case DAMAGED -> RecordType.SET_ASIDE;
        };
        now.encode(writer.start(type, id, now.bytesMax()));
        writer.finish();
        return true;
    }

    /** Closes a content that was handed over, in one way or another. */
    static void close(Content content, Consumer<Content> closing) {
        try {
            closing.accept(content);
        } catch (Throwable e) {
            // Closed by who had given it away, or no memory: it must not keep anybody's answer
            // back.
            LOG.error("the content of {} can't be closed", content.id(), e);
        }
    }

    /** Calls a listener. */
    static <T> void answer(Consumer<? super T> listener, T value) {
        try {
            listener.accept(value);
        } catch (Throwable e) {
            // The commit stands whatever its listener does, and the other waiters need theirs.
            LOG.error("a listener of the queue failed on {}", value, e);
        }
    }
}
