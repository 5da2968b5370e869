package org.hubmark.bench.results.compare;

import org.hubmark.bench.kit.compare.Verdict;
import org.hubmark.bench.kit.statistics.Digits;
import org.hubmark.bench.kit.statistics.Interval;
import org.hubmark.bench.kit.statistics.Ratio;
import org.jspecify.annotations.Nullable;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** A comparison on a terminal. */
public final class ComparisonText {
    /** A larger difference, as a share, is no figure. */
    private static final double DETECTABLE_MAX = 9;

    private ComparisonText() {}

    /** Prints it. */
    public static void print(Comparison comparison, Rule rule, PrintStream out) {
        int width = comparison.pairs().stream()
                .mapToInt(pair -> pair.id().length())
                .max()
                .orElse(0);
        width = Math.max(width, "scenario".length());
        out.printf(
                Locale.ROOT,
                "%-" + width + "s  %-11s  %12s  %12s  %8s  %s%n",
                "scenario",
                "",
                "A",
                "B",
                "B to A",
                "95 % interval");
        for (Pair pair : comparison.pairs()) {
            String label = pair.id();
            for (Effect effect : pair.effects()) {
                out.printf(
                        Locale.ROOT,
                        "%-" + width + "s  %-11s  %12s  %12s  %8s  %s%n",
                        label,
                        effect.quantity().unit(),
                        effect.before(),
                        effect.after(),
                        percent(effect.ratio().value()),
                        interval(effect.interval()));
                label = "";
            }
        }
        out.println();
        for (Pair pair : comparison.pairs()) {
            out.println(pair.id() + ": " + verdict(pair));
            power(pair, rule).ifPresent(line -> out.println("  " + line));
            for (Effect effect : pair.tail()) {
                Verdict tail = effect.verdict(rule.smallest());
                if (tail == Verdict.SLOWER || tail == Verdict.FASTER) {
                    out.println("  " + verdict(effect, rule.smallest()));
                }
            }
            pair.remarks().forEach(remark -> out.println("  " + remark));
        }
        if (comparison.pairs().size() > 1) {
            out.println(summary(comparison.pairs()));
        }
        comparison.unmatched().forEach(line -> out.println("not compared: " + line));
        comparison.remarks().forEach(line -> out.println("note: " + line));
        out.flush();
    }

    /** {@return the verdict in one line, with what it rests on} */
    public static String verdict(Pair pair) {
        Effect by = pair.decisive();
        if (pair.verdict() == Verdict.NOT_VALID) {
            // Why stands among the remarks.
            return pair.faults().stream()
                    .map(Pair.Fault::name)
                    .collect(Collectors.joining(" and ", pair.verdict().text() + ": ", ""));
        }
        if (by == null) {
            return pair.verdict().text();
        }
        Interval interval = by.interval();
        String within = pair.verdict() == Verdict.EQUIVALENT && interval != null
                ? String.format(
                        Locale.ROOT,
                        " within %.1f %%",
                        100 * Math.max(interval.high() - 1, 1 - interval.low()))
                : "";
        return pair.verdict().text() + within + ", by " + by.quantity().title() + ": B "
                + percent(by.ratio().value()) + " (" + interval(interval) + ")";
    }

    /**
     * {@return the verdict on a quantity beside what decides}
     *
     * @param smallest a smaller difference, as a share, does not matter
     */
    static String verdict(Effect effect, double smallest) {
        return effect.verdict(smallest).text() + ", by " + effect.quantity().title() + ": B "
                + percent(effect.ratio().value()) + " (" + interval(effect.interval()) + ")";
    }

    /** The difference that the repeats detect, where they detected none. */
    private static Optional<String> power(Pair pair, Rule rule) {
        Effect by = pair.decisive();
        Double detectable = by == null ? null : by.ratio().detectable();
        if (by == null || detectable == null || pair.verdict() != Verdict.NOT_DISTINGUISHABLE) {
            return Optional.empty();
        }
        Integer repeats = by.ratio().repeatsToShow(rule.shown());
        return Optional.of(String.format(
                Locale.ROOT,
                "these repeats %s; to detect %3$s %%, %2$s repeats of each are needed",
                detectable > DETECTABLE_MAX
                        ? "differ too much to detect a factor of ten"
                        : String.format(
                                Locale.ROOT,
                                "detect a difference of %.0f %% (in %.0f of 100 cases)",
                                Math.ceil(100 * detectable),
                                100 * Ratio.POWER),
                repeats == null ? "more than 1,000" : String.valueOf(repeats),
                Digits.text(100 * rule.shown(), new double[0], 1)));
    }

    /** {@return how many of each verdict, and how many of them chance makes} */
    private static String summary(List<Pair> pairs) {
        StringBuilder text = new StringBuilder();
        for (Verdict verdict : Verdict.values()) {
            long count =
                    pairs.stream().filter(pair -> pair.verdict() == verdict).count();
            if (count > 0) {
                text.append(text.isEmpty() ? "" : ", ").append(count + " " + verdict.text());
            }
        }
        // Of intervals of 95 % one in twenty leaves the truth out.
        String chance = pairs.size() < 20
                ? ""
                : "; chance alone makes about " + Math.round(pairs.size() / 20.0)
                        + " of them faster or slower";
        return pairs.size() + " scenarios: " + text + chance;
    }

    private static String interval(@Nullable Interval interval) {
        return interval == null ? "-" : interval.changes();
    }

    private static String percent(double ratio) {
        return String.format(Locale.ROOT, "%+.1f %%", (ratio - 1) * 100);
    }
}
