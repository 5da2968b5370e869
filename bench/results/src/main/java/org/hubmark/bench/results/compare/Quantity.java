package org.hubmark.bench.results.compare;

import org.hubmark.bench.results.Figure;
import org.hubmark.bench.results.Figures;
import org.hubmark.bench.results.Scenario;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What two results are compared by. */
public enum Quantity {
    /** Messages accepted a second. */
    RATE("msg/s", "messages a second"),
    /** CPU cycles of the server's process, which other programs on the machine disturb least. */
    CYCLES("Mcycles/msg", "cycles a message"),
    /** Writes of log and queue. */
    WRITES("writes/msg", "writes a message"),
    /** Of the accept latency: a mean hides the tail, and a maximum is one event. */
    P95("p95 ms", "p95 of the accept latency"),
    /** Of the same. */
    P99("p99 ms", "p99 of the accept latency");

    /** Judged beside what decides: a server that takes as much may let some of it wait for long. */
    static final List<Quantity> TAIL = List.of(P95, P99);

    private final String unit;
    private final String title;

    Quantity(String unit, String title) {
        this.unit = unit;
        this.title = title;
    }

    /** {@return short, for a table} */
    String unit() {
        return unit;
    }

    /** {@return in words} */
    String title() {
        return title;
    }

    /** {@return the value in each repeat; empty when it isn't known of all, or not above 0} */
    double[] values(Scenario scenario) {
        List<Double> values = new ArrayList<>();
        for (Scenario.Repeat repeat : scenario.repeats()) {
            Double value = value(repeat.figures());
            if (value == null || value <= 0) {
                return new double[0];
            }
            values.add(value);
        }
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }

    private @Nullable Double value(Figures figures) {
        return switch (this) {
            case RATE -> figures.get(Figure.THROUGHPUT_MSGS_PER_S);
            case CYCLES -> figures.get(Figure.CPU_COST_PROCESS_MCYCLES_PER_MSG);
            case WRITES -> {
                Double log = figures.get(Figure.LOG_WRITES_PER_MSG);
                Double queue = figures.get(Figure.QUEUE_WRITES_PER_MSG);
                yield log == null || queue == null ? null : (Double) (log + queue);
            }
            case P95 -> figures.get(Figure.ACCEPT_P95);
            case P99 -> figures.get(Figure.ACCEPT_P99);
        };
    }

    /** {@return the name on the command line and in files} */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
