package org.hubmark.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

/**
 * Proves that a slow queue volume slows mail smoothly: a model of a log of segments, of a mover and
 * of a committer that pauses as it is told runs in a time of its own, with volumes of known speeds.
 * Mail is to come in as fast as it can be moved, in small steps, never to stop, and the log is to
 * stay within its bound.
 */
class IntakeThrottleTest {
    private static final double SEGMENT = 64e6;
    private static final int DEPTH = 8;
    private static final int SLACK = 4;
    private static final long GROUP = 1_000_000;
    private static final double LOG_BYTES_PER_NANO = 1.0;
    private static final long STEP_NANOS = 500_000_000;

    private final IntakeThrottle throttle = new IntakeThrottle(SLACK);
    private long nowNanos;
    private double written;
    private double recycled;
    private double moveEndsNanos = Double.NaN;
    private double queueBytesPerNano;
    private long waitedNanos;

    @Test
    void settlesAtTheSpeedOfTheQueueVolume() {
        for (double megabytesPerSecond : new double[] {20, 100, 400}) {
            IntakeThrottleTest model = new IntakeThrottleTest();
            model.queueBytesPerNano = megabytesPerSecond / 1e3;
            model.run(20);
            assertThat(model.run(40))
                    .allSatisfy(rate -> assertThat(rate)
                            .as("MB/s of mail where %s can be moved", megabytesPerSecond)
                            .isBetween(0.5 * megabytesPerSecond, 1.6 * megabytesPerSecond));
            assertThat(model.waitedNanos).as("time that mail stood still").isZero();
        }
    }

    @Test
    void aVolumeThatBecomesTenTimesSlowerSlowsMailInSteps() {
        queueBytesPerNano = 0.2;
        run(30);
        queueBytesPerNano = 0.02;
        List<Double> rates = run(120);
        for (int i = 1; i < rates.size(); i++) {
            assertThat(rates.get(i)).as("step %d of %s", i, rates).isPositive();
        }
        assertThat(rates.getLast()).isBetween(10.0, 32.0);
        assertThat(waitedNanos).as("time that mail stood still").isZero();
        queueBytesPerNano = 0.2;
        assertThat(run(60).getLast()).isBetween(100.0, 320.0);
    }

    @Test
    void leavesMailAloneWhileTheLogIsShort() {
        throttle.begin(1, 0);
        throttle.end(1_000_000_000);
        assertThat(throttle.pauseNanos(GROUP, 0, 1_000_000_000)).isZero();
        assertThat(throttle.pauseNanos(GROUP, -3, 1_000_000_000)).isZero();
    }

    /** {@return MB/s of mail in each step} */
    private List<Double> run(int steps) {
        List<Double> rates = new ArrayList<>();
        for (int step = 0; step < steps; step++) {
            double before = written;
            long end = nowNanos + STEP_NANOS;
            long start = nowNanos;
            while (nowNanos < end) {
                commit();
            }
            rates.add((written - before) / (nowNanos - start) * 1e3);
        }
        return rates;
    }

    private void commit() {
        // The log cannot be longer than its bound; a throttle that is right never gets there.
        while (segmentsOver() + GROUP / SEGMENT > SLACK) {
            waitedNanos += 1_000_000;
            advance(1_000_000);
        }
        advance(throttle.pauseNanos(GROUP, segmentsOver(), nowNanos));
        written += GROUP;
        advance((long) (GROUP / LOG_BYTES_PER_NANO));
    }

    private void advance(long nanos) {
        nowNanos += nanos;
        while (!Double.isNaN(moveEndsNanos) && moveEndsNanos <= nowNanos) {
            throttle.end((long) moveEndsNanos);
            recycled += SEGMENT;
            double ended = moveEndsNanos;
            moveEndsNanos = Double.NaN;
            begin((long) ended);
        }
        begin(nowNanos);
    }

    private void begin(long nanos) {
        if (Double.isNaN(moveEndsNanos) && segmentsOver() > 0) {
            throttle.begin((long) SEGMENT, nanos);
            moveEndsNanos = nanos + SEGMENT / queueBytesPerNano;
        }
    }

    private double segmentsOver() {
        return (written - recycled) / SEGMENT - DEPTH;
    }
}
