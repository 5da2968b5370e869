package org.hubmark.bench.mail.report;

import org.hubmark.bench.kit.page.Block;
import org.hubmark.bench.kit.page.TableCell;
import org.hubmark.bench.kit.statistics.Digits;
import org.hubmark.bench.mail.document.Scenario;
import org.hubmark.bench.mail.document.Warnings;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/** What has to be known of the figures of a scenario, in a word or two. */
final class Marks {
    private Marks() {}

    /**
     * {@return what stands in the head of a column, in capitals}
     *
     * @param rough whether it was measured so briefly that little is certain
     */
    static List<Block.Mark> of(Scenario scenario, boolean rough) {
        List<Block.Mark> marks = new ArrayList<>();
        if (Dimensions.isUnsafe(scenario)) {
            marks.add(Dimensions.UNSAFE_MARK);
        }
        if (!scenario.validity().valid()) {
            marks.add(new Block.Mark("NOT VALID", Block.Tone.PROBLEM));
        }
        warnings(scenario, rough)
                .forEach(word -> marks.add(new Block.Mark(word, Block.Tone.WARNING)));
        return marks;
    }

    private static List<String> warnings(Scenario scenario, boolean rough) {
        List<String> words = new ArrayList<>();
        if (rough) {
            words.add("ROUGH");
        }
        if (count(scenario, false) > 0) {
            words.add("NOT STEADY");
        } else if (!isSteady(scenario) && !scenario.repeats().isEmpty()) {
            words.add("STEADY?");
        }
        Double trend = scenario.spread().throughputTrendPercent();
        if (trend != null) {
            words.add(trend > 0 ? "RATE RISES" : "RATE FALLS");
        }
        if (!Warnings.shared(scenario).isEmpty()) {
            words.add("DISTURBED");
        }
        return words;
    }

    /** {@return whether the load was steady before the measured time; null where that isn't known} */
    static @Nullable String steady(Scenario scenario) {
        int unsteady = count(scenario, false);
        if (unsteady > 0) {
            return "no, " + unsteady + " of " + scenario.repeats().size();
        }
        return isSteady(scenario) ? "yes" : null;
    }

    /** {@return the rate to be read first: of repeats with a trend no single figure stands for all} */
    static TableCell headline(Scenario scenario, TableCell rate) {
        Double low = scenario.spread().throughputMsgsPerSMin();
        Double high = scenario.spread().throughputMsgsPerSMax();
        return scenario.spread().throughputTrendPercent() == null || low == null || high == null
                ? rate
                : rate.as(Digits.ofRange(low, high, new double[0], 0) + " to "
                        + Digits.ofRange(high, low, new double[0], 0));
    }

    private static boolean isSteady(Scenario scenario) {
        int repeats = scenario.repeats().size();
        return repeats > 0 && count(scenario, true) == repeats;
    }

    private static int count(Scenario scenario, boolean steady) {
        return (int) scenario.repeats().stream()
                .filter(repeat ->
                        repeat.warmUp().steady() != null && repeat.warmUp().steady() == steady)
                .count();
    }
}
