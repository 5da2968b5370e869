package org.hubmark.bench.results.compare;

import org.hubmark.bench.kit.compare.Rule;
import org.hubmark.bench.kit.compare.Verdict;
import org.hubmark.bench.kit.statistics.Digits;
import org.hubmark.bench.kit.statistics.Holm;
import org.hubmark.bench.kit.statistics.Ratio;
import org.hubmark.bench.machine.volumes.DeviceProfile;
import org.hubmark.bench.results.Condition;
import org.hubmark.bench.results.FactorEffect;
import org.hubmark.bench.results.Scenario;
import org.hubmark.bench.results.Setup;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The effects of the factors of a matrix: for each condition that its cells differ in, and for the
 * size of messages, each level beside the first, cell by cell with all else equal.
 */
public final class FactorEffects {
    private final List<Scenario> scenarios;

    private FactorEffects(List<Scenario> scenarios) {
        this.scenarios = scenarios;
    }

    /** {@return the effects on the rate and on the cycles of a message; none without a matrix} */
    public static List<FactorEffect> of(List<Scenario> scenarios) {
        FactorEffects effects = new FactorEffects(scenarios.stream()
                .filter(scenario -> scenario.validity().valid())
                .toList());
        List<Pairs> all = Stream.of(Quantity.RATE, Quantity.CYCLES)
                .flatMap(quantity -> effects.on(quantity).stream())
                .toList();
        // They are read together, so they are judged together.
        List<Ratio> judged = Holm.judged(all.stream().map(Pairs::mean).toList());
        return IntStream.range(0, all.size())
                .mapToObj(i -> all.get(i).effect(judged.get(i)))
                .toList();
    }

    /** The pairs of cells that differ in a level of one factor and in nothing else. */
    private record Pairs(
            Quantity quantity, String factor, String baseline, String level, List<Ratio> ratios) {
        private Ratio mean() {
            return Ratio.mean(ratios);
        }

        private FactorEffect effect(Ratio mean) {
            double[] single = ratios.stream().mapToDouble(Ratio::value).sorted().toArray();
            return new FactorEffect(
                    quantity.toString(),
                    factor,
                    baseline,
                    level,
                    mean.value(),
                    mean.interval(),
                    mean.level(),
                    single[0],
                    single[single.length - 1],
                    ratios.size(),
                    Verdict.of(mean, quantity == Quantity.RATE, Rule.USUAL.smallest())
                            .text());
        }
    }

    /**
     * What a scenario is in one respect, and what it is in all others.
     *
     * @param level of the factor; empty where it isn't known
     * @param rest scenarios with an equal rest differ in nothing but the factor
     */
    private record Place(String level, List<Object> rest) {}

    /** Finds the place of a scenario. */
    @FunctionalInterface
    private interface Factor {
        Place of(Scenario scenario);
    }

    private List<Pairs> on(Quantity quantity) {
        List<Pairs> effects = new ArrayList<>();
        add(quantity, Difference.SIZE, FactorEffects::bySize, effects);
        for (Condition condition : Setup.varied(
                scenarios.stream().map(one -> one.conditions().setup()).toList())) {
            // A rate that was asked for has no effect on the rate: it is the rate.
            if (condition != Condition.ASKED_RATE || quantity != Quantity.RATE) {
                add(quantity, condition.key(), one -> by(condition, one), effects);
            }
        }
        return effects;
    }

    private static Place bySize(Scenario scenario) {
        String level = Digits.plain(scenario.messageSizeKb()) + " KB";
        return new Place(level, List.of(scenario.conditions().setup()));
    }

    private static Place by(Condition condition, Scenario scenario) {
        Setup setup = scenario.conditions().setup();
        Setup rest = setup.with(condition, null);
        if (condition == Condition.FLUSH
                && setup.get(Condition.DEVICE_PROFILE) instanceof String profile) {
            // The name of an emulated disk tells its write cache too.
            rest = rest.with(Condition.DEVICE_PROFILE, DeviceProfile.withoutCache(profile));
        }
        return new Place(
                condition.word(setup.get(condition)).orElse(""),
                List.of(scenario.messageSizeKb(), rest));
    }

    private void add(Quantity quantity, String name, Factor factor, List<Pairs> effects) {
        Set<String> levels = new LinkedHashSet<>();
        scenarios.forEach(scenario -> levels.add(factor.of(scenario).level()));
        levels.remove("");
        if (levels.size() < 2) {
            return;
        }
        String baseline = levels.iterator().next();
        for (String level : levels) {
            List<Ratio> pairs = pairs(quantity, factor, baseline, level);
            if (!level.equals(baseline) && !pairs.isEmpty()) {
                effects.add(new Pairs(quantity, name, baseline, level, pairs));
            }
        }
    }

    private List<Ratio> pairs(Quantity quantity, Factor factor, String baseline, String level) {
        List<Ratio> pairs = new ArrayList<>();
        for (Scenario first : scenarios) {
            for (Scenario second : scenarios) {
                Place from = factor.of(first);
                Place to = factor.of(second);
                boolean alike = from.rest().equals(to.rest())
                        && from.level().equals(baseline)
                        && to.level().equals(level);
                boolean given = quantity == Quantity.RATE
                        && MailComparison.isGiven(first)
                        && MailComparison.isGiven(second);
                double[] before = quantity.values(first);
                double[] after = quantity.values(second);
                if (alike && !given && before.length > 0 && after.length > 0) {
                    pairs.add(Ratio.of(before, after));
                }
            }
        }
        return pairs;
    }
}
