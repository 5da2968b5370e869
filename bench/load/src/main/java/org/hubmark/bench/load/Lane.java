package org.hubmark.bench.load;

import io.netty.channel.EventLoop;

import org.HdrHistogram.SingleWriterRecorder;
import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * The connections of one event loop, their share of the schedule and what they counted. Its methods
 * run on that event loop; the counters and recorders may be read by any thread.
 */
final class Lane {
    static final long LATENCY_NANOS_MIN = 1_000;
    static final long LATENCY_NANOS_MAX = TimeUnit.HOURS.toNanos(1);
    static final int LATENCY_DIGITS = 3;

    final LongAdder sent = new LongAdder();
    final LongAdder accepted = new LongAdder();
    final LongAdder acceptedBytes = new LongAdder();
    final LongAdder refused = new LongAdder();
    final LongAdder failed = new LongAdder();
    final LongAdder connectionFailures = new LongAdder();
    /** From the intended start. */
    final SingleWriterRecorder latencies = recorder();
    /** From the moment the message was really sent. */
    final SingleWriterRecorder uncorrected = recorder();
    /** How late the driver itself was: a message was due, a connection was idle, and yet it waited. */
    final SingleWriterRecorder lateness = recorder();

    /** What the server said when it first refused something; null while it has not. */
    volatile @Nullable String firstRefusal;

    final LoadPlan plan;
    final MessageSet messages;
    final EventLoop loop;
    private final AtomicLong sequence;
    private final Runnable finished;
    /** Null in a closed loop. */
    private final @Nullable Timetable timetable;

    private final ArrayDeque<LoadConnection> idle = new ArrayDeque<>();
    private volatile long nextDueNanos;
    private volatile long intervalNanos;
    private volatile long threadId = -1;
    private int open;
    private boolean begun;
    private boolean stopping;
    private boolean timerSet;

    /**
     * Makes a lane.
     *
     * @param sequence numbers the messages of all lanes
     * @param lane its number among those that share the rate, from 0
     * @param lanes how many they are
     * @param finished called once, when all connections have ended for good
     */
    Lane(
            LoadPlan plan,
            MessageSet messages,
            EventLoop loop,
            AtomicLong sequence,
            int lane,
            int lanes,
            Runnable finished) {
        this.plan = plan;
        this.messages = messages;
        this.loop = loop;
        this.sequence = sequence;
        this.finished = finished;
        this.timetable = switch (plan.pace()) {
            case Pace.ClosedLoop closed -> null;
            case Pace.OpenLoop open -> new Timetable(open, lane, lanes);
            case Pace.MaxSustained search ->
                throw new IllegalArgumentException("the rate has to be searched first");
        };
    }

    void opened() {
        open++;
        threadId = Thread.currentThread().threadId();
    }

    /** Starts sending; all lanes at the same time. */
    void begin(long startNanos) {
        begun = true;
        if (timetable != null) {
            nextDueNanos = timetable.begin(startNanos);
            intervalNanos = timetable.intervalNanos();
        }
        pump(false);
    }

    /** The stages of an open loop begin. */
    void beginStages(long nowNanos) {
        if (timetable != null) {
            timetable.beginStages(nowNanos);
        }
    }

    /** Sends nothing more; what is under way may end. */
    void stop() {
        stopping = true;
        while (!idle.isEmpty()) {
            idle.poll().quit();
        }
    }

    boolean stopping() {
        return stopping;
    }

    /** A connection has nothing to do. */
    void ready(LoadConnection connection) {
        if (stopping) {
            connection.quit();
            return;
        }
        idle.add(connection);
        if (begun) {
            pump(false);
        }
    }

    /** A connection that was ready has broken. */
    void notReady(LoadConnection connection) {
        idle.remove(connection);
    }

    /** A connection has ended and does not come back. */
    void closed() {
        if (--open == 0) {
            finished.run();
        }
    }

    /** {@return messages that are due and not sent} Any thread. */
    long overdue(long nowNanos) {
        long late = nowNanos - nextDueNanos;
        return intervalNanos == 0 || nextDueNanos == 0 || late < 0 ? 0 : late / intervalNanos + 1;
    }

    /** {@return the event loop's thread, or -1 before the first connection} Any thread. */
    long threadId() {
        return threadId;
    }

    /**
     * Sends what is due and can be.
     *
     * @param waited whether a connection was idle until then: what is late now is so because of us
     */
    private void pump(boolean waited) {
        while (!idle.isEmpty()) {
            long nowNanos = System.nanoTime();
            long dueNanos;
            if (timetable == null) {
                dueNanos = idle.element().freeSince(nowNanos);
            } else {
                dueNanos = nextDueNanos;
                if (dueNanos - nowNanos > 0) {
                    setTimer(dueNanos - nowNanos);
                    return;
                }
                if (waited) {
                    record(lateness, nowNanos - dueNanos);
                }
                nextDue(timetable);
            }
            long number = sequence.getAndIncrement();
            if (plan.messagesMax() > 0 && number >= plan.messagesMax()) {
                stop();
                return;
            }
            idle.remove().send(number, messages.get(number), dueNanos, nowNanos);
        }
    }

    private void nextDue(Timetable times) {
        nextDueNanos = times.next();
        long interval = times.intervalNanos();
        if (interval != intervalNanos) {
            intervalNanos = interval;
        }
    }

    private void setTimer(long nanos) {
        if (!timerSet) {
            timerSet = true;
            var unused = loop.schedule(this::timer, nanos, TimeUnit.NANOSECONDS);
        }
    }

    private void timer() {
        timerSet = false;
        if (!stopping && !idle.isEmpty()) {
            pump(true);
        }
    }

    static void record(SingleWriterRecorder recorder, long nanos) {
        recorder.recordValue(Math.clamp(nanos, 0, LATENCY_NANOS_MAX));
    }

    private static SingleWriterRecorder recorder() {
        return new SingleWriterRecorder(LATENCY_NANOS_MIN, LATENCY_NANOS_MAX, LATENCY_DIGITS);
    }
}
