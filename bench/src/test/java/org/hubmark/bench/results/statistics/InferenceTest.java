package org.hubmark.bench.results.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

import java.util.Objects;

/** Proves the intervals and the test for outliers on published and hand-made numbers. */
class InferenceTest {
    private static final Offset<Double> CLOSE = within(1e-3);

    @Test
    void intervalOfAMean() {
        // t(0.975, 2) = 4.3027; the deviation is 1.
        Interval interval = Objects.requireNonNull(Inference.ofMean(new double[] {1, 2, 3}));
        assertThat(interval.low()).isEqualTo(2 - 4.3027 / Math.sqrt(3), CLOSE);
        assertThat(interval.high()).isEqualTo(2 + 4.3027 / Math.sqrt(3), CLOSE);
        assertThat(Inference.ofMean(new double[] {1})).isNull();
    }

    @Test
    void trimmedMeanOfFive() {
        assertThat(Inference.trimmedMean(new double[] {9, 1, 2, 100, 4})).isEqualTo(5, CLOSE);
        assertThat(Inference.trimmedMean(new double[] {9, 1, 2, 100})).isNull();
    }

    @Test
    void outlierByGrubbs() {
        // The example of the NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.5.17.1.
        double[] masses = {199.31, 199.53, 200.19, 200.82, 201.92, 201.95, 202.18, 245.57};
        assertThat(Inference.outlier(masses)).isEqualTo(7);
        assertThat(Inference.outlier(new double[] {199.31, 199.53, 200.19, 200.82, 201.92}))
                .isEqualTo(-1);
        // Of so few it would call each an outlier that lies beside two that are nearly equal.
        assertThat(Inference.outlier(new double[] {5, 5.0000001, 5.01})).isEqualTo(-1);
        assertThat(Inference.outlier(new double[] {5, 5, 5, 5, 5, 9})).isEqualTo(-1);
        assertThat(Inference.outlier(new double[] {5, 5, 5, 5, 5, 5, 9})).isEqualTo(6);
        assertThat(Inference.outlier(new double[] {5, 5, 5})).isEqualTo(-1);
        assertThat(Inference.outlier(new double[] {5, 9})).isEqualTo(-1);
    }

    @Test
    void intervalOfARatio() {
        double[] first = {1, Math.E, Math.exp(2)};
        double[] second = {Math.E, Math.exp(2), Math.exp(3)};
        // Equal variances of 1: 4 degrees of freedom, t(0.975, 4) = 2.7764.
        double half = 2.7764 * Math.sqrt(2.0 / 3);
        Interval interval = Objects.requireNonNull(Inference.ofRatio(first, second));
        assertThat(Inference.ratio(first, second)).isEqualTo(Math.E, CLOSE);
        assertThat(Math.log(interval.low())).isEqualTo(1 - half, CLOSE);
        assertThat(Math.log(interval.high())).isEqualTo(1 + half, CLOSE);
        assertThat(Inference.ofRatio(first, new double[] {1})).isNull();
    }
}
