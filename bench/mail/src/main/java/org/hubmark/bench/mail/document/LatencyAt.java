package org.hubmark.bench.mail.document;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.statistics.Digits;
import org.hubmark.bench.load.Audit;
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
 * @param acceptLatencyMs by places, from the intended start; null when nothing was accepted
 * @param lostMsgs accepted, but neither delivered nor left; null where that isn't known
 * @param audit null where messages were not compared one by one
 * @param validity whether the latency can be trusted: as a repeat, and the rate was kept
 */
public record LatencyAt(
        double percent,
        double rateMsgsPerS,
        @Nullable Double throughputMsgsPerS,
        @Nullable Map<String, @Nullable Double> acceptLatencyMs,
        @Nullable Long lostMsgs,
        @Nullable Audit audit,
        @JsonUnwrapped Validity validity) {
    /**
     * Share of the requested rate that has to be accepted; with less, the latency is not one at
     * this rate.
     */
    static final double KEPT_MIN = 0.99;

    /** {@return an accept latency; null when it isn't known} */
    public @Nullable Double get(Column latency) {
        return acceptLatencyMs == null ? null : acceptLatencyMs.get(place(latency));
    }

    private static String place(Column time) {
        return time.key().substring(time.key().indexOf('.') + 1);
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
        Map<String, @Nullable Double> latencies = new LinkedHashMap<>();
        Figure.ACCEPT_LATENCY.forEach(one -> latencies.put(place(one), repeat.get(one)));
        Double lost = repeat.get(Figure.LOST);
        return new LatencyAt(
                percent,
                rateMsgsPerS,
                rate,
                repeat.counted().times(Figure.ACCEPT).getTotalCount() == 0 ? null : latencies,
                lost == null ? null : (Long) Math.round(lost),
                repeat.audit(),
                judged.validity());
    }
}
