package org.hubmark.bench.plan;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Values measured at several points. Between two points the curve is a straight line; before the
 * first and beyond the last it is unknown.
 */
record Curve(List<Point> points) {
    /** A point, along and up. */
    record Point(double x, double y) {}

    /** Copies, sorted along; of several points at one place the highest stays. */
    Curve {
        SortedMap<Double, Double> sorted = new TreeMap<>();
        points.forEach(point -> sorted.merge(point.x, point.y, Math::max));
        points = sorted.entrySet().stream()
                .map(point -> new Point(point.getKey(), point.getValue()))
                .toList();
    }

    /** {@return one from pairs of x and y, as a file has it} */
    @JsonCreator
    static Curve ofPairs(List<List<Double>> pairs) {
        return new Curve(
                pairs.stream().map(pair -> new Point(pair.get(0), pair.get(1))).toList());
    }

    /** {@return its points as pairs of x and y} */
    @JsonValue
    public List<List<Double>> pairs() {
        return points.stream().map(point -> List.of(point.x, point.y)).toList();
    }

    /**
     * {@return the most along at which it is not above a limit: the most I/O a second within a latency}
     * Read by height, since a storage that has enough gets slower and not faster. 0 when every point is
     * above the limit, no number when there are no points.
     */
    double mostWithin(double limit) {
        if (points.isEmpty() || Double.isNaN(limit)) {
            return Double.NaN;
        }
        double most = 0;
        Point below = null;
        for (Point point :
                points.stream().sorted(Comparator.comparingDouble(Point::y)).toList()) {
            if (point.y > limit) {
                return below == null
                        ? most
                        : Math.max(
                                most,
                                below.x
                                        + (point.x - below.x)
                                                * (limit - below.y)
                                                / (point.y - below.y));
            }
            most = Math.max(most, point.x);
            below = point;
        }
        return most;
    }

    /** {@return whether a limit lies above all points, so that there may be more within it than was seen} */
    boolean isBeyond(double limit) {
        return points.stream().noneMatch(point -> point.y > limit);
    }
}
