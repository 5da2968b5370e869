package org.hubmark.bench.mail.meter;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.kit.check.MachineUse;
import org.hubmark.bench.load.LoadSnapshot;
import org.hubmark.bench.machine.statistics.Percentile;
import org.hubmark.bench.mail.document.Case;
import org.hubmark.bench.mail.document.Limiting;
import org.hubmark.bench.mail.document.Reason;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Says why a repeat can't be trusted; docs/measurement.md states the rules. */
final class ValidityRules {
    /** The driver may itself be late by so much in one send of a hundred. */
    private static final double LATENESS_P99_MILLIS_MAX = 10;

    private ValidityRules() {}

    /** {@return that the driver was late by its own fault; null where it wasn't} */
    static @Nullable String late(Histogram lateness) {
        Double p99 = Percentile.millis(lateness, 99);
        double late = p99 == null ? lateness.getMaxValue() / 1e6 : p99;
        return late <= LATENESS_P99_MILLIS_MAX
                ? null
                : String.format(
                        Locale.ROOT,
                        "sent late by %.1f ms (%s; at most %.0f ms)",
                        late,
                        p99 == null ? "the largest of " + lateness.getTotalCount() : "p99",
                        LATENESS_P99_MILLIS_MAX);
    }

    /**
     * {@return each reason; none when the repeat is valid}
     *
     * @param standstillNanos in which the driver did not run
     */
    static List<Reason> reasons(
            Accounts counts,
            LoadSnapshot load,
            Window window,
            Limiting limiting,
            Histogram lateness,
            long standstillNanos,
            boolean interrupted) {
        Long lost = counts.lost();
        String first = load.firstRefusal();
        String late = late(lateness);
        String driver = "the driver is the bottleneck: ";
        boolean isDriver = Bottleneck.DRIVER.equals(limiting.limitingResource());
        String stood = MachineUse.stoodStill((double) standstillNanos, 1e9 * window.seconds());
        List<Reason> reasons = new ArrayList<>();
        count(reasons, Case.MAIL, lost == null ? 0 : lost, "accepted messages are lost");
        count(reasons, Case.NO_ANSWER, counts.failed(), "messages failed: no answer came");
        count(
                reasons,
                Case.REFUSED,
                counts.refused(),
                "messages were refused with 4xx or 5xx"
                        + (first == null ? "" : ", first with: " + first));
        count(
                reasons,
                Case.CLOSED,
                load.connectionFailures(),
                "connections failed or were closed by the server");
        boolean none = window.acceptedMessages() == 0;
        add(reasons, Case.NO_ANSWER, none ? "no message was accepted in the measured time" : null);
        add(reasons, Case.DRIVER, isDriver ? driver + limiting.limitingReason() : null);
        add(reasons, Case.DRIVER, late == null ? null : driver + "it " + late);
        add(reasons, Case.INTERRUPTED, interrupted ? "interrupted" : null);
        add(reasons, Case.STOPPED, stood);
        return reasons;
    }

    private static void count(List<Reason> reasons, Case code, long count, String words) {
        add(reasons, code, count > 0 ? count + " " + words : null);
    }

    private static void add(List<Reason> reasons, Case code, @Nullable String words) {
        if (words != null) {
            reasons.add(new Reason(code, words));
        }
    }
}
