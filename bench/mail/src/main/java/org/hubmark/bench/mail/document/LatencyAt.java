package org.hubmark.bench.mail.document;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.statistics.Digits;
import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The latency at a fixed rate below the highest one: what mail from outside sees of a server that is
 * busy but not at its limit. Measured once, after the repeats, by a hub of its own.
 *
 * @param percent of the median rate of the repeats
 * @param rateMsgsPerS that was asked for
 * @param throughputMsgsPerS that was accepted
 * @param acceptLatencyMs from the intended start; null when nothing was accepted
 * @param driverLatenessMs as in a repeat; null when nothing was sent
 * @param steady whether the load was before the measured time; null where that can't be told
 * @param steadyReason why not; null when it was
 * @param lostMsgs accepted, but neither delivered nor left; null where that isn't known
 * @param audit null where messages were not compared one by one
 * @param validity whether the latency can be trusted: as a repeat, and the rate was kept
 */
public record LatencyAt(
        double percent,
        double rateMsgsPerS,
        @Nullable Double throughputMsgsPerS,
        @Nullable AcceptLatency acceptLatencyMs,
        @Nullable Map<String, @Nullable Double> driverLatenessMs,
        @Nullable Boolean steady,
        @Nullable String steadyReason,
        @Nullable Long lostMsgs,
        @Nullable Audit audit,
        @JsonUnwrapped Validity validity) {
    /**
     * Share of the requested rate that has to be accepted; with less, the latency is not one at
     * this rate.
     */
    static final double KEPT_MIN = 0.99;

    /** {@return the rate that was accepted, or a latency; null when it isn't known} */
    public @Nullable Double get(Column figure) {
        if (figure.equals(Figure.THROUGHPUT_MSGS_PER_S)) {
            return throughputMsgsPerS;
        }
        if (acceptLatencyMs == null || !Figure.ACCEPT_LATENCY.contains(figure)) {
            return null;
        }
        return switch (Figure.ACCEPT_LATENCY.indexOf(figure)) {
            case 0 -> acceptLatencyMs.mean();
            case 1 -> acceptLatencyMs.p50();
            case 2 -> acceptLatencyMs.p95();
            case 3 -> acceptLatencyMs.p99();
            case 4 -> acceptLatencyMs.p999();
            default -> acceptLatencyMs.max();
        };
    }

    /** {@return whether mail was lost, repeated or changed: then nothing of the server can be trusted} */
    public boolean harmsMail() {
        return (lostMsgs != null && lostMsgs > 0) || (audit != null && audit.faults() > 0);
    }

    /** {@return what a repeat at that rate has shown} */
    public static LatencyAt of(double percent, double rateMsgsPerS, Scenario.Repeat repeat) {
        Double rate = repeat.get(Figure.THROUGHPUT_MSGS_PER_S);
        boolean kept = rate != null && rate >= KEPT_MIN * rateMsgsPerS;
        Scenario.Repeat judged = kept || !repeat.validity().valid()
                ? repeat
                : repeat.invalid(new Reason(
                        Case.OTHER,
                        "of " + Digits.plain(rateMsgsPerS) + " msg/s "
                                + (rate == null ? "none" : Digits.plain(rate))
                                + " were accepted"));
        Map<String, @Nullable Double> late = new LinkedHashMap<>();
        for (Column place : Figure.LATENESS) {
            late.put(place.key().substring(place.key().indexOf('.') + 1), repeat.get(place));
        }
        Double lost = repeat.get(Figure.LOST);
        return new LatencyAt(
                percent,
                rateMsgsPerS,
                rate,
                AcceptLatency.of(repeat.counted().times(Figure.ACCEPT)),
                repeat.counted().times().containsKey(Figure.LATE.key()) ? late : null,
                repeat.warmUp().steady(),
                repeat.warmUp().reason(),
                lost == null ? null : (Long) Math.round(lost),
                repeat.audit(),
                judged.validity());
    }
}
