package org.hubmark.bench.load;

import java.util.List;
import java.util.SplittableRandom;

/**
 * The intended starts of one lane of an open loop. Lanes take turns, so that together they keep to
 * one schedule: where the rate is r(t), message k is due when the integral of r reaches k. Poisson
 * arrivals put exponential gaps of mean 1 in place of the whole numbers k; lanes are independent
 * then, and together a Poisson process again. One thread.
 */
final class Timetable {
    private static final double NANOS = 1e9;

    private final List<Pace.Stage> stages;
    private final Arrivals arrivals;
    private final SplittableRandom random;
    private final int lane;
    private final int lanes;
    private long originNanos;
    /** Seconds after the origin: when the message handed out last is due. */
    private double at;

    private double stagesFrom = Double.POSITIVE_INFINITY;

    Timetable(Pace.OpenLoop pace, int lane, int lanes) {
        this.stages = pace.stages();
        this.arrivals = pace.arrivals();
        this.random = new SplittableRandom(pace.seed() + lane);
        this.lane = lane;
        this.lanes = lanes;
    }

    /** {@return when the first message is due, if the first rate holds from that time on} */
    long begin(long startNanos) {
        originNanos = startNanos;
        at = 0;
        stagesFrom = Double.POSITIVE_INFINITY;
        if (arrivals == Arrivals.POISSON) {
            return next();
        }
        advance(lane);
        return dueNanos();
    }

    /** The stages begin then, or with the message handed out last where that is later. */
    void beginStages(long nowNanos) {
        stagesFrom = Math.max(at, (nowNanos - originNanos) / NANOS);
    }

    /** {@return when the next message is due} */
    long next() {
        switch (arrivals) {
            case FIXED -> advance(lanes);
            case POISSON -> advance(-Math.log(1 - random.nextDouble()) * lanes);
        }
        return dueNanos();
    }

    /** {@return nanoseconds between this lane's messages, as the rate is at the last one handed out} */
    long intervalNanos() {
        double rate = stages.getFirst().fromPerSecond();
        double left = at - stagesFrom;
        if (left >= 0) {
            for (Pace.Stage stage : stages) {
                double length = seconds(stage);
                rate = rateAt(stage, Math.min(left, length), length);
                if (left < length) {
                    break;
                }
                left -= length;
            }
        }
        return Math.max(1, Math.round(NANOS * lanes / rate));
    }

    private long dueNanos() {
        return originNanos + Math.round(at * NANOS);
    }

    /** Goes on to where the integral of the rate has grown by so many messages. */
    private void advance(double messages) {
        double left = messages;
        double first = stages.getFirst().fromPerSecond();
        if (at < stagesFrom) {
            double here = first * (stagesFrom - at);
            if (left <= here) {
                at += left / first;
                return;
            }
            left -= here;
            at = stagesFrom;
        }
        double stageFrom = stagesFrom;
        for (Pace.Stage stage : stages) {
            double length = seconds(stage);
            double stageTo = stageFrom + length;
            if (at < stageTo) {
                double rate = rateAt(stage, at - stageFrom, length);
                double slope = (stage.toPerSecond() - stage.fromPerSecond()) / length;
                double here = (rate + stage.toPerSecond()) / 2 * (stageTo - at);
                if (left <= here) {
                    // The root of slope/2 x^2 + rate x = left, in the form that also holds for 0.
                    at += 2
                            * left
                            / (rate + Math.sqrt(Math.max(0, rate * rate + 2 * slope * left)));
                    return;
                }
                left -= here;
                at = stageTo;
            }
            stageFrom = stageTo;
        }
        at += left / stages.getLast().toPerSecond();
    }

    private static double rateAt(Pace.Stage stage, double elapsed, double length) {
        return stage.fromPerSecond()
                + (stage.toPerSecond() - stage.fromPerSecond()) * elapsed / length;
    }

    private static double seconds(Pace.Stage stage) {
        return stage.time().toNanos() / NANOS;
    }
}
