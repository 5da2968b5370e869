package org.hubmark.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.InputStream;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.stream.LongStream;

/** Proves what a queue does that has only the calls it must have: it keeps no account of notifications. */
final class MailQueueTest {
    private static final QueueId ID = new QueueId(1);
    private static final QueueId ABOUT = new QueueId(2);

    private final List<String> calls = new ArrayList<>();
    private final Queue<Lease> due = new ArrayDeque<>();
    private final MailQueue queue = (MailQueue) Proxy.newProxyInstance(
            MailQueue.class.getClassLoader(),
            new Class<?>[] {MailQueue.class},
            (proxy, method, arguments) -> {
                if (method.isDefault()) {
                    return InvocationHandler.invokeDefault(proxy, method, arguments);
                }
                calls.add(method.getName() + " " + arguments[0]);
                if (!method.getName().equals("lease")) {
                    return null;
                }
                return due.isEmpty() ? List.of() : List.of(due.remove());
            });

    @Test
    void leasesUntilTheirMemoryIsUsed() {
        Envelope envelope = new Envelope(
                "from@example.org",
                List.of("to@example.org"),
                BodyType.SEVEN_BIT,
                Instant.EPOCH,
                "[192.0.2.1]");
        LongStream.range(0, 9)
                .mapToObj(id ->
                        new Lease(new QueueId(id), envelope, 1, 0, InputStream::nullInputStream))
                .forEach(due::add);
        long bytes = due.element().memoryBytes();
        assertThat(queue.lease(9, 0)).isEmpty();
        assertThat(queue.lease(9, 2 * bytes)).hasSize(2);
        assertThat(queue.lease(9, 2 * bytes + 1)).hasSize(3);
        assertThat(queue.lease(2, Long.MAX_VALUE)).hasSize(2);
        assertThat(queue.lease(9, Long.MAX_VALUE)).hasSize(2);
    }

    @Test
    void endsLeasesAsIfNobodyWaitedForANotification() {
        queue.limitWait(Duration.ofHours(1));
        queue.defer(ABOUT, Instant.EPOCH, "later", List.of(), ID);
        queue.returnToSender(ABOUT, "550 no", List.of(), ID);
        queue.notified(ID, ABOUT);
        queue.notNotified(ID, ABOUT, "550 no", List.of());
        assertThat(calls)
                .containsExactly(
                        "defer " + ABOUT,
                        "acknowledge " + ABOUT,
                        "acknowledge " + ID,
                        "deadLetter " + ID);
    }
}
