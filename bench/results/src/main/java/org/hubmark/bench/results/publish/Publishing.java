package org.hubmark.bench.results.publish;

import org.hubmark.bench.results.Figure;
import org.hubmark.bench.results.Publication;
import org.hubmark.bench.results.Results;
import org.hubmark.bench.results.Results.AcceptLatency;
import org.hubmark.bench.results.Scenario;
import org.hubmark.bench.results.report.SelfCheck;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** Judges results that were measured to be published, rule by rule. */
public final class Publishing {
    /** The form of 24 hours, each of which is a repeat. */
    public static final String DAY = "day";

    private Publishing() {}

    /**
     * {@return the results with the judgement; the same where nobody wants to publish them}
     *
     * @param check of the results against their raw files
     */
    public static Results judge(Results results, SelfCheck check) {
        Publication asked = results.publish();
        if (asked == null) {
            return results;
        }
        List<Publication.Rule> rules = Arrays.stream(RunRule.values())
                .map(rule -> rule.judge(results, check))
                .toList();
        return results.with(asked.judged(rules, isDay(results) ? hours(results) : List.of()));
    }

    /** {@return what keeps a machine from being idle, in words; null where nothing does} */
    public static @Nullable String unrest(Publication.Idle idle) {
        Found found = RunRule.quiet(idle);
        return Boolean.FALSE.equals(found.kept()) ? found.words() : null;
    }

    static boolean isDay(Results results) {
        return Objects.requireNonNull(results.publish()).form().equals(DAY);
    }

    /** {@return each hour by itself: its rate, its latency, and why it can't be published} */
    static List<Publication.Hour> hours(Results results) {
        List<Publication.Hour> hours = new ArrayList<>();
        for (Scenario scenario : results.scenarios()) {
            Double first = null;
            for (Scenario.Repeat repeat : scenario.repeats()) {
                Double rate = repeat.figures().get(Figure.THROUGHPUT_MSGS_PER_S);
                first = first == null ? rate : first;
                hours.add(hour(scenario.id(), repeat, rate, first));
            }
        }
        return hours;
    }

    private static Publication.Hour hour(
            String scenario,
            Scenario.Repeat repeat,
            @Nullable Double rate,
            @Nullable Double first) {
        AcceptLatency latency = repeat.figures().latencies().acceptLatencyMs();
        Double drift =
                rate == null || first == null || first == 0 ? null : 100 * (rate / first - 1);
        List<String> reasons = new ArrayList<>(repeat.validity().reasons());
        if (!Boolean.TRUE.equals(repeat.warmUp().steady())) {
            reasons.add("not known to be steady");
        }
        if (drift == null) {
            reasons.add("the rate is not known");
        } else if (Math.abs(drift) > RunRule.DRIFT_PERCENT_MAX) {
            reasons.add(String.format(
                    Locale.ROOT,
                    "the rate differs by %+.1f %% from that of the first hour (at most %.0f %%)",
                    drift,
                    RunRule.DRIFT_PERCENT_MAX));
        }
        return new Publication.Hour(
                scenario,
                repeat.repeat(),
                rate,
                latency == null ? null : latency.p99(),
                drift,
                reasons.isEmpty(),
                reasons);
    }
}
