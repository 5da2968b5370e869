package org.hubmark.bench.load;

import io.netty.channel.EventLoop;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;
import org.HdrHistogram.ValueRecorder;
import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * The connections of one event loop and what they counted. Its methods run on that event loop; the
 * counters and recorders may be read by any thread.
 */
final class Lane {
    static final long LATENCY_NANOS_MIN = 1_000;
    static final long LATENCY_NANOS_MAX = TimeUnit.HOURS.toNanos(1);
    static final int LATENCY_DIGITS = 3;

    /** How often a loop notes that it has come round: a fifth of what makes a driver too late. */
    private static final long ROUND_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

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
    /**
     * By how much the driver itself was late with each message of an open loop: for how long it waited
     * though a connection was free, or while the driver was behind.
     */
    final SingleWriterRecorder lateness = recorder();

    /** What the server said when it first refused something; null while it has not. */
    volatile @Nullable String firstRefusal;

    /** Notes what was accepted; null where nobody asks. Set before the lane begins. */
    volatile @Nullable AcceptedMail audited;

    final LoadPlan plan;
    final MessageSet messages;
    final EventLoop loop;
    private final MessageNumbers numbers;
    private final Runnable finished;
    /** Null in a closed loop. */
    private final @Nullable SendSchedule schedule;

    private final ArrayDeque<LoadConnection> idle = new ArrayDeque<>();
    private volatile long threadId = -1;
    private final SendSchedule.First first = new SendSchedule.First();
    /** When the loop should come round next. */
    private long roundNanos;

    private int open;
    private boolean begun;
    private boolean stopping;
    private boolean timerSet;

    /**
     * Makes a lane.
     *
     * @param schedule of all lanes; null in a closed loop
     * @param numbers of the messages of all lanes
     * @param finished called once, when all connections have ended for good
     */
    Lane(
            LoadPlan plan,
            MessageSet messages,
            EventLoop loop,
            @Nullable SendSchedule schedule,
            MessageNumbers numbers,
            Runnable finished) {
        this.plan = plan;
        this.messages = messages;
        this.loop = loop;
        this.numbers = numbers;
        this.finished = finished;
        this.schedule = schedule;
    }

    void opened() {
        open++;
        threadId = Thread.currentThread().threadId();
    }

    /** Starts sending; all lanes at the same time, when the schedule has begun. */
    void begin() {
        begun = true;
        if (schedule != null) {
            roundNanos = System.nanoTime();
            comeRound(schedule);
        }
        pump();
    }

    /** Sends nothing more; what is under way may end. */
    void stop() {
        stopping = true;
        while (!idle.isEmpty()) {
            LoadConnection connection = idle.remove();
            lost();
            connection.quit();
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
        if (schedule != null) {
            schedule.freed(System.nanoTime());
        }
        if (begun) {
            pump();
        }
    }

    /** A connection that was ready has broken. */
    void notReady(LoadConnection connection) {
        if (idle.remove(connection)) {
            lost();
        }
    }

    private void lost() {
        if (schedule != null) {
            schedule.lost();
        }
    }

    /** A connection has ended and does not come back. */
    void closed() {
        if (--open == 0) {
            finished.run();
        }
    }

    /** {@return the event loop's thread, or -1 before the first connection} Any thread. */
    long threadId() {
        return threadId;
    }

    /** Sends what is due and can be. */
    private void pump() {
        while (!idle.isEmpty()) {
            long nowNanos = System.nanoTime();
            long dueNanos;
            if (schedule == null) {
                dueNanos = idle.element().freeSince(nowNanos);
            } else {
                noteIfBehind(schedule, nowNanos);
                boolean due = schedule.take(nowNanos, first);
                dueNanos = first.dueNanos;
                if (!due) {
                    setTimer(Math.max(0, dueNanos - nowNanos));
                    return;
                }
            }
            LoadConnection connection = idle.remove();
            long number = numbers.next();
            if (number < 0) {
                connection.quit();
                stop();
                if (schedule != null) {
                    schedule.done();
                }
                return;
            }
            if (schedule != null) {
                record(lateness, first.lateNanos);
            }
            connection.send(number, messages.get(number), dueNanos, nowNanos);
        }
    }

    /** A loop that is behind finds replies before its timers, and sends before it comes round. */
    private void noteIfBehind(SendSchedule shared, long nowNanos) {
        if (nowNanos - roundNanos > 0) {
            shared.behind(roundNanos, nowNanos);
        }
    }

    private void comeRound(SendSchedule shared) {
        long nowNanos = System.nanoTime();
        noteIfBehind(shared, nowNanos);
        roundNanos = nowNanos + ROUND_NANOS;
        if (!stopping) {
            var unused = loop.schedule(() -> comeRound(shared), ROUND_NANOS, TimeUnit.NANOSECONDS);
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
            pump();
        }
    }

    static void record(ValueRecorder recorder, long nanos) {
        recorder.recordValue(Math.clamp(nanos, 0, LATENCY_NANOS_MAX));
    }

    static Histogram histogram() {
        return new Histogram(LATENCY_NANOS_MIN, LATENCY_NANOS_MAX, LATENCY_DIGITS);
    }

    private static SingleWriterRecorder recorder() {
        return new SingleWriterRecorder(LATENCY_NANOS_MIN, LATENCY_NANOS_MAX, LATENCY_DIGITS);
    }
}
