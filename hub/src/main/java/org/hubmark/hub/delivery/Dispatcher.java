package org.hubmark.hub.delivery;

import org.hubmark.core.Deliveries;
import org.hubmark.core.DeliveryAgent;
import org.hubmark.core.Lease;
import org.hubmark.core.MailQueue;
import org.hubmark.core.Outcome;
import org.hubmark.hub.tracking.TrackingLog;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Leases what is due, has it delivered and settles it. A thread of its own, {@code dispatcher},
 * leases; where the agent may block, threads {@code delivery-N} deliver and settle, as many as there is
 * work for, else the dispatcher does it all: 6 to 8 us of CPU a message with the discard agent, where the changes of
 * thread make it 8 to 8.5 (20,000 messages of a backlog, 2 shared cores, the last two of three runs).
 *
 * <p>A message for which an agent throws is set aside with the reason, and the rest goes on. Only what
 * says that the process itself is broken, a {@link VirtualMachineError} or a {@link LinkageError},
 * ends the delivery for good: it would come for the next message too.
 */
public final class Dispatcher {
    private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);
    private static final int LEASES_AT_ONCE = 256;

    /** How often the window is looked at while there is something in it. */
    private static final Duration POLL = Duration.ofMillis(50);

    private static final Duration IDLE = Duration.ofSeconds(1);

    /** Deliveries that move are on threads of the machine: those are faster, but each takes more memory. */
    private static final int MACHINE_THREADS = 16;

    private static final Duration THREAD_IDLE = Duration.ofSeconds(10);

    /** What a cut connection takes to be noticed, and what was answered before it to be settled. */
    public static final Duration ABORT_TIME = Duration.ofSeconds(2);

    private final MailQueue queue;
    private final DeliveryAgent agent;
    private final Settlement settlement;
    private final ActiveWindow window;
    private final ThreadPoolExecutor workers;
    private final ThreadFactory moreWorkers =
            Thread.ofVirtual().name("delivery-more-", 1).factory();
    private final CompletableFuture<Throwable> failure;
    private @Nullable Thread thread;
    private volatile boolean stopping;
    private final Object waiting = new Object();
    private boolean isWaiting;

    /**
     * Makes a dispatcher.
     *
     * @param failure completed with the cause when delivery breaks down
     */
    public Dispatcher(
            MailQueue queue,
            DeliveryAgent agent,
            DeliverySettings settings,
            TrackingLog tracking,
            ResidenceHistogram residence,
            InstantSource clock,
            CompletableFuture<Throwable> failure) {
        this.queue = queue;
        this.agent = agent;
        queue.limitWait(settings.retry().waitMax());
        this.settlement = new Settlement(queue, settings, tracking, residence, clock);
        this.failure = failure;
        this.window = new ActiveWindow(settings, this::startWorker);
        this.workers = new ThreadPoolExecutor(
                0,
                MACHINE_THREADS,
                THREAD_IDLE.toNanos(),
                TimeUnit.NANOSECONDS,
                new SynchronousQueue<>(),
                Thread.ofPlatform().name("delivery-", 1).daemon(true).factory(),
                (work, full) -> moreWorkers.newThread(work).start());
    }

    /** Starts to deliver; {@code inline} says that the agent never blocks. */
    public void start(boolean inline) {
        Thread started =
                new Thread(() -> run(inline ? this::dispatchInline : this::dispatch), "dispatcher");
        started.setDaemon(true);
        thread = started;
        started.start();
    }

    /** {@return what counts how deliveries end} */
    public Settlement settlement() {
        return settlement;
    }

    /** An operator wants messages tried now, which are about to become due. Any thread. */
    public void retryNow() {
        agent.retryNow();
    }

    /**
     * Leases nothing more, lets what is under way end and gives the rest back. When the time is over
     * deliveries are cut: what a next hop has answered by then counts, all else stays as it was.
     *
     * @return false if something was still under way after that
     */
    public boolean stop(Duration grace) {
        return stop(grace, ABORT_TIME);
    }

    /** The same, with the time that a cut delivery has to end. */
    boolean stop(Duration grace, Duration abortTime) {
        long deadlineNanos = System.nanoTime() + grace.toNanos();
        stopping = true;
        endWait();
        window.close().forEach(lease -> queue.release(lease.id()));
        boolean ended = join(deadlineNanos);
        if (!ended) {
            settlement.abort();
            agent.abort();
            ended = join(System.nanoTime() + abortTime.toNanos());
        }
        if (ended) {
            // The dispatcher may have added a last lot after the window was closed.
            window.close().forEach(lease -> queue.release(lease.id()));
            agent.close();
            workers.shutdown();
        }
        return ended;
    }

    private boolean join(long deadlineNanos) {
        Thread started = thread;
        try {
            if (started != null) {
                long leftMillis = (deadlineNanos - System.nanoTime()) / 1_000_000;
                started.join(Math.max(1, leftMillis));
            }
            return window.awaitEnd(deadlineNanos) && (started == null || !started.isAlive());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Waits until something is due. */
    private void awaitDue(Duration timeout) throws InterruptedException {
        synchronized (waiting) {
            isWaiting = !stopping;
        }
        try {
            if (isWaiting) {
                queue.awaitDue(timeout);
            }
        } finally {
            synchronized (waiting) {
                isWaiting = false;
            }
        }
    }

    /** Interrupts the dispatcher where it waits, and nowhere else: a read would close its file. */
    private void endWait() {
        synchronized (waiting) {
            if (isWaiting && thread != null) {
                thread.interrupt();
            }
        }
    }

    private void dispatchInline() throws InterruptedException {
        while (!stopping) {
            List<Lease> leases = lease(window.all());
            for (Lease lease : leases) {
                deliver(lease);
            }
            if (leases.isEmpty()) {
                awaitDue(IDLE);
            }
        }
    }

    private void dispatch() throws InterruptedException {
        while (!stopping) {
            ActiveWindow.Room room = window.awaitRoom(POLL);
            window.look();
            if (room.isNone()) {
                window.takeSlow().forEach(this::putOff);
                continue;
            }
            List<Lease> leases = lease(room);
            if (leases.isEmpty()) {
                awaitDue(room.equals(window.all()) ? IDLE : POLL);
            } else {
                window.add(leases);
            }
        }
    }

    private List<Lease> lease(ActiveWindow.Room room) {
        return queue.lease(Math.min(room.leases(), LEASES_AT_ONCE), room.bytes());
    }

    /** Starts a worker. Under the window's lock. */
    private void startWorker(ActiveWindow.Worker started) {
        workers.execute(() -> run(() -> work(new DeliveryThread(started))));
    }

    private void work(DeliveryThread worker) {
        try {
            Lease lease = window.take(worker.taken);
            while (lease != null) {
                worker.deliver(lease);
                lease = window.take(worker.taken);
            }
        } finally {
            window.leave(worker.taken);
        }
    }

    private void deliver(Lease lease) {
        try {
            settlement.settle(lease, agent.deliver(lease));
        } catch (RuntimeException | Error e) {
            breakDown(lease, e);
        }
    }

    /** Ends a lease as the outcome says; what can't be settled breaks down alone. */
    private void settle(Lease lease, Outcome outcome) {
        try {
            settlement.settle(lease, outcome);
        } catch (RuntimeException | Error e) {
            breakDown(lease, e);
        }
    }

    /** One delivery thread, and the messages that it has under way. */
    private final class DeliveryThread implements Deliveries {
        private final ActiveWindow.Worker taken;

        private DeliveryThread(ActiveWindow.Worker taken) {
            this.taken = taken;
        }

        @Override
        public @Nullable Lease next() {
            return window.takeMore(taken);
        }

        @Override
        public void settle(Lease lease, Outcome outcome) {
            Dispatcher.this.settle(lease, outcome);
            window.done(taken, lease);
        }

        @Override
        public void breakDown(Lease lease, Throwable cause) {
            Dispatcher.this.breakDown(lease, cause);
            window.done(taken, lease);
        }

        private void deliver(Lease first) {
            try {
                agent.deliver(first, this);
            } catch (RuntimeException | Error e) {
                if (window.underWay(taken).contains(first)) {
                    breakDown(first, e);
                } else {
                    requireSound("a delivery", e);
                    LOG.error("a delivery failed after its first message", e);
                }
            }
            for (Lease left : window.underWay(taken)) {
                queue.release(left.id());
                window.done(taken, left);
            }
        }
    }

    /** Ends a lease for which an agent threw something. */
    private void breakDown(Lease lease, Throwable cause) {
        if (cause instanceof OutOfMemoryError && lacksDirectMemory(cause)) {
            settlement.settle(
                    lease,
                    new Outcome.NotTried(cause.getMessage()
                            + ": -XX:MaxDirectMemorySize says how much there is"));
            return;
        }
        requireSound("delivery of " + lease.id(), cause);
        if (cause instanceof CancellationException) {
            // Leased for the rest of this life: the agent ends, and would give it up once more.
            LOG.debug("the delivery of {} was given up", lease.id(), cause);
        } else if (stopping) {
            // An agent that is told to end may throw, which says nothing of the message.
            LOG.debug("the delivery of {} was interrupted", lease.id(), cause);
            queue.release(lease.id());
        } else {
            settlement.setAside(lease, cause);
        }
    }

    /** Sockets and files need some for a moment: it says nothing of the process, nor of the message. */
    private static boolean lacksDirectMemory(Throwable cause) {
        return String.valueOf(cause.getMessage()).contains("direct buffer memory");
    }

    /** Fails if a cause says that the process itself is broken. */
    private static void requireSound(String what, Throwable cause) {
        if (cause instanceof VirtualMachineError || cause instanceof LinkageError) {
            throw new IllegalStateException(what + " failed: " + cause, cause);
        }
    }

    private void putOff(Lease lease) {
        settle(lease, new Outcome.NotTried("too many messages wait for this destination"));
    }

    /** Loop of a thread until it is stopped. */
    private interface Loop {
        void run() throws InterruptedException;
    }

    private void run(Loop loop) {
        try {
            loop.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            breakDown(e);
        }
    }

    private void breakDown(Throwable cause) {
        stopping = true;
        window.close();
        if (failure.complete(cause)) {
            LOG.debug("delivery stopped", cause);
        }
    }
}
