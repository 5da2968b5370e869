package org.hubmark.bench.mail.document;

import org.hubmark.bench.kit.document.Estimate;
import org.hubmark.bench.kit.document.Form;
import org.hubmark.bench.kit.document.Name;
import org.hubmark.bench.kit.page.Cells;
import org.hubmark.bench.kit.statistics.Digits;
import org.hubmark.bench.kit.statistics.Interval;
import org.hubmark.bench.load.Audit;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.function.DoubleFunction;
import java.util.function.Function;

/** What tables of scenarios have beside plain figures: texts that are made of several parts of a scenario. */
public final class ScenarioTexts {
    /** What one wants to know first. */
    static final List<Form.Derived> FIRST = List.of(
            shown("throughput_msgs_per_s", "Rate (msg/s)", ScenarioTexts::rate),
            shown(
                    "  geometric mean and its 95 % interval",
                    scenario -> scenario.rateAsked() ? null : mean(scenario)),
            shown("Accept latency p99 (ms)", ScenarioTexts::latency),
            shown(
                    "limiting_resource",
                    "Limited by",
                    scenario -> scenario.limiting().words()),
            shown("Share of the log device's maximum (%)", ScenarioTexts::logDevice),
            shown(
                    "Can lose acknowledged mail",
                    scenario -> scenario.conditions().safety().unsafe()),
            shown("Valid", scenario -> scenario.validity().valid()));

    /** The latency at a lower rate. */
    static final List<Form.Derived> BESIDE = Figure.ACCEPT_LATENCY.stream()
            .map(column -> shown(
                    column.heading(),
                    scenario -> number(of(beside(scenario), latency -> latency.get(column)))))
            .toList();

    /** What became of messages, beside the accounts. */
    static final List<Form.Derived> MESSAGES = List.of(
            audit("Audited messages", Audit::checkedMsgs),
            audit("Audited, not delivered", Audit::missingMsgs),
            audit("Audited, delivered twice", Audit::repeatedMsgs),
            audit("Audited, changed on the way", Audit::changedMsgs),
            audit("Audited, with the queue id of another", Audit::repeatedIds));

    /** Where the counters of the volumes are from. */
    static final List<Form.Derived> SOURCES = List.of(
            shown(
                    "Write counters from (log)",
                    scenario -> scenario.counterSource().log()),
            shown(
                    "Write counters from (queue)",
                    scenario -> scenario.counterSource().queue()));

    private ScenarioTexts() {}

    private static Form.Derived shown(String label, Function<Scenario, @Nullable Object> of) {
        return shown("", label, of);
    }

    private static Form.Derived shown(
            String key, String label, Function<Scenario, @Nullable Object> of) {
        return new Form.Derived(
                Name.note(key, label),
                (document, row) ->
                        of.apply(new Scenario(document.table(MailDocument.SCENARIOS), row)));
    }

    private static Form.Derived audit(String label, Function<Audit, @Nullable Object> part) {
        return shown(label, scenario -> of(scenario.audit(), part));
    }

    private static <T, R> @Nullable R of(@Nullable T whole, Function<T, @Nullable R> part) {
        return whole == null ? null : part.apply(whole);
    }

    private static @Nullable String number(@Nullable Double value) {
        return value == null ? null : Digits.text(value, new double[0], 2);
    }

    /** {@return the rate to be read first: of repeats with a trend no single figure stands for all} */
    public static @Nullable String rate(Scenario scenario) {
        Double rate = scenario.get(Figure.THROUGHPUT_MSGS_PER_S);
        Double low = scenario.spread().throughputMsgsPerSMin();
        Double high = scenario.spread().throughputMsgsPerSMax();
        if (scenario.spread().throughputTrendPercent() != null && low != null && high != null) {
            return Digits.ofRange(low, high, new double[0], 0) + " to "
                    + Digits.ofRange(high, low, new double[0], 0);
        }
        return rate == null
                ? null
                : Digits.text(rate, scenario.values(Figure.THROUGHPUT_MSGS_PER_S), 2);
    }

    /** {@return the geometric mean of the rate with its interval} */
    private static @Nullable String mean(Scenario scenario) {
        double[] repeats = scenario.values(Figure.THROUGHPUT_MSGS_PER_S);
        Estimate estimate = Spread.estimate(repeats);
        Interval ends = estimate.range();
        DoubleFunction<String> text = value -> Digits.text(value, repeats, 2);
        String range =
                ends == null ? "-" : text.apply(ends.low()) + " to " + text.apply(ends.high());
        return estimate.isKnown() ? text.apply(estimate.value()) + " (" + range + ")" : null;
    }

    /** At a stated rate: what a closed loop sees is no latency of mail that comes from outside. */
    private static @Nullable String latency(Scenario scenario) {
        LatencyAt beside = beside(scenario);
        if (beside != null) {
            return at(beside.get(Figure.ACCEPT_P99), beside.rateMsgsPerS());
        }
        return scenario.isClosedLoop()
                ? Cells.UNKNOWN
                : at(scenario.get(Figure.ACCEPT_P99), scenario.get(Figure.THROUGHPUT_MSGS_PER_S));
    }

    private static @Nullable String at(@Nullable Double latency, @Nullable Double rate) {
        if (latency == null) {
            return null;
        }
        return number(latency)
                + (rate == null ? "" : " at " + Digits.text(rate, new double[0], 0) + "/s");
    }

    /** {@return the latency at a lower rate, if there is one that can be trusted; else the warnings say why not} */
    private static @Nullable LatencyAt beside(Scenario scenario) {
        LatencyAt latency = scenario.latencyAt();
        return latency != null && latency.validity().valid() ? latency : null;
    }

    /** A ceiling that was mismeasured is no measure; the warnings say so. */
    private static @Nullable String logDevice(Scenario scenario) {
        Double percent = scenario.logDevicePercent();
        return percent == null || Limiting.isMismeasured(percent)
                ? null
                : Digits.text(percent, new double[0], 0);
    }
}
