package org.hubmark.bench.mail.compare;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.Scenario;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What two results are compared by. */
public enum Quantity {
    /** Messages accepted a second. */
    RATE(Figure.THROUGHPUT_MSGS_PER_S),
    /** CPU cycles of the server's process, which other programs on the machine disturb least. */
    CYCLES(Figure.CPU_COST_PROCESS_MCYCLES_PER_MSG),
    /** Writes of log and queue. */
    WRITES(Column.ofRow(
            "writes_per_msg",
            "writes/msg",
            "writes of log and queue",
            4,
            Column.Better.LESS,
            Figure.LOG_WRITES_PER_MSG.asInput().plus(Figure.QUEUE_WRITES_PER_MSG.asInput()))),
    /** Of the accept latency: a mean hides the tail, and a maximum is one event. */
    P95(Figure.ACCEPT_P95),
    /** Of the same. */
    P99(Figure.ACCEPT_P99);

    /** Judged beside what decides: a server that takes as much may let some of it wait for long. */
    static final List<Quantity> TAIL = List.of(P95, P99);

    // A record of records.
    @SuppressWarnings("ImmutableEnumChecker")
    private final Column column;

    Quantity(Column column) {
        this.column = column;
    }

    /** {@return the figure} */
    Column column() {
        return column;
    }

    /** {@return the value in each repeat; empty when it isn't known of all, or not above 0} */
    double[] values(Scenario scenario) {
        double[] values = scenario.row().values(column);
        return Arrays.stream(values).allMatch(value -> value > 0) ? values : new double[0];
    }

    /** {@return the name on the command line and in files} */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
