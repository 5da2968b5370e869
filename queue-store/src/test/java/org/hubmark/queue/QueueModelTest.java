package org.hubmark.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.core.Content;
import org.hubmark.core.Durability;
import org.hubmark.core.Lease;
import org.hubmark.core.QueueId;
import org.hubmark.core.QueuedMessage;
import org.hubmark.core.RecipientResult;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * Proves that the store does what a TreeMap does: random changes (enqueue of 0 to 3 MB, whole and in
 * extents, lease, acknowledge, defer, release, dead-letter, set aside, retry, clock steps, restarts clean and
 * crashed) are made to both, and both are compared. A failure names the seed that repeats it.
 */
class QueueModelTest {
    private static final int STEPS = 150;
    private static final List<Durability> CLASSES = List.of(
            new Durability.Synced(),
            new Durability.Periodic(Duration.ofMillis(5)),
            new Durability.None());

    @TempDir
    Path folder;

    @Test
    void doesWhatTheModelDoes() {
        long first = Long.getLong("hubmark.seed", System.nanoTime());
        // At once: they wait for syncs half of the time.
        IntStream.range(0, CLASSES.size() * 2)
                .parallel()
                .forEach(run -> run(first + run, CLASSES.get(run % CLASSES.size())));
    }

    @Test
    @Tag("long")
    void doesWhatTheModelDoesForManySeeds() {
        for (long seed = 0; seed < 300; seed++) {
            run(seed, CLASSES.get((int) (seed % CLASSES.size())));
        }
    }

    private void run(long seed, Durability durability) {
        Path home = folder.resolve("run" + seed);
        try {
            run(home, seed, durability);
            StoreUnderTest.delete(home);
        } catch (AssertionError | IOException | RuntimeException e) {
            throw new AssertionError("seed " + seed + ", " + durability, e);
        }
    }

    private static void run(Path home, long seed, Durability durability) throws IOException {
        try (StoreUnderTest queue = StoreUnderTest.open(home, durability)) {
            Walk walk = new Walk(queue, home, seed);
            for (int step = 0; step < STEPS; step++) {
                walk.step(step);
            }
            walk.compareContents();
        }
    }

    /** What the model knows of one message. */
    private record Message(
            long seed,
            int lengthBytes,
            QueuedMessage.State state,
            Instant dueAt,
            int attempts,
            String reason,
            List<RecipientResult> results) {
        Message changed(QueuedMessage.State now, Instant at, int attempt, String why) {
            return new Message(seed, lengthBytes, now, at, attempt, why, results);
        }

        Message with(List<RecipientResult> now) {
            return new Message(seed, lengthBytes, state, dueAt, attempts, reason, now);
        }
    }

    /** One sequence of random changes to a store and to its model. */
    private static final class Walk {
        private final StoreUnderTest queue;
        private final Path home;
        private final RandomGenerator random;
        private final Map<QueueId, Message> model = new TreeMap<>();
        private final TreeSet<QueueId> leased = new TreeSet<>();
        private final Map<QueueId, Instant> heldBack = new TreeMap<>();
        private int crashes;

        private Walk(StoreUnderTest queue, Path home, long seed) {
            this.queue = queue;
            this.home = home;
            this.random = new Random(seed);
        }

        private void step(int number) throws IOException {
            int choice = random.nextInt(100);
            if (choice < 30) {
                enqueue(number);
            } else if (choice < 50) {
                lease();
            } else if (choice < 80) {
                settle();
            } else if (choice < 84) {
                operate();
            } else if (choice < 90) {
                queue.step(Duration.ofMillis(random.nextLong(-2_000, 10_000)));
            } else if (choice < 92) {
                abandon();
            } else if (choice < 94) {
                queue.reopen();
                leased.clear();
                heldBack.clear();
            } else if (choice < 96) {
                crash();
            } else {
                compare();
            }
        }

        private void enqueue(int number) {
            int lengthBytes = switch (random.nextInt(6)) {
                case 0 -> 0;
                case 1 -> random.nextInt(3_000_000);
                case 2 -> Content.EXTENT_BYTES_MAX;
                case 3 -> random.nextInt(200_000);
                default -> random.nextInt(4_000);
            };
            long seed = number * 1_000_003L + lengthBytes;
            byte[] octets = StoreUnderTest.octets(seed, lengthBytes);
            QueueId id = random.nextBoolean()
                    ? queue.enqueue(octets)
                    : queue.enqueueInExtents(octets, Content.EXTENT_BYTES_MAX);
            Message message = new Message(
                    seed,
                    lengthBytes,
                    QueuedMessage.State.QUEUED,
                    StoreUnderTest.RECEIVED,
                    0,
                    "",
                    List.of());
            assertThat(model.put(id, message)).as("an id used twice").isNull();
        }

        private void lease() throws IOException {
            int messagesMax = 1 + random.nextInt(5);
            List<QueueId> due = model.entrySet().stream()
                    .filter(entry -> !leased.contains(entry.getKey())
                            && !entry.getValue().state().isDead()
                            && entry.getValue().state() != QueuedMessage.State.DAMAGED
                            && !dueFrom(entry).isAfter(nowMillis()))
                    .sorted(Comparator.comparing(this::dueFrom).thenComparing(Map.Entry::getKey))
                    .map(Map.Entry::getKey)
                    .toList();
            List<QueueId> found = new ArrayList<>();
            for (Lease lease : queue.store().lease(messagesMax)) {
                found.add(lease.id());
                Message message = message(lease.id());
                assertThat(lease.askedFor())
                        .isEqualTo(message.state() == QueuedMessage.State.DEFERRED
                                && message.dueAt().equals(StoreUnderTest.RECEIVED));
                assertThat(lease.attempts()).isEqualTo(message.attempts());
                assertThat(lease.results()).isEqualTo(message.results());
                assertThat(StoreUnderTest.read(lease))
                        .isEqualTo(StoreUnderTest.octets(message.seed(), message.lengthBytes()));
            }
            // Two kinds take turns, and each keeps its order.
            assertThat(found).hasSize(Math.min(messagesMax, due.size()));
            assertThat(fresh(found, true)).isEqualTo(firstOf(fresh(due, true), found));
            assertThat(fresh(found, false)).isEqualTo(firstOf(fresh(due, false), found));
            leased.addAll(found);
            heldBack.keySet().removeAll(found);
        }

        private Instant dueFrom(Map.Entry<QueueId, Message> entry) {
            Instant dueAt = heldBack.get(entry.getKey());
            return dueAt != null
                    ? dueAt
                    : StoreUnderTest.dueFrom(entry.getValue().dueAt());
        }

        private List<QueueId> fresh(List<QueueId> ids, boolean isFresh) {
            return ids.stream()
                    .filter(id -> isFresh
                            == (!heldBack.containsKey(id)
                                    && message(id).dueAt().equals(StoreUnderTest.RECEIVED)))
                    .toList();
        }

        private static List<QueueId> firstOf(List<QueueId> due, List<QueueId> found) {
            return due.stream()
                    .limit(due.stream().filter(found::contains).count())
                    .toList();
        }

        private void settle() {
            if (leased.isEmpty()) {
                return;
            }
            QueueId id = any(leased);
            Message message = message(id);
            int attempts = message.attempts() + 1;
            switch (random.nextInt(7)) {
                case 0, 1 -> {
                    queue.store().acknowledge(id);
                    model.remove(id);
                }
                case 2 -> {
                    Instant dueAt = nowMillis().plusMillis(random.nextLong(-1_000, 20_000));
                    List<RecipientResult> results = results();
                    queue.store().defer(id, dueAt, "deferred " + attempts, results);
                    model.put(
                            id,
                            message.changed(
                                            QueuedMessage.State.DEFERRED,
                                            dueAt,
                                            attempts,
                                            "deferred " + attempts)
                                    .with(results.isEmpty() ? message.results() : results));
                }
                case 3 -> {
                    queue.store().deadLetter(id, "died");
                    model.put(
                            id,
                            message.changed(
                                    QueuedMessage.State.DEAD, nowMillis(), attempts, "died"));
                }
                case 4 -> {
                    queue.store().setAside(id, "can't be read");
                    model.put(
                            id,
                            message.changed(
                                    QueuedMessage.State.DAMAGED,
                                    nowMillis(),
                                    attempts,
                                    "can't be read"));
                }
                case 5 -> {
                    Instant dueAt = nowMillis().plusMillis(random.nextLong(-1_000, 20_000));
                    queue.store().postpone(id, dueAt, "nobody was asked");
                    heldBack.put(id, dueAt);
                }
                default -> queue.store().release(id);
            }
            leased.remove(id);
            // Settling is answered by nobody: asking for a message waits until it has happened.
            assertThat(queue.store().find(id).isPresent()).isEqualTo(model.containsKey(id));
        }

        /** No result is as before. */
        private List<RecipientResult> results() {
            if (random.nextBoolean()) {
                return List.of();
            }
            RecipientResult.State[] states = RecipientResult.State.values();
            RecipientResult.State state = states[random.nextInt(states.length)];
            return List.of(new RecipientResult(state, "said " + random.nextInt(10)));
        }

        /** Who was refused is tried again if that made a dead letter. */
        private static List<RecipientResult> reopened(Message message) {
            if (message.state() != QueuedMessage.State.DEAD || message.results().isEmpty()) {
                return message.results();
            }
            RecipientResult result = message.results().getFirst();
            return result.state() == RecipientResult.State.FAILED
                    ? List.of(RecipientResult.pending(result.reply()))
                    : message.results();
        }

        private void operate() {
            if (model.isEmpty()) {
                return;
            }
            QueueId id = any(new TreeSet<>(model.keySet()));
            Message message = message(id);
            if (random.nextInt(5) == 0) {
                OperatorResult deleted = queue.store().operate(id, OperatorAction.DELETE);
                assertThat(deleted)
                        .isEqualTo(
                                leased.contains(id) ? OperatorResult.LEASED : OperatorResult.DONE);
                if (deleted == OperatorResult.DONE) {
                    model.remove(id);
                    heldBack.remove(id);
                }
            } else if (random.nextBoolean()) {
                boolean changeable =
                        message.state() != QueuedMessage.State.QUEUED && !leased.contains(id);
                boolean damaged = message.state() == QueuedMessage.State.DAMAGED;
                assertThat(queue.store().retry(id)).isEqualTo(changeable && !damaged);
                boolean released = queue.store().releaseSetAside(id);
                assertThat(released).isEqualTo(changeable && damaged);
                if (!leased.contains(id)) {
                    // Of what is in no state for it too.
                    heldBack.remove(id);
                }
                if (changeable) {
                    QueuedMessage.State state = message.attempts() == 0
                            ? QueuedMessage.State.QUEUED
                            : QueuedMessage.State.DEFERRED;
                    model.put(
                            id,
                            message.changed(
                                            state,
                                            StoreUnderTest.RECEIVED,
                                            message.attempts(),
                                            message.reason())
                                    .with(reopened(message)));
                }
            } else if (random.nextInt(4) == 0) {
                boolean dead = message.state().isDead();
                assertThat(queue.store().removeDead(id).join()).isEqualTo(dead);
                if (dead) {
                    model.remove(id);
                }
            } else if (!leased.contains(id) && !message.state().isDead()) {
                queue.store().deadLetter(id, "by the operator");
                heldBack.remove(id);
                model.put(
                        id,
                        message.changed(
                                QueuedMessage.State.DEAD,
                                nowMillis(),
                                message.attempts(),
                                "by the operator"));
                assertThat(queue.store().find(id)).isPresent();
            }
        }

        private List<QueueId> deadLetters() {
            List<QueueId> ids = new ArrayList<>();
            QueueId from = new QueueId(0);
            while (from != null) {
                DeadLetters page = queue.store().deadLetters(from, 1 + random.nextInt(5));
                page.messages().forEach(message -> ids.add(message.id()));
                from = page.next();
            }
            return ids;
        }

        private void abandon() {
            Content content = queue.content(new byte[Content.EXTENT_BYTES_MAX]);
            assertThat(queue.storeExtent(content)).isEmpty();
            if (random.nextBoolean()) {
                queue.store().abandon(content);
            } else {
                // Its peer is still sending when the store goes.
                content.close();
            }
        }

        private void crash() throws IOException {
            crashes++;
            queue.crash(home.resolveSibling(home.getFileName() + "." + crashes));
            leased.clear();
            heldBack.clear();
            compare();
        }

        private void compare() {
            for (Map.Entry<QueueId, Message> entry : model.entrySet()) {
                QueuedMessage found = queue.message(entry.getKey());
                Message expected = entry.getValue();
                assertThat(found.sizeBytes()).isEqualTo(expected.lengthBytes());
                assertThat(found.state()).isEqualTo(expected.state());
                assertThat(found.dueAt()).isEqualTo(expected.dueAt());
                assertThat(found.attempts()).isEqualTo(expected.attempts());
                assertThat(found.reason()).isEqualTo(expected.reason());
                assertThat(found.results()).isEqualTo(expected.results());
            }
            StoreStatistics length = queue.store().statistics();
            assertThat(length.length().messages()).isEqualTo(model.size());
            assertThat(length.length().bytes())
                    .isEqualTo(model.values().stream()
                            .mapToLong(Message::lengthBytes)
                            .sum());
            List<QueueId> dead = model.entrySet().stream()
                    .filter(entry -> entry.getValue().state().isDead())
                    .map(Map.Entry::getKey)
                    .toList();
            assertThat(length.length().deadMessages()).isEqualTo(dead.size());
            assertThat(length.length().deadBytes())
                    .isEqualTo(dead.stream()
                            .mapToLong(id -> message(id).lengthBytes())
                            .sum());
            assertThat(deadLetters()).isEqualTo(dead);
            assertThat(length.length().damagedMessages())
                    .isEqualTo(count(QueuedMessage.State.DAMAGED));
        }

        private long count(QueuedMessage.State state) {
            return model.values().stream()
                    .filter(message -> message.state() == state)
                    .count();
        }

        private void compareContents() throws IOException {
            compare();
            List<QueueId> found = new ArrayList<>();
            try (QueueReader reader = QueueReader.open(queue.log(), queue.queue())) {
                reader.forEach(message -> found.add(message.id()));
                for (QueueId id : found) {
                    Message message = message(id);
                    try (var in = reader.content(id).open()) {
                        assertThat(in.readAllBytes())
                                .isEqualTo(StoreUnderTest.octets(
                                        message.seed(), message.lengthBytes()));
                    }
                }
            }
            assertThat(found).isEqualTo(List.copyOf(model.keySet()));
        }

        private Message message(QueueId id) {
            Message message = model.get(id);
            assertThat(message).as("%s in the model", id).isNotNull();
            return Objects.requireNonNull(message);
        }

        private QueueId any(Set<QueueId> ids) {
            int skip = random.nextInt(ids.size());
            return ids.stream().skip(skip).findFirst().orElseThrow();
        }

        private Instant nowMillis() {
            return Instant.ofEpochMilli(queue.now().toEpochMilli());
        }
    }
}
