package org.hubmark.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.core.Lease;
import org.hubmark.core.QueueId;
import org.hubmark.core.QueuedMessage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * Proves that a message stays until each notification of its failures was delivered, in whatever order
 * that and its own attempts, an operator, kills and starts come: random changes against a model.
 */
class ReturnedMessageTest {
    private static final int STEPS = 700;
    private static final int MESSAGES_MAX = 8;
    private static final Duration LATER = Duration.ofSeconds(10);

    @TempDir
    Path folder;

    private final long seed = new Random().nextLong();
    private final Random random = new Random(seed);
    private final Map<QueueId, Message> model = new TreeMap<>();
    private final Set<QueueId> leased = new HashSet<>();

    /** A notification if it is about a message. */
    private static final class Message {
        private final @Nullable QueueId about;
        private QueuedMessage.State state = QueuedMessage.State.QUEUED;
        private Set<QueueId> notifications = new HashSet<>();
        private boolean untold;

        Message(@Nullable QueueId about) {
            this.about = about;
        }
    }

    @Test
    void aMessageStaysUntilItsSenderWasTold() throws Exception {
        // Some hundred messages are more than its depth.
        LogSettings small = new LogSettings(128 << 10, 4, 0);
        try (StoreUnderTest queue = StoreUnderTest.open(folder.resolve("start"), small)) {
            for (int step = 0; step < STEPS; step++) {
                int choice = random.nextInt(100);
                if (choice < 25) {
                    // Few, so that notifications of one meet.
                    if (model.size() - deadCount() < MESSAGES_MAX) {
                        enqueue(queue, null);
                    }
                } else if (choice < 50) {
                    lease(queue);
                } else if (choice < 90) {
                    settle(queue);
                } else if (choice < 96) {
                    operate(queue);
                } else if (choice < 97) {
                    queue.reopen();
                    leased.clear();
                } else if (choice < 98) {
                    check(queue);
                    queue.crash(folder.resolve(String.valueOf(step)));
                    leased.clear();
                } else {
                    check(queue);
                }
            }
            check(queue);
        }
    }

    private QueueId enqueue(StoreUnderTest queue, @Nullable QueueId about) {
        QueueId id = queue.enqueue(new byte[random.nextInt(12_000)]);
        model.put(id, new Message(about));
        return id;
    }

    private long deadCount() {
        return model.values().stream()
                .filter(message -> message.state == QueuedMessage.State.DEAD)
                .count();
    }

    private Message message(QueueId id) {
        return Objects.requireNonNull(model.get(id));
    }

    private void lease(StoreUnderTest queue) {
        if (random.nextInt(4) == 0) {
            queue.step(LATER);
        }
        // What was settled is due only when that is written.
        check(queue);
        for (Lease lease : queue.store().lease(1 + random.nextInt(8))) {
            leased.add(lease.id());
        }
    }

    /** Ends some leases, with nothing between them that would wait until one has ended. */
    private void settle(StoreUnderTest queue) {
        List<QueueId> ids = new ArrayList<>(leased);
        Collections.shuffle(ids, random);
        for (QueueId id : ids) {
            Message message = model.get(id);
            if (message == null || !leased.contains(id)) {
                continue;
            }
            if (message.about != null) {
                settleNotification(queue, id, message.about);
                continue;
            }
            QueueId notification = random.nextInt(4) == 0 ? null : enqueue(queue, id);
            if (notification != null && random.nextInt(3) == 0) {
                for (Lease lease : queue.store().lease(100)) {
                    leased.add(lease.id());
                }
                if (leased.contains(notification)) {
                    settleNotification(queue, notification, id);
                }
            }
            if (random.nextInt(8) == 0) {
                // A kill may come before its lease ends; then there is another notification later.
                continue;
            }
            leased.remove(id);
            if (random.nextInt(3) > 0) {
                add(message, notification);
                message.state = QueuedMessage.State.DEFERRED;
                if (notification == null) {
                    queue.store().defer(id, queue.now().plus(LATER), "451 later", List.of());
                } else {
                    queue.store()
                            .defer(
                                    id,
                                    queue.now().plus(LATER),
                                    "451 later",
                                    List.of(),
                                    notification);
                }
            } else {
                add(message, notification);
                queue.store().returnToSender(id, "550 no", List.of(), notification);
                end(id, message);
            }
        }
    }

    private void add(Message message, @Nullable QueueId notification) {
        Message known = notification == null ? null : model.get(notification);
        if (known != null && known.state == QueuedMessage.State.DEAD) {
            message.untold = true;
        } else if (known != null) {
            message.notifications.add(notification);
        }
    }

    /** What is not to be tried waits for its notifications, stays for good, or leaves. */
    private void end(QueueId id, Message message) {
        if (message.untold) {
            message.state = QueuedMessage.State.DEAD;
            message.notifications = new HashSet<>();
            message.untold = false;
        } else if (message.notifications.isEmpty()) {
            model.remove(id);
        } else {
            message.state = QueuedMessage.State.RETURNED;
        }
    }

    private void settleNotification(StoreUnderTest queue, QueueId id, QueueId about) {
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
                end(about, message);
            }
        }
        if (waits || delivered) {
            model.remove(id);
        } else {
            message(id).state = QueuedMessage.State.DEAD;
        }
    }

    private void operate(StoreUnderTest queue) {
        List<QueueId> ids = List.copyOf(model.keySet());
        if (ids.isEmpty()) {
            return;
        }
        QueueId id = ids.get(random.nextInt(ids.size()));
        Message message = message(id);
        boolean fit = !leased.contains(id) && message.state != QueuedMessage.State.QUEUED;
        assertThat(queue.store().retry(id)).as("seed %d, %s", seed, id).isEqualTo(fit);
        if (fit) {
            if (message.state.isDead()) {
                message.notifications = new HashSet<>();
                message.untold = false;
            }
            message.state = QueuedMessage.State.DEFERRED;
        }
    }

    private void check(StoreUnderTest queue) {
        // An answer comes after all that was handed over before; there may be no message to ask
        // about.
        assertThat(queue.store().find(new QueueId(1))).isEmpty();
        model.forEach((id, message) -> assertThat(queue.store().find(id).map(QueuedMessage::state))
                .as("seed %d, %s", seed, id)
                .contains(message.state));
        assertThat(queue.store().statistics().length().messages())
                .as("seed %d", seed)
                .isEqualTo(model.size());
    }
}
