package org.hubmark.bench.measure;

import org.hipparchus.distribution.continuous.TDistribution;
import org.hipparchus.stat.regression.SimpleRegression;

import java.util.ArrayList;
import java.util.List;

/**
 * Test whether a backlog grows: a least squares line through its samples rises by more than the
 * line's own error. A backlog breathes with checkpoints and garbage collections, so that
 * neighbouring samples resemble each other and tell less than as many independent ones; the error
 * is widened by the correlation of neighbouring residuals (the effective sample size of a
 * first-order autoregressive series). One thread.
 */
final class BacklogTrend {
    /** Least number of samples: with fewer the error of a line says nothing. */
    static final int SAMPLES_MIN = 5;

    /** One-sided: a backlog that doesn't grow is called growing so often. */
    private static final double FALSE_ALARMS = 0.025;

    /** A queue of so few messages comes and goes with the moment at which it is counted. */
    private static final double MESSAGES_MIN = 2;

    /** More correlation than this can't be told from a trend in a sample of this length. */
    private static final double CORRELATION_MAX = 0.95;

    private final List<Double> seconds = new ArrayList<>();
    private final List<Double> messages = new ArrayList<>();

    /** Adds a sample; the time may begin anywhere and only grows. */
    void add(double atSeconds, double backlogMessages) {
        seconds.add(atSeconds);
        messages.add(backlogMessages);
    }

    /** {@return by how many messages it grew from the first to the last sample, by the line; 0 when that is within its error} */
    double growth() {
        int count = seconds.size();
        if (count < SAMPLES_MIN) {
            return 0;
        }
        SimpleRegression line = new SimpleRegression();
        for (int i = 0; i < count; i++) {
            line.addData(seconds.get(i), messages.get(i));
        }
        double correlation = correlation(line);
        double error = line.getSlopeStdErr() * Math.sqrt((1 + correlation) / (1 - correlation));
        double bound = new TDistribution(count - 2).inverseCumulativeProbability(1 - FALSE_ALARMS);
        double growth = line.getSlope() * (seconds.getLast() - seconds.getFirst());
        return growth > MESSAGES_MIN && line.getSlope() > bound * error ? growth : 0;
    }

    /** {@return of neighbouring residuals; nothing below 0, which would narrow the error} */
    private double correlation(SimpleRegression line) {
        double products = 0;
        double squares = 0;
        double before = 0;
        for (int i = 0; i < seconds.size(); i++) {
            double residual = messages.get(i) - line.predict(seconds.get(i));
            products += i == 0 ? 0 : residual * before;
            squares += residual * residual;
            before = residual;
        }
        return squares == 0 ? 0 : Math.clamp(products / squares, 0, CORRELATION_MAX);
    }
}
