package org.hubmark.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.core.Content;
import org.hubmark.core.Durability;
import org.hubmark.core.Lease;
import org.hubmark.core.QueueId;
import org.hubmark.core.QueuedMessage;
import org.hubmark.core.Receipt;
import org.hubmark.core.RecipientResult;
import org.hubmark.core.StoreException;
import org.hubmark.queue.simulation.SimulatedDatabase;
import org.hubmark.queue.simulation.SimulatedVolume;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.LongStream;

/**
 * Proves what a store promises over random histories: mail whole and in extents, given up and refused, settled
 * in every way and in lots, notifications of failures, an operator, clock steps, restarts, kills and power
 * cuts. A map says what each message must be; what a start would read from both volumes must say the same;
 * after a power cut everything promised must be there, with its content. A failure names the kind and the
 * seed.
 */
class StoreHistoryTest {
    private static final List<Durability> CLASSES = List.of(
            new Durability.Synced(),
            new Durability.Periodic(Duration.ofMillis(5)),
            new Durability.None());

    private static final Duration FAR = Duration.ofDays(1000);
    private static final int SEGMENT_BYTES = 128 << 10;
    private static final int AT_ONCE = 60;

    /** Writes and flushes of the queue database that find no room, one after the other. */
    private static final int FULL_MAX = 30;

    /** So that the list of a message's extents is shorter than a segment, as it is with real ones. */
    private static final int EXTENT_BYTES_MIN = 64;

    /** What a history is made of. */
    enum Kind {
        /** Content of up to three extents in ordinary segments. */
        LARGE(150, 3_000_000),
        /** Checkpoints all the time; after each step both volumes are read. */
        READ(200, 60_000),
        /** Mail so small that there can be more of it. */
        SMALL(700, 12_000),
        /**
         * On volumes that lose, tear and reorder what was not synced, fail writes and syncs, and have no room
         * in the queue database now and then.
         */
        CUT(240, 120_000);

        private final int steps;
        private final int lengthBytesMax;

        Kind(int steps, int lengthBytesMax) {
            this.steps = steps;
            this.lengthBytesMax = lengthBytesMax;
        }
    }

    @TempDir
    Path folder;

    @TempDir(factory = InMemoryFolder.class)
    Path memory;

    @ParameterizedTest
    @Timeout(300)
    @CsvSource({"LARGE, 6", "READ, 2", "SMALL, 3", "CUT, 24"})
    void keepsItsPromise(Kind kind, int histories) {
        run(kind, Long.getLong("hubmark.seed", 0), histories);
    }

    @ParameterizedTest
    @Tag("long")
    @CsvSource({"LARGE, 300", "READ, 40", "SMALL, 300", "CUT, 1000"})
    void keepsItsPromiseManyTimes(Kind kind, int histories) {
        run(kind, Long.getLong("hubmark.seed", System.nanoTime()), histories);
    }

    private void run(Kind kind, long from, int histories) {
        // At once: they wait for syncs, or need a processor and nothing else of the machine.
        Queue<AssertionError> failures = new ConcurrentLinkedQueue<>();
        long checkpoints = LongStream.range(from, from + histories)
                .parallel()
                .map(seed -> run(kind, seed, failures))
                .sum();
        // Not before all have ended: the folder goes then, and would go under the others.
        failures.stream().findFirst().ifPresent(failure -> {
            failures.stream().skip(1).forEach(failure::addSuppressed);
            throw failure;
        });
        // Without them the moves between the volumes would not have been tried.
        assertThat(checkpoints).isGreaterThanOrEqualTo(kind == Kind.LARGE ? 1 : histories);
    }

    /** {@return the number of checkpoints} */
    private long run(Kind kind, long seed, Queue<AssertionError> failures) {
        Path home = (kind == Kind.CUT ? memory : folder).resolve(kind + "-" + seed);
        try {
            long checkpoints = new History(kind, home, seed).run();
            SimulatedDatabase.delete(home);
            return checkpoints;
        } catch (IOException | RuntimeException | AssertionError e) {
            failures.add(new AssertionError(kind + ", seed " + seed + ": " + e.getMessage(), e));
            return 0;
        }
    }

    /** What must be in the queue. */
    private static final class Message {
        private final long lengthBytes;

        /** Of a notification, the message of which it tells. */
        private final @Nullable QueueId about;

        private QueuedMessage.State state = QueuedMessage.State.QUEUED;
        private Instant dueAt = StoreUnderTest.RECEIVED;
        private int attempts;
        private String reason = "";
        private List<RecipientResult> results = List.of();

        /** Those that tell of its failures and are not delivered yet. */
        private final Set<QueueId> notifications = new HashSet<>();

        /** Whether one of them never will be. */
        private boolean untold;

        Message(long lengthBytes, @Nullable QueueId about) {
            this.lengthBytes = lengthBytes;
            this.about = about;
        }

        void become(QueuedMessage.State next, Instant at, int attemptsNow, String why) {
            state = next;
            dueAt = at;
            attempts = attemptsNow;
            reason = why;
            if (next == QueuedMessage.State.DEAD) {
                forgetNotifications();
            }
        }

        void forgetNotifications() {
            notifications.clear();
            untold = false;
        }

        boolean isScheduled() {
            return state == QueuedMessage.State.QUEUED || state == QueuedMessage.State.DEFERRED;
        }

        QueuedMessage found(QueueId id) {
            return new QueuedMessage(
                    id,
                    StoreUnderTest.envelope(StoreUnderTest.TO),
                    lengthBytes,
                    state,
                    dueAt,
                    attempts,
                    reason,
                    results);
        }
    }

    /** One sequence of random changes to a store and to its model. */
    private static final class History {
        private final Kind kind;
        private final Path home;
        private final Random random;
        private final Durability durability;
        private final SimulatedLogVolume volume =
                new SimulatedLogVolume("segments", SEGMENT_BYTES, 1 << 10);
        private final StoreUnderTest queue;
        private final NavigableMap<QueueId, Message> model = new ConcurrentSkipListMap<>();
        private final TreeSet<QueueId> leased = new TreeSet<>();
        private final Map<QueueId, Instant> heldBack = new TreeMap<>();

        /** What somebody has asked to leave: a cut may bring it back, unless it was deleted. */
        private final Set<QueueId> gone = new HashSet<>();

        private final Set<QueueId> deleted = new HashSet<>();
        private final List<CompletableFuture<Receipt>> answers = new ArrayList<>();
        private int copies;
        private long checkpoints;

        History(Kind kind, Path home, long seed) throws IOException {
            this.kind = kind;
            this.home = home;
            this.random = new Random(seed);
            this.durability = kind == Kind.READ
                    ? new Durability.Synced()
                    : CLASSES.get((int) Math.max(0, seed % 4 - 1));
            StoreUnderTest.Setup setup =
                    StoreUnderTest.at(home.resolve("copy0")).durability(durability);
            switch (kind) {
                case LARGE -> {
                    // As an operator sets it.
                }
                case READ, SMALL -> setup.log(SEGMENT_BYTES, 3);
                case CUT -> setup.simulated(volume).settings(Map.of("store.free-space-min", "0B"));
            }
            this.queue = setup.open();
        }

        /** {@return the number of checkpoints} */
        long run() throws IOException {
            for (int step = 0; step < kind.steps; step++) {
                step();
                if (kind == Kind.READ) {
                    compare(true);
                }
            }
            end();
            countCheckpoints();
            queue.close();
            return checkpoints;
        }

        private void countCheckpoints() {
            checkpoints += queue.store().statistics().database().checkpoints();
        }

        private void step() throws IOException {
            int choice = random.nextInt(100);
            if (choice < 30) {
                enqueue(null);
            } else if (choice < 50) {
                lease();
            } else if (choice < 80) {
                settle();
            } else if (choice < 86) {
                operate();
            } else if (choice < 91) {
                queue.step(Duration.ofMillis(random.nextLong(-2_000, 10_000)));
            } else if (choice < 94) {
                giveUp();
            } else if (choice < 97) {
                if (random.nextInt(2) == 0) {
                    end();
                }
            } else if (kind == Kind.CUT) {
                enqueueAtOnce();
            } else {
                compare(random.nextInt(4) == 0);
            }
        }

        private int length() {
            return switch (random.nextInt(6)) {
                case 0 -> random.nextInt(2);
                case 1 -> random.nextInt(kind.lengthBytesMax);
                case 2 ->
                    Math.min(kind.lengthBytesMax, Content.EXTENT_BYTES_MAX + random.nextInt(2));
                case 3 -> random.nextInt(kind.lengthBytesMax / 10);
                default -> random.nextInt(4_000);
            };
        }

        /** {@return the id of a message that was queued; null if it was refused} */
        private @Nullable QueueId enqueue(@Nullable QueueId about) {
            int lengthBytes = about == null ? length() : random.nextInt(1_000);
            int extentBytes = random.nextBoolean()
                    ? Math.max(1, lengthBytes)
                    : kind == Kind.LARGE
                            ? Content.EXTENT_BYTES_MAX
                            : EXTENT_BYTES_MIN + random.nextInt(kind.lengthBytesMax);
            Receipt receipt =
                    queue.offer(lengthBytes, extentBytes, StoreUnderTest.TO).join();
            if (receipt instanceof Receipt.Queued queued) {
                assertThat(model.put(queued.id(), new Message(lengthBytes, about)))
                        .as("an id used twice")
                        .isNull();
                return queued.id();
            }
            assertThat(kind).as("%s", receipt).isEqualTo(Kind.CUT);
            return null;
        }

        /**
         * So much at a time that groups are written while others are synced. Not all of it is waited for: the
         * power may be cut meanwhile.
         */
        private void enqueueAtOnce() {
            volume.delaySync(Duration.ofNanos(random.nextInt(2_000_000)));
            for (int i = 0; i < AT_ONCE; i++) {
                int lengthBytes = random.nextInt(i % 8 == 0 ? 30_000 : 6_000);
                answers.add(queue.offer(lengthBytes, StoreUnderTest.TO).thenApply(receipt -> {
                    if (receipt instanceof Receipt.Queued queued) {
                        model.put(queued.id(), new Message(lengthBytes, null));
                    }
                    return receipt;
                }));
            }
            if (random.nextBoolean()) {
                awaitAnswers();
            }
            volume.delaySync(Duration.ZERO);
        }

        private void awaitAnswers() {
            answers.forEach(CompletableFuture::join);
            answers.clear();
        }

        /** Mail that doesn't come to its end: given up, refused, or its peer still sends. */
        private void giveUp() {
            Content content = queue.content(new byte[random.nextInt(1, 50_000)]);
            if (queue.storeExtent(content).isPresent()) {
                assertThat(kind).isEqualTo(Kind.CUT);
                queue.store().abandon(content);
                return;
            }
            switch (random.nextInt(3)) {
                case 0 -> queue.store().abandon(content);
                case 1 -> content.close();
                default -> {
                    List<String> tooMany =
                            Collections.nCopies(30_000, "a".repeat(60) + "@example.org");
                    assertThat(queue.offer(content, tooMany).join())
                            .isInstanceOf(Receipt.Refused.class);
                }
            }
        }

        private void lease() throws IOException {
            int messagesMax = 1 + random.nextInt(5);
            if (kind == Kind.CUT) {
                for (Lease lease : queue.store().lease(messagesMax)) {
                    leased.add(lease.id());
                    if (random.nextInt(4) == 0) {
                        queue.requireContent(lease);
                    }
                }
                return;
            }
            List<QueueId> due = model.entrySet().stream()
                    .filter(entry -> !leased.contains(entry.getKey())
                            && entry.getValue().isScheduled()
                            && !dueFrom(entry).isAfter(queue.now()))
                    .sorted(Comparator.comparing(this::dueFrom).thenComparing(Map.Entry::getKey))
                    .map(Map.Entry::getKey)
                    .toList();
            List<QueueId> found = new ArrayList<>();
            for (Lease lease : queue.store().lease(messagesMax)) {
                found.add(lease.id());
                Message message = message(lease.id());
                assertThat(lease.askedFor())
                        .isEqualTo(message.state == QueuedMessage.State.DEFERRED
                                && message.dueAt.equals(StoreUnderTest.RECEIVED));
                assertThat(lease.attempts()).isEqualTo(message.attempts);
                assertThat(lease.results()).isEqualTo(message.results);
                // A delivery may read it again.
                queue.requireContent(lease);
                queue.requireContent(lease);
            }
            // Two kinds take turns, and each keeps its order.
            assertThat(found).hasSize(Math.min(messagesMax, due.size()));
            assertThat(fresh(found, true)).isEqualTo(firstOf(fresh(due, true), found));
            assertThat(fresh(found, false)).isEqualTo(firstOf(fresh(due, false), found));
            leased.addAll(found);
            heldBack.keySet().removeAll(found);
        }

        private Instant dueFrom(Map.Entry<QueueId, Message> entry) {
            Instant dueAt = entry.getValue().dueAt;
            // At once is before every time.
            return heldBack.getOrDefault(
                    entry.getKey(), dueAt.equals(StoreUnderTest.RECEIVED) ? Instant.MIN : dueAt);
        }

        private List<QueueId> fresh(List<QueueId> ids, boolean isFresh) {
            return ids.stream()
                    .filter(id -> isFresh
                            == (!heldBack.containsKey(id)
                                    && message(id).dueAt.equals(StoreUnderTest.RECEIVED)))
                    .toList();
        }

        private static List<QueueId> firstOf(List<QueueId> due, List<QueueId> found) {
            return due.stream()
                    .limit(due.stream().filter(found::contains).count())
                    .toList();
        }

        /** Ends one lease or all, with nothing between them that would wait until one has ended. */
        private void settle() {
            List<QueueId> ids = new ArrayList<>(leased);
            Collections.shuffle(ids, random);
            for (QueueId id :
                    random.nextInt(3) == 0 ? ids : ids.stream().limit(1).toList()) {
                // It may have been settled as a notification.
                if (leased.contains(id)) {
                    Message message = model.get(id);
                    if (message != null && message.about != null && random.nextInt(8) > 0) {
                        tell(id, message.about);
                    } else {
                        settle(id, message == null ? new Message(0, null) : message);
                    }
                }
            }
            if (kind != Kind.CUT) {
                queue.awaitCommit();
            }
        }

        private void settle(QueueId id, Message message) {
            int attempts = message.attempts + 1;
            Instant later = queue.now().plusMillis(random.nextLong(-1_000, 20_000));
            int choice = random.nextInt(10);
            QueueId notification = choice > 2 && choice < 6 ? notification(id, message) : null;
            leased.remove(id);
            switch (choice) {
                case 0, 1, 2 -> {
                    queue.store().acknowledge(id);
                    leave(id);
                }
                case 3, 4 -> {
                    List<RecipientResult> results = results(message);
                    String reason = "deferred " + attempts;
                    message.become(QueuedMessage.State.DEFERRED, later, attempts, reason);
                    if (notification == null) {
                        queue.store().defer(id, later, reason, results);
                    } else {
                        queue.store().defer(id, later, reason, results, notification);
                    }
                }
                case 5 -> {
                    List<RecipientResult> results = results(message);
                    queue.store().returnToSender(id, "550 no", results, notification);
                    message.become(QueuedMessage.State.RETURNED, queue.now(), attempts, "550 no");
                    endReturned(id, message);
                }
                case 6 -> {
                    queue.store().deadLetter(id, "died", results(message));
                    message.become(QueuedMessage.State.DEAD, queue.now(), attempts, "died");
                }
                case 7 -> {
                    queue.store().setAside(id, "can't be read");
                    message.become(
                            QueuedMessage.State.DAMAGED, queue.now(), attempts, "can't be read");
                }
                case 8 -> {
                    queue.store().postpone(id, later, "nobody was asked");
                    heldBack.put(id, later);
                }
                default -> queue.store().release(id);
            }
        }

        /** From now on a message may be gone. */
        private void leave(QueueId id) {
            model.remove(id);
            heldBack.remove(id);
            gone.add(id);
        }

        /** Gives a message some results, or none: then they are as before. */
        private List<RecipientResult> results(Message message) {
            if (random.nextBoolean()) {
                return List.of();
            }
            RecipientResult.State[] states = RecipientResult.State.values();
            RecipientResult.State state = states[random.nextInt(states.length)];
            message.results = List.of(new RecipientResult(state, "said " + random.nextInt(10)));
            return message.results;
        }

        /** {@return a new one of a failure, which may have been settled by now, or null} */
        private @Nullable QueueId notification(QueueId about, Message message) {
            if (kind == Kind.CUT || message.about != null || random.nextInt(3) == 0) {
                return null;
            }
            QueueId id = Objects.requireNonNull(enqueue(about));
            if (random.nextInt(3) == 0) {
                queue.store().lease(100).forEach(lease -> leased.add(lease.id()));
                heldBack.keySet().removeAll(leased);
                if (leased.contains(id)) {
                    tell(id, about);
                }
            }
            Message known = model.get(id);
            if (known != null && known.state == QueuedMessage.State.DEAD) {
                message.untold = true;
            } else if (known != null) {
                message.notifications.add(id);
            }
            return id;
        }

        /** A notification is delivered, or never will be. */
        private void tell(QueueId id, QueueId about) {
            boolean delivered = random.nextInt(3) > 0;
            leased.remove(id);
            Message message = model.get(about);
            boolean waits = message != null && message.notifications.remove(id);
            if (delivered) {
                queue.store().notified(id, about);
            } else {
                queue.store().notNotified(id, about, "550 no", List.of());
            }
            if (message != null && waits) {
                message.untold |= !delivered;
                if (message.state == QueuedMessage.State.RETURNED) {
                    endReturned(about, message);
                }
            }
            if (waits || delivered) {
                leave(id);
            } else {
                Message own = message(id);
                own.become(QueuedMessage.State.DEAD, queue.now(), own.attempts + 1, "550 no");
                own.results = List.of();
            }
        }

        /** It waits for its notifications, stays for good, or leaves. */
        private void endReturned(QueueId id, Message message) {
            if (message.untold) {
                message.state = QueuedMessage.State.DEAD;
                message.forgetNotifications();
            } else if (message.notifications.isEmpty()) {
                leave(id);
            }
        }

        private void operate() {
            if (model.isEmpty()) {
                return;
            }
            QueueId id = any(model.keySet());
            Message message = message(id);
            boolean isLeased = leased.contains(id);
            int choice = kind == Kind.CUT ? 0 : random.nextInt(8);
            if (choice == 0) {
                delete(id);
            } else if (choice < 5) {
                boolean damaged = message.state == QueuedMessage.State.DAMAGED;
                boolean changes = message.state != QueuedMessage.State.QUEUED && !isLeased;
                assertThat(queue.store().retry(id)).isEqualTo(changes && !damaged);
                assertThat(queue.store().releaseSetAside(id)).isEqualTo(changes && damaged);
                if (!isLeased) {
                    // Of what is in no state for it too.
                    heldBack.remove(id);
                }
                if (changes) {
                    reopen(message);
                }
            } else if (choice == 5) {
                boolean dead = message.state.isDead();
                assertThat(queue.store().removeDead(id).join()).isEqualTo(dead);
                if (dead) {
                    leave(id);
                }
            } else if (!isLeased && !message.state.isDead()) {
                queue.store().deadLetter(id, "by the operator");
                heldBack.remove(id);
                message.become(
                        QueuedMessage.State.DEAD, queue.now(), message.attempts, "by the operator");
                queue.awaitCommit();
            }
        }

        private void delete(QueueId id) {
            try {
                OperatorResult result = queue.store().operate(id, OperatorAction.DELETE);
                if (kind != Kind.CUT) {
                    assertThat(result)
                            .isEqualTo(
                                    leased.contains(id)
                                            ? OperatorResult.LEASED
                                            : OperatorResult.DONE);
                }
                if (result == OperatorResult.DONE) {
                    leave(id);
                    deleted.add(id);
                }
            } catch (IllegalStateException e) {
                // It is broken, or its log is full: what became of it is not known.
                assertThat(kind).isEqualTo(Kind.CUT);
                gone.add(id);
            }
        }

        /** Who was refused is tried again if that made a dead letter. */
        private static void reopen(Message message) {
            if (message.state.isDead()) {
                message.results = message.results.stream()
                        .map(result -> result.state() == RecipientResult.State.FAILED
                                ? RecipientResult.pending(result.reply())
                                : result)
                        .toList();
                message.forgetNotifications();
            }
            message.become(
                    message.attempts == 0
                            ? QueuedMessage.State.QUEUED
                            : QueuedMessage.State.DEFERRED,
                    StoreUnderTest.RECEIVED,
                    message.attempts,
                    message.reason);
        }

        /** Closes the store, or lets it be killed or its power be cut, and opens it again. */
        private void end() throws IOException {
            countCheckpoints();
            if (kind == Kind.CUT) {
                cut();
            } else if (random.nextBoolean()) {
                queue.reopen();
            } else {
                copies++;
                queue.crash(home.resolve("copy" + copies));
            }
            leased.clear();
            heldBack.clear();
            if (kind == Kind.CUT) {
                adopt();
                makeFaulty();
            } else {
                compare(true);
                compareSchedule();
            }
        }

        private void cut() throws IOException {
            boolean unsyncedIsLost = false;
            switch (random.nextInt(4)) {
                case 0 -> {
                    try {
                        queue.store().close();
                    } catch (IOException e) {
                        // The fault that waited for it; the log holds all the same.
                        assertThat(e).hasMessageContaining("simulated");
                    }
                }
                case 1 -> {
                    kill();
                    queue.kill();
                }
                default -> {
                    volume.cutPower(random.nextLong());
                    unsyncedIsLost = !(durability instanceof Durability.Synced);
                    // It finds its files gone; closing it adds nothing to either volume.
                    queue.kill();
                }
            }
            awaitAnswers();
            kill();
            if (unsyncedIsLost) {
                model.clear();
            }
            assertThat(queue.check().problems()).isEmpty();
            volume.shortenWrites(random.nextLong());
            try {
                queue.openAgain();
            } catch (StoreException e) {
                assertThat(e).hasMessageContaining("no room to open the queue");
                volume.turnOn(queue.queue()).fill(0);
                queue.openAgain();
            }
        }

        private void kill() throws IOException {
            volume.volume().kill();
            volume.turnOn(queue.queue()).content().kill();
        }

        /** Everything promised is there, and nothing that nobody has sent; that is the model from now on. */
        private void adopt() throws IOException {
            Set<QueueId> missing = new TreeSet<>(model.keySet());
            missing.removeAll(gone);
            missing.removeIf(id -> queue.store().find(id).isPresent());
            assertThat(missing)
                    .as("promised, not settled, gone (%s)", durability)
                    .isEmpty();
            if (durability instanceof Durability.Synced) {
                assertThat(deleted).noneMatch(id -> queue.store().find(id).isPresent());
            }
            model.clear();
            gone.clear();
            for (QueueId id : queue.offered.keySet()) {
                queue.store().find(id).ifPresent(found -> {
                    Message message = new Message(found.sizeBytes(), null);
                    message.become(found.state(), found.dueAt(), found.attempts(), found.reason());
                    message.results = found.results();
                    model.put(id, message);
                });
            }
            assertThat(queue.length().messages()).isEqualTo(model.size());
            compareSchedule();
        }

        private void makeFaulty() throws IOException {
            boolean inContents = random.nextInt(4) == 0;
            SimulatedVolume faulty =
                    inContents ? volume.turnOn(queue.queue()).content() : volume.volume();
            // The contents are written more rarely.
            int nth = 1 + random.nextInt(inContents ? 20 : 200);
            switch (random.nextInt(6)) {
                case 0, 1 -> faulty.failSync(nth, random.nextLong());
                case 2 -> faulty.failWrite(nth, random.nextLong());
                case 3 -> volume.turnOn(queue.queue()).fill(1 + random.nextInt(FULL_MAX));
                default -> {
                    // Nothing fails before the end.
                }
            }
        }

        /** All that will be due some time can be leased and read. */
        private void compareSchedule() throws IOException {
            queue.step(FAR);
            List<QueueId> found = new ArrayList<>();
            for (Lease lease : queue.store().lease(Integer.MAX_VALUE)) {
                queue.requireContent(lease);
                found.add(lease.id());
            }
            queue.step(FAR.negated());
            found.forEach(queue.store()::release);
            assertThat(found)
                    .containsExactlyInAnyOrderElementsOf(model.entrySet().stream()
                            .filter(entry -> entry.getValue().isScheduled())
                            .map(Map.Entry::getKey)
                            .toList());
        }

        private void compare(boolean byReader) throws IOException {
            if (kind == Kind.CUT) {
                return;
            }
            TreeMap<QueueId, QueuedMessage> expected = new TreeMap<>();
            model.forEach((id, message) -> expected.put(id, message.found(id)));
            expected.forEach((id, message) -> assertThat(queue.store().find(id)).contains(message));
            compareTotals(expected.values());
            if (byReader) {
                try (QueueReader reader = queue.reader()) {
                    List<QueuedMessage> found = new ArrayList<>();
                    reader.forEach(found::add);
                    assertThat(found).isEqualTo(List.copyOf(expected.values()));
                    for (QueuedMessage message : found) {
                        if (kind != Kind.READ || random.nextInt(8) == 0) {
                            requireContent(reader, message);
                        }
                    }
                }
            }
        }

        private static void requireContent(QueueReader reader, QueuedMessage message)
                throws IOException {
            try (InputStream in = reader.content(message.id()).open()) {
                assertThat(in.readAllBytes())
                        .isEqualTo(StoreUnderTest.octets(
                                message.id().value(), (int) message.sizeBytes()));
            }
        }

        private void compareTotals(Collection<QueuedMessage> expected) {
            List<QueuedMessage> dead = expected.stream()
                    .filter(message -> message.state().isDead())
                    .toList();
            long damaged = expected.stream()
                    .filter(message -> message.state() == QueuedMessage.State.DAMAGED)
                    .count();
            assertThat(queue.length())
                    .isEqualTo(new StoreStatistics.Length(
                            expected.size(), bytes(expected), dead.size(), bytes(dead), damaged));
            List<QueuedMessage> found = new ArrayList<>();
            QueueId from = new QueueId(0);
            while (from != null) {
                DeadLetters page = queue.store().deadLetters(from, 1 + random.nextInt(5));
                found.addAll(page.messages());
                from = page.next();
            }
            assertThat(found).isEqualTo(dead);
        }

        private static long bytes(Collection<QueuedMessage> messages) {
            return messages.stream().mapToLong(QueuedMessage::sizeBytes).sum();
        }

        private Message message(QueueId id) {
            Message message = model.get(id);
            assertThat(message).as("%s in the model", id).isNotNull();
            return Objects.requireNonNull(message);
        }

        private QueueId any(Set<QueueId> ids) {
            List<QueueId> all = List.copyOf(ids);
            return all.get(random.nextInt(all.size()));
        }
    }
}
