package org.hubmark.bench.mail.meter;

import org.hipparchus.stat.regression.SimpleRegression;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * By how much a backlog changes: the rise of a least squares line through its samples, with its error.
 * A backlog breathes with checkpoints and garbage collections, so that neighbouring samples
 * resemble each other and tell less than as many independent ones; the error is widened by the
 * correlation of neighbouring residuals (the effective sample size of a first-order autoregressive
 * series). One thread.
 */
final class BacklogTrend {
    /** Least number of samples: with fewer the error of a line says nothing. */
    static final int SAMPLES_MIN = 5;

    /** Of each of the two one-sided tests: a backlog that changes by the bound is called flat so often. */
    private static final double RISK = 0.05;

    /** More correlation than this can't be told from a trend in a sample of this length. */
    private static final double CORRELATION_MAX = 0.95;

    private final List<Double> seconds = new ArrayList<>();
    private final List<Double> messages = new ArrayList<>();

    /** Adds a sample; the time may begin anywhere and only grows. */
    void add(double atSeconds, double backlogMessages) {
        seconds.add(atSeconds);
        messages.add(backlogMessages);
    }

    /** {@return by how much it changed; null where the samples are too few to tell} */
    @Nullable
    LineChange change() {
        int count = seconds.size();
        if (count < SAMPLES_MIN) {
            return null;
        }
        SimpleRegression line = new SimpleRegression();
        for (int i = 0; i < count; i++) {
            line.addData(seconds.get(i), messages.get(i));
        }
        double correlation = correlation(line);
        double widening = Math.sqrt((1 + correlation) / (1 - correlation));
        return LineChange.of(line, seconds.getLast() - seconds.getFirst(), RISK, widening);
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
