package org.hubmark.bench.mail.compare;

import org.hubmark.bench.kit.compare.Rule;
import org.hubmark.bench.kit.compare.Verdict;
import org.hubmark.bench.kit.statistics.Holm;
import org.hubmark.bench.kit.statistics.Ratio;
import org.hubmark.bench.machine.volumes.DeviceProfile;
import org.hubmark.bench.mail.document.Condition;
import org.hubmark.bench.mail.document.Conditions;
import org.hubmark.bench.mail.document.FactorEffect;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.Scenario;
import org.hubmark.bench.mail.document.ScenarioNames;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * The effects of the factors of a matrix: for each condition that its cells differ in, and for the
 * size of messages, each level beside the first, cell by cell with all else equal.
 */
public final class FactorEffects {
    /** Verdict on a layout whose cells can't show it. */
    public static final String QUEUE_NOT_WRITTEN =
            "not known: the queue volume was not written, so a layout can't show an effect; take a load of"
                    + " which mail waits (--deliver hold, and a --checkpoint-depth that it outgrows)";

    /**
     * Octets to the queue volume for each accepted one. Mail that waits is written there once or more; what
     * is written of mail that does not is the database's own.
     */
    private static final double QUEUE_WRITTEN_MIN = 0.05;

    private final List<Scenario> scenarios;
    private final List<Pairs> found = new ArrayList<>();

    private FactorEffects(List<Scenario> scenarios) {
        this.scenarios = scenarios;
        List<Condition> varied =
                Conditions.varied(scenarios.stream().map(Scenario::conditions).toList());
        for (Quantity quantity : List.of(Quantity.RATE, Quantity.CYCLES)) {
            add(quantity, null);
            for (Condition condition : varied) {
                // A rate that was asked for has no effect on the rate: it is the rate.
                if (condition != Condition.ASKED_RATE || quantity != Quantity.RATE) {
                    add(quantity, condition);
                }
            }
        }
    }

    /** {@return the effects on the rate and on the cycles of a message; none without a matrix} */
    public static List<FactorEffect> of(List<Scenario> scenarios) {
        List<Pairs> all = new FactorEffects(scenarios.stream()
                        .filter(scenario -> scenario.validity().valid())
                        .toList())
                .found;
        // They are read together, so they are judged together.
        Iterator<Ratio> judged = Holm.judged(all.stream()
                        .filter(Pairs::isShown)
                        .map(one -> Ratio.mean(one.ratios))
                        .toList())
                .iterator();
        return all.stream()
                .map(one -> one.effect(one.isShown() ? judged.next() : null))
                .toList();
    }

    /** The pairs of cells that differ in a level of one factor and in nothing else. */
    private record Pairs(
            Quantity quantity,
            String factor,
            String baseline,
            String level,
            List<Ratio> ratios,
            boolean isShown) {
        /** {@return what the pairs show; null where a load can't show it} */
        private FactorEffect effect(@Nullable Ratio mean) {
            boolean isRate = quantity == Quantity.RATE;
            return new FactorEffect(
                    quantity.toString(),
                    factor,
                    baseline,
                    level,
                    mean == null ? null : (Double) mean.value(),
                    mean == null ? null : mean.interval(),
                    mean == null ? 1 : mean.level(),
                    ratios.size(),
                    mean == null
                            ? QUEUE_NOT_WRITTEN
                            : Verdict.of(mean, isRate, Rule.USUAL.smallest()).text());
        }
    }

    /**
     * Takes down each level of a factor beside the first, of the write cache beside off.
     *
     * @param factor null for the size of messages
     */
    private void add(Quantity quantity, @Nullable Condition factor) {
        Map<String, List<Scenario>> byLevel = scenarios.stream()
                .collect(Collectors.groupingBy(
                        one -> level(one, factor), LinkedHashMap::new, Collectors.toList()));
        byLevel.remove("");
        String off = Condition.FLUSH.word("sent").orElseThrow();
        String baseline = byLevel.containsKey(off)
                ? off
                : byLevel.keySet().stream().findFirst().orElse("");
        List<Scenario> first = byLevel.remove(baseline);
        byLevel.forEach((level, second) -> {
            List<Ratio> ratios = new ArrayList<>();
            boolean isShown = true;
            for (Scenario from : Objects.requireNonNull(first)) {
                for (Scenario to : second) {
                    double[] before = quantity.values(from);
                    double[] after = quantity.values(to);
                    boolean isGiven =
                            quantity == Quantity.RATE && from.rateAsked() && to.rateAsked();
                    if (rest(from, factor).equals(rest(to, factor))
                            && !isGiven
                            && before.length > 0
                            && after.length > 0) {
                        ratios.add(Ratio.of(before, after));
                        isShown &= factor != Condition.LAYOUT
                                || !(isUnwritten(from) || isUnwritten(to));
                    }
                }
            }
            if (!ratios.isEmpty()) {
                String name = factor == null ? MailComparison.SIZE : factor.key();
                found.add(new Pairs(quantity, name, baseline, level, ratios, isShown));
            }
        });
    }

    /** {@return a level of a factor; empty where it isn't known} */
    private static String level(Scenario scenario, @Nullable Condition factor) {
        return factor == null
                ? ScenarioNames.size(scenario.messageSizeKb())
                : factor.word(scenario.conditions().get(factor)).orElse("");
    }

    /** {@return all else: scenarios that have it alike differ in nothing but the factor} */
    private static List<Object> rest(Scenario scenario, @Nullable Condition factor) {
        Conditions under = scenario.conditions();
        if (factor == null) {
            return List.of(under.known());
        }
        Conditions rest = under.with(factor, null);
        if (factor == Condition.FLUSH
                && under.get(Condition.DEVICE_PROFILE) instanceof String profile) {
            // The name of an emulated disk tells its write cache too.
            rest = rest.with(Condition.DEVICE_PROFILE, DeviceProfile.withoutCache(profile));
        }
        return List.of(scenario.messageSizeKb(), rest.known());
    }

    private static boolean isUnwritten(Scenario scenario) {
        Double written = scenario.get(Figure.QUEUE_BYTES_PER_ACCEPTED_BYTE);
        return written != null && written < QUEUE_WRITTEN_MIN;
    }
}
