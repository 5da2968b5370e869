package org.hubmark.bench.mail.meter;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.load.LoadSnapshot;
import org.hubmark.bench.load.Pace;
import org.hubmark.bench.load.Workload;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * Work in simulated time: some connections do one operation after the other, at a pace. How long an
 * operation takes scatters by a tenth. One thread.
 */
public final class Flow implements Workload {
    private static final double SCATTER = 0.1;
    private static final long OPERATION_BYTES = 1_000;
    private static final Comparator<Operation> BY_END =
            Comparator.comparingLong(operation -> operation.endNanos);

    private final SimulatedTime time;
    /** Null in a closed loop. */
    private final @Nullable Double ratePerSecond;

    private final int connections;
    private final Duration operation;
    private final PriorityQueue<Operation> underWay = new PriorityQueue<>(BY_END);
    private Histogram intended = new Histogram(3);
    private Histogram actual = new Histogram(3);
    private double refusedPercent;
    private Cost cost = seconds -> 0;
    private double sway;
    private Duration pause = Duration.ZERO;
    private boolean goesOn;
    private long answersMax = Long.MAX_VALUE;
    private long failed;
    private long beginNanos;
    /** The last moment at which an operation began or ended. */
    private long lastNanos;

    private long begun;
    private long accepted;
    private long refused;
    private double cpuNanos;

    private record Operation(long intendedNanos, long beginNanos, long endNanos) {}

    /** Tells what an operation takes of the CPU. */
    @FunctionalInterface
    public interface Cost {
        /** Nanoseconds of one that ends so many seconds after the begin. */
        double after(double seconds);
    }

    /**
     * Prepares; nothing is done before {@link #begin}.
     *
     * @param operation how long one takes on the average
     */
    public Flow(SimulatedTime time, Pace pace, int connections, Duration operation) {
        this.time = time;
        this.ratePerSecond =
                pace instanceof Pace.OpenLoop open ? (Double) open.ratePerSecond() : null;
        this.connections = connections;
        this.operation = operation;
    }

    /** {@return the same, of which so much is refused, evenly spread} */
    Flow refusing(double percent) {
        refusedPercent = percent;
        return this;
    }

    /** {@return the same, in a process that is stopped once for so long} */
    Flow stopped(Duration time) {
        pause = time;
        return this;
    }

    /** {@return the same, whose operations cost something} */
    public Flow costing(Cost each) {
        cost = each;
        return this;
    }

    /** {@return the same, whose operations take longer by that share in every other second} */
    Flow swaying(double share) {
        sway = share;
        return this;
    }

    /** {@return the same, whose server answers that many operations and is silent then} */
    Flow silentAfter(long answers) {
        answersMax = answers;
        return this;
    }

    @Override
    public void begin() {
        beginNanos = time.nanos();
        lastNanos = beginNanos;
        goesOn = true;
    }

    /** Does what has begun or ended until now. */
    private void catchUp() {
        long nowNanos = time.nanos();
        while (true) {
            boolean free = goesOn && underWay.size() < connections;
            long nextNanos = free ? Math.max(lastNanos, intendedNanos(begun)) : Long.MAX_VALUE;
            Operation first = accepted + refused < answersMax ? underWay.peek() : null;
            long endNanos = first == null ? Long.MAX_VALUE : first.endNanos;
            long eventNanos = Math.min(endNanos, nextNanos);
            if (eventNanos > nowNanos) {
                return;
            }
            lastNanos = eventNanos;
            if (endNanos <= nextNanos) {
                end(underWay.remove());
            } else {
                long takes = Math.round(operation.toNanos() * scattered() * swayed(eventNanos));
                underWay.add(new Operation(intendedNanos(begun), eventNanos, eventNanos + takes));
                begun++;
            }
        }
    }

    private double scattered() {
        return time.random().nextDouble(1 - SCATTER, 1 + SCATTER);
    }

    private double swayed(long nanos) {
        return (nanos - beginNanos) / 1_000_000_000 % 2 == 0 ? 1 : 1 + sway;
    }

    private long intendedNanos(long number) {
        return ratePerSecond == null
                ? lastNanos
                : beginNanos + Math.round(number / ratePerSecond * 1e9);
    }

    private void end(Operation done) {
        cpuNanos += cost.after((done.endNanos - beginNanos) / 1e9);
        if (refused < refusedPercent / 100 * (accepted + refused + 1)) {
            refused++;
        } else {
            accepted++;
            intended.recordValue(done.endNanos - done.intendedNanos);
            actual.recordValue(done.endNanos - done.beginNanos);
        }
    }

    private long overdue() {
        long due = 0;
        while (ratePerSecond != null && goesOn && intendedNanos(begun + due) <= time.nanos()) {
            due++;
        }
        return due;
    }

    @Override
    public LoadSnapshot snapshot() {
        catchUp();
        return new LoadSnapshot(
                begun,
                accepted,
                OPERATION_BYTES * accepted,
                refused,
                failed,
                0,
                overdue(),
                Math.round(cpuNanos),
                null);
    }

    @Override
    public Latency takeLatencies() {
        catchUp();
        Latency taken = new Latency(intended, actual);
        intended = new Histogram(3);
        actual = new Histogram(3);
        return taken;
    }

    @Override
    public Open end() {
        catchUp();
        long nowNanos = time.nanos();
        Histogram ages = new Histogram(3);
        Histogram agesOfBegun = new Histogram(3);
        for (Operation operation : underWay) {
            ages.recordValue(nowNanos - operation.intendedNanos);
            agesOfBegun.recordValue(nowNanos - operation.beginNanos);
        }
        for (long number = begun, due = overdue(); due > 0; due--) {
            ages.recordValue(nowNanos - intendedNanos(number++));
        }
        goesOn = false;
        return new Open(underWay.size(), ages, agesOfBegun);
    }

    /** It has no end of its own. */
    @Override
    public boolean awaitFinished(Duration timeout) throws InterruptedException {
        time.sleep(timeout.plus(pause));
        pause = Duration.ZERO;
        return false;
    }

    @Override
    public void stop(Duration timeout) throws InterruptedException {
        catchUp();
        goesOn = false;
        if (accepted + refused >= answersMax) {
            failed += underWay.size();
            underWay.clear();
        }
        for (Operation next = underWay.peek(); next != null; next = underWay.peek()) {
            time.sleep(Duration.ofNanos(next.endNanos - time.nanos()));
            catchUp();
        }
    }

    @Override
    public void close() {
        goesOn = false;
    }
}
