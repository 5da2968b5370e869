package org.hubmark.bench.mail.report;

import org.hubmark.bench.kit.page.Block;
import org.hubmark.bench.kit.page.Cells;
import org.hubmark.bench.kit.statistics.Interval;
import org.hubmark.bench.mail.compare.Quantity;
import org.hubmark.bench.mail.document.Condition;
import org.hubmark.bench.mail.document.FactorEffect;
import org.hubmark.bench.mail.document.Results;
import org.hubmark.bench.mail.document.Scenario;
import org.hubmark.bench.mail.document.ScenarioNames;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What a matrix answers: the effect of each factor. */
final class Effects {
    private Effects() {}

    /** {@return what each level of a factor is worth, a sentence each; or why that is not known} */
    static List<String> sentences(List<FactorEffect> effects, ScenarioNames names) {
        List<Optional<Condition>> factors = new ArrayList<>();
        names.varied().forEach(condition -> factors.add(Optional.of(condition)));
        if (names.scenarios().stream()
                        .map(Scenario::messageSizeKb)
                        .filter(Double::isFinite)
                        .distinct()
                        .count()
                > 1) {
            factors.add(Optional.empty());
        }
        List<String> sentences = new ArrayList<>();
        for (Optional<Condition> factor : factors) {
            Map<String, List<FactorEffect>> byLevel = effects.stream()
                    .filter(effect -> condition(effect).equals(factor))
                    .collect(Collectors.groupingBy(
                            FactorEffect::level, LinkedHashMap::new, Collectors.toList()));
            // With its write cache on, an emulated disk has another name.
            if (byLevel.isEmpty() && !factor.equals(Optional.of(Condition.DEVICE_PROFILE))) {
                sentences.add("The effect of " + name(factor)
                        + " is not known: no two valid cells differ only in it.");
            }
            byLevel.values().stream()
                    // Sizes between are in the table.
                    .skip(factor.isPresent() ? 0 : Math.max(0, byLevel.size() - 1))
                    .forEach(level -> sentences.add(sentence(level, names)));
        }
        return sentences;
    }

    private static String name(Optional<Condition> factor) {
        return factor.map(condition -> switch (condition) {
                    case LAYOUT -> "a log volume of its own";
                    case FLUSH -> "write caching";
                    default -> "the " + condition.title().toLowerCase(Locale.ROOT);
                })
                .orElse("the size");
    }

    /** {@return a sentence of the effects of one level, on the rate and on the cycles} */
    private static String sentence(List<FactorEffect> effects, ScenarioNames names) {
        FactorEffect first = effects.getFirst();
        return subject(first)
                + (isUnsafe(first, names) ? " (" + ScenarioNames.UNSAFE + ")" : "")
                + (first.ratio() == null
                        ? ": " + first.verdict()
                        : effects.stream()
                                .map(Effects::predicate)
                                .collect(Collectors.joining(", and")))
                + ".";
    }

    private static String subject(FactorEffect effect) {
        Condition condition = condition(effect).orElse(null);
        if (condition == Condition.FLUSH) {
            return "Write caching";
        }
        boolean isApart = condition == Condition.LAYOUT
                && Condition.LAYOUT.word("one").equals(Optional.of(effect.baseline()))
                && Condition.LAYOUT.word("apart").equals(Optional.of(effect.level()));
        String words = (condition == null ? "a size of " : "") + effect.level() + " instead of "
                + effect.baseline();
        return isApart
                ? "A log volume of its own"
                : words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
    }

    private static String predicate(FactorEffect effect) {
        boolean isRate = effect.quantity().equals(Quantity.RATE.toString());
        String what = isRate ? "the rate" : "the cycles of a message";
        double ratio = Objects.requireNonNull(effect.ratio());
        Interval interval = effect.interval();
        if (interval != null && interval.low() <= 1 && interval.high() >= 1) {
            return " shows no difference in " + what + ": " + percent(ratio) + ", interval "
                    + effect.intervalText();
        }
        return (ratio < 1 ? " lowers " : " raises ")
                + what
                + String.format(Locale.ROOT, " by %.1f %%, ", 100 * Math.abs(ratio - 1))
                + (interval == null ? "measured once" : "interval " + effect.intervalText());
    }

    /** {@return whether a level endangers mail, and what it is compared with does not} */
    private static boolean isUnsafe(FactorEffect effect, ScenarioNames names) {
        Set<String> unsafe = names.scenarios().stream()
                .filter(Scenario::isUnsafe)
                .flatMap(scenario -> condition(effect).stream()
                        .flatMap(one -> one.word(scenario.conditions().get(one)).stream()))
                .collect(Collectors.toSet());
        return unsafe.contains(effect.level()) && !unsafe.contains(effect.baseline());
    }

    /** {@return the condition that an effect is of; empty for the size of messages} */
    private static Optional<Condition> condition(FactorEffect effect) {
        return Arrays.stream(Condition.values())
                .filter(condition -> condition.key().equals(effect.factor()))
                .findFirst();
    }

    /** {@return a row each level of a factor; none where nothing was varied} */
    static Block.Grid table(Results results) {
        List<List<String>> rows = new ArrayList<>();
        for (FactorEffect effect : results.effects()) {
            rows.add(List.of(
                    factor(effect),
                    effect.quantity(),
                    percent(effect.ratio()),
                    effect.intervalText(),
                    String.valueOf(effect.cells()),
                    effect.verdict()));
        }
        return new Block.Grid(
                        "Each level compared with the first, over all cells that differ in nothing"
                                + " else",
                        List.of("Factor", "On", "Effect", "Interval (level)", "Pairs", "Verdict"),
                        rows)
                .with(Set.of(1, 5));
    }

    private static String factor(FactorEffect effect) {
        return effect.level() + ", compared with " + effect.baseline();
    }

    private static String percent(@Nullable Double ratio) {
        return ratio == null
                ? Cells.UNKNOWN
                : String.format(Locale.ROOT, "%+.1f %%", 100 * (ratio - 1));
    }
}
