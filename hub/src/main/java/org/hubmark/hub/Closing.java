package org.hubmark.hub;

import org.hubmark.core.Uninterrupted;
import org.hubmark.hub.delivery.Dispatcher;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * The end of a hub, step by step. A step has what is left of the grace time and a little more; then the
 * others go on without it, since what it waits for, a volume above all, may never answer. One thread.
 */
final class Closing {
    private static final Logger LOG = LoggerFactory.getLogger(Closing.class);

    /** What a step may take of itself where nothing hangs: threads end, buffers are written. */
    private static final Duration STEP_TIME = Duration.ofSeconds(3);

    /** The least that deliveries have to end by themselves. */
    private static final Duration DELIVERY_TIME_MIN = Duration.ofSeconds(1);

    private final long deadlineNanos;

    Closing(Duration grace) {
        this.deadlineNanos = System.nanoTime() + grace.toNanos();
    }

    /** Ends a part that may not be there, on a thread of its own; what it throws is thrown here. */
    <T> void step(String what, @Nullable T part, Consumer<T> step) {
        if (part == null) {
            return;
        }
        FutureTask<?> task = new FutureTask<>(() -> step.accept(part), null);
        Thread thread = Thread.ofPlatform().daemon().name("drain-step").start(task);
        long leftNanos = Math.max(0, deadlineNanos - System.nanoTime()) + STEP_TIME.toNanos();
        if (!Uninterrupted.join(thread, System.nanoTime() + leftNanos)) {
            LOG.atWarn()
                    .addKeyValue("event", "part_left")
                    .addKeyValue("part", what)
                    .log("{} did not stop in time; the hub stops without it", what);
        } else if (task.state() == Future.State.FAILED) {
            throw new IllegalStateException(what + " can't be closed", task.exceptionNow());
        }
    }

    /** {@return whether no delivery is under way any more} */
    boolean stop(@Nullable Dispatcher dispatcher) {
        Duration left = Duration.ofNanos(deadlineNanos - System.nanoTime());
        Duration time = left.compareTo(DELIVERY_TIME_MIN) < 0 ? DELIVERY_TIME_MIN : left;
        AtomicBoolean idle = new AtomicBoolean(dispatcher == null);
        new Closing(time.plus(Dispatcher.ABORT_TIME))
                .step("the delivery", dispatcher, stopped -> idle.set(stopped.stop(time)));
        return idle.get();
    }
}
