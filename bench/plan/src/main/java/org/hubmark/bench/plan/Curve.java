package org.hubmark.bench.plan;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

import java.util.ArrayList;
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
        for (Point point : points) {
            if (!Double.isFinite(point.x) || !Double.isFinite(point.y)) {
                throw new IllegalArgumentException("no point of a curve: " + point);
            }
            sorted.merge(point.x, point.y, Math::max);
        }
        List<Point> all = new ArrayList<>();
        sorted.forEach((x, y) -> all.add(new Point(x, y)));
        points = List.copyOf(all);
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

    /** {@return how many points there are; NaN without any} */
    double count() {
        return points.isEmpty() ? Double.NaN : points.size();
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
        for (Point point : byHeight()) {
            if (point.y > limit) {
                return below == null
                        ? most
                        : Math.max(most, onLine(limit, below.y, below.x, point.y, point.x));
            }
            most = Math.max(most, point.x);
            below = point;
        }
        return most;
    }

    /** What belongs to a place on the straight line from a first to a second point. */
    private static double onLine(
            double place, double first, double ofFirst, double second, double ofSecond) {
        return ofFirst + (ofSecond - ofFirst) * (place - first) / (second - first);
    }

    /** {@return whether a limit lies above all points, so that there may be more within it than was seen} */
    boolean isBeyond(double limit) {
        return points.stream().noneMatch(point -> point.y > limit);
    }

    /** {@return whether a limit lies below all points} */
    boolean isBefore(double limit) {
        return points.stream().noneMatch(point -> point.y <= limit);
    }

    /** {@return the lowest height; no number without points} */
    double lowest() {
        return points.stream().mapToDouble(Point::y).min().orElse(Double.NaN);
    }

    private List<Point> byHeight() {
        return points.stream()
                .sorted(Comparator.comparingDouble(Point::y).thenComparingDouble(Point::x))
                .toList();
    }
}
