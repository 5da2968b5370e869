package org.hubmark.bench.kit.document;

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
public record Curve(List<Point> points) {
    /** A point, along and up. */
    public record Point(double x, double y) {}

    /** Copies, sorted along; of several points at one place the highest stays. */
    public Curve {
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
    public double mostWithin(double limit) {
        if (points.isEmpty() || Double.isNaN(limit)) {
            return Double.NaN;
        }
        double most = 0;
        List<Point> byHeight = byHeight();
        for (int i = 0; i < byHeight.size(); i++) {
            Point point = byHeight.get(i);
            if (point.y <= limit) {
                most = Math.max(most, point.x);
            } else {
                if (i > 0) {
                    Point below = byHeight.get(i - 1);
                    most = Math.max(
                            most,
                            below.x
                                    + (point.x - below.x)
                                            * (limit - below.y)
                                            / (point.y - below.y));
                }
                break;
            }
        }
        return most;
    }

    /** {@return whether a limit lies above all points, so that there may be more within it than was seen} */
    public boolean isBeyond(double limit) {
        return points.stream().noneMatch(point -> point.y > limit);
    }

    /** {@return whether a limit lies below all points} */
    public boolean isBefore(double limit) {
        return points.stream().noneMatch(point -> point.y <= limit);
    }

    /** {@return the lowest height; no number without points} */
    public double lowest() {
        return points.stream().mapToDouble(Point::y).min().orElse(Double.NaN);
    }

    /** {@return how high it is at a place; no number where that lies outside of what was measured} */
    public double at(double x) {
        for (int i = 0; i < points.size(); i++) {
            Point point = points.get(i);
            if (point.x == x) {
                return point.y;
            }
            if (point.x > x) {
                if (i == 0) {
                    return Double.NaN;
                }
                Point before = points.get(i - 1);
                return before.y + (point.y - before.y) * (x - before.x) / (point.x - before.x);
            }
        }
        return Double.NaN;
    }

    /** {@return the least along at which it reaches a height; no number where it does not} */
    public double leastReaching(double height) {
        for (int i = 0; i < points.size(); i++) {
            Point point = points.get(i);
            if (point.y >= height) {
                if (i == 0) {
                    return point.x;
                }
                Point before = points.get(i - 1);
                return before.x + (point.x - before.x) * (height - before.y) / (point.y - before.y);
            }
        }
        return Double.NaN;
    }

    private List<Point> byHeight() {
        return points.stream()
                .sorted(Comparator.comparingDouble(Point::y).thenComparingDouble(Point::x))
                .toList();
    }
}
