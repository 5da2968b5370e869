package org.hubmark.bench.mail.report;

import org.hubmark.bench.kit.page.Block;
import org.hubmark.bench.kit.page.TableCell;
import org.hubmark.bench.kit.statistics.Digits;
import org.hubmark.bench.mail.document.Scenario;
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
        List<String> words = new ArrayList<>();
        if (rough) {
            words.add("ROUGH");
        }
        if (count(scenario, false) > 0) {
            words.add("NOT STEADY");
        }
        Double trend = scenario.spread().throughputTrendPercent();
        if (trend != null) {
            words.add(trend > 0 ? "RATE RISES" : "RATE FALLS");
        }
        if (scenario.repeats().stream().anyMatch(one -> !one.disturbances().isEmpty())) {
            words.add("DISTURBED");
        }
        words.forEach(word -> marks.add(new Block.Mark(word, Block.Tone.WARNING)));
        return marks;
    }

    /** {@return whether the load was steady before the measured time; null where there are no repeats} */
    static @Nullable String steady(Scenario scenario) {
        int repeats = scenario.repeats().size();
        int unsteady = count(scenario, false);
        if (unsteady > 0) {
            return "no, " + unsteady + " of " + repeats;
        }
        return repeats == 0 ? null : count(scenario, true) == repeats ? "yes" : "not shown";
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

    private static int count(Scenario scenario, Boolean steady) {
        return (int) scenario.repeats().stream()
                .filter(repeat -> steady.equals(repeat.warmUp().steady()))
                .count();
    }
}
