package org.hubmark.bench.results.compare;

import org.hubmark.bench.kit.document.JsonFile;
import org.hubmark.bench.kit.statistics.Interval;
import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * A comparison for programs (docs/ci.md). Names are the component names in snake case; what
 * isn't known is null.
 *
 * @param schema the version of this form
 * @param a what is compared with
 * @param b what is judged
 * @param smallest a smaller difference, as a share, does not matter
 * @param failIfSlower the slowdown, as a share, that was asked for; null for none
 * @param scenarios those that were compared
 * @param notCompared what could not be, and why
 * @param remarks what must be known of the whole
 */
public record ComparisonJson(
        int schema,
        String a,
        String b,
        double smallest,
        @Nullable Double failIfSlower,
        List<Scenario> scenarios,
        List<String> notCompared,
        List<String> remarks) {
    /**
     * Two scenarios.
     *
     * @param id of both, or of either
     * @param verdict faster, slower, equivalent, not distinguishable, no verdict or not valid
     * @param by the quantity that the verdict rests on: rate, cycles, writes, p95 or p99; null when it isn't
     *     known of both
     * @param regression not worse, too noisy to tell, not valid or worse; null unless it was asked for
     */
    public record Scenario(
            String id,
            String verdict,
            @Nullable String by,
            @Nullable String regression,
            List<Quantities> effects,
            List<String> remarks) {}

    /**
     * How one quantity differs.
     *
     * @param ratio of the geometric means, b over a
     * @param interval of the ratio, 95 %; null when either has less than two repeats
     * @param detectable the smallest difference, as a share, that these repeats would have shown
     */
    public record Quantities(
            String quantity,
            String unit,
            double ratio,
            @Nullable Interval interval,
            @Nullable Double detectable) {}

    /** {@return the form of a comparison} */
    public static ComparisonJson of(
            String a, String b, Comparison comparison, Rule rule, @Nullable Double failIfSlower) {
        return new ComparisonJson(
                JsonFile.SCHEMA,
                a,
                b,
                rule.smallest(),
                failIfSlower,
                comparison.pairs().stream()
                        .map(pair -> scenario(pair, failIfSlower))
                        .toList(),
                comparison.unmatched(),
                comparison.remarks());
    }

    /** {@return it as JSON, over several lines} */
    public String json() {
        return JsonFile.text(this);
    }

    private static Scenario scenario(Pair pair, @Nullable Double limit) {
        Effect decisive = pair.decisive();
        return new Scenario(
                pair.id(),
                pair.verdict().text(),
                decisive == null ? null : name(decisive.quantity()),
                limit == null ? null : Regressions.outcome(pair, limit).text(),
                pair.effects().stream().map(ComparisonJson::quantities).toList(),
                pair.remarks());
    }

    private static Quantities quantities(Effect effect) {
        return new Quantities(
                name(effect.quantity()),
                effect.quantity().unit(),
                effect.ratio().value(),
                effect.interval(),
                effect.ratio().detectable());
    }

    private static String name(Quantity quantity) {
        return quantity.toString();
    }
}
