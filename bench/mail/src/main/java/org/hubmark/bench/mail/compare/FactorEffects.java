package org.hubmark.bench.mail.compare;

import org.hubmark.bench.kit.compare.Rule;
import org.hubmark.bench.kit.compare.Verdict;
import org.hubmark.bench.kit.statistics.Digits;
import org.hubmark.bench.kit.statistics.Holm;
import org.hubmark.bench.kit.statistics.Ratio;
import org.hubmark.bench.machine.volumes.DeviceProfile;
import org.hubmark.bench.mail.document.Condition;
import org.hubmark.bench.mail.document.Conditions;
import org.hubmark.bench.mail.document.FactorEffect;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.Scenario;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

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
            double[] single = ratios.stream().mapToDouble(Ratio::value).sorted().toArray();
            boolean isRate = quantity == Quantity.RATE;
            return new FactorEffect(
                    quantity.toString(),
                    factor,
                    baseline,
                    level,
                    mean == null ? null : (Double) mean.value(),
                    mean == null ? null : mean.interval(),
                    mean == null ? 1 : mean.level(),
                    mean == null ? null : (Double) single[0],
                    mean == null ? null : (Double) single[single.length - 1],
                    ratios.size(),
                    mean == null
                            ? QUEUE_NOT_WRITTEN
                            : Verdict.of(mean, isRate, Rule.USUAL.smallest()).text());
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
        add(quantity, MailComparison.SIZE, FactorEffects::bySize, effects);
        for (Condition condition :
                Conditions.varied(scenarios.stream().map(Scenario::conditions).toList())) {
            // A rate that was asked for has no effect on the rate: it is the rate.
            if (condition != Condition.ASKED_RATE || quantity != Quantity.RATE) {
                add(quantity, condition.key(), one -> by(condition, one), effects);
            }
        }
        return effects;
    }

    private static Place bySize(Scenario scenario) {
        String level = Digits.plain(scenario.messageSizeKb()) + " KB";
        return new Place(level, List.of(scenario.conditions().known()));
    }

    private static Place by(Condition condition, Scenario scenario) {
        Conditions under = scenario.conditions();
        Conditions rest = under.with(condition, null);
        if (condition == Condition.FLUSH
                && under.get(Condition.DEVICE_PROFILE) instanceof String profile) {
            // The name of an emulated disk tells its write cache too.
            rest = rest.with(Condition.DEVICE_PROFILE, DeviceProfile.withoutCache(profile));
        }
        return new Place(
                condition.word(under.get(condition)).orElse(""),
                List.of(scenario.messageSizeKb(), rest.known()));
    }

    private void add(Quantity quantity, String name, Factor factor, List<Pairs> effects) {
        Set<String> levels = new LinkedHashSet<>();
        scenarios.forEach(scenario -> levels.add(factor.of(scenario).level()));
        levels.remove("");
        if (levels.size() < 2) {
            return;
        }
        String off = Condition.FLUSH.word("sent").orElseThrow();
        String baseline = levels.contains(off) ? off : levels.iterator().next();
        for (String level : levels) {
            if (!level.equals(baseline)) {
                Pairs pairs = pairs(quantity, name, factor, baseline, level);
                if (!pairs.ratios.isEmpty()) {
                    effects.add(pairs);
                }
            }
        }
    }

    private Pairs pairs(
            Quantity quantity, String name, Factor factor, String baseline, String level) {
        List<Ratio> pairs = new ArrayList<>();
        boolean isShown = true;
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
                    isShown &= !name.equals(Condition.LAYOUT.key())
                            || !(isUnwritten(first) || isUnwritten(second));
                }
            }
        }
        return new Pairs(quantity, name, baseline, level, pairs, isShown);
    }

    private static boolean isUnwritten(Scenario scenario) {
        Double written = scenario.get(Figure.QUEUE_BYTES_PER_ACCEPTED_BYTE);
        return written != null && written < QUEUE_WRITTEN_MIN;
    }
}
