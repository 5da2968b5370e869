package org.hubmark.bench.machine.volumes;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * Whether a volume had come to a steady rate, by the rule of SNIA's Solid State Storage Performance Test
 * Specification (steady state): over five windows no rate is further than 10 % from their mean, and the
 * straight line through them rises or falls by 10 % of it at most. Writing and reading each keep it.
 *
 * @param steady whether the last five windows keep the rule
 * @param windowLengthS length of a window
 * @param windows all of them, in their order
 */
public record Steadiness(boolean steady, double windowLengthS, List<Rates> windows) {
    static final int WINDOWS = 5;
    private static final double SHARE_MAX = 0.1;

    /** Copies the list. */
    public Steadiness {
        windows = List.copyOf(windows);
    }

    /**
     * What a volume did in a window, in which it was written and read in turn.
     *
     * @param writeMbPerS MB of 1000 KB in a second of writing
     * @param readMbPerS the same of reading
     */
    public record Rates(double writeMbPerS, double readMbPerS) {
        /** {@return them as a line says it} */
        public String words() {
            return String.format(
                    Locale.ROOT, "write %.0f MB/s, read %.0f MB/s", writeMbPerS, readMbPerS);
        }
    }

    /** {@return how steady the last windows are} */
    static Steadiness of(double windowLengthS, List<Rates> windows) {
        return new Steadiness(
                isSteady(last(windows, Rates::writeMbPerS))
                        && isSteady(last(windows, Rates::readMbPerS)),
                windowLengthS,
                windows);
    }

    private static List<Double> last(List<Rates> windows, ToDoubleFunction<Rates> rate) {
        List<Double> last = new ArrayList<>();
        for (Rates one : windows.subList(Math.max(0, windows.size() - WINDOWS), windows.size())) {
            last.add(rate.applyAsDouble(one));
        }
        return last;
    }

    /** {@return whether the rates of five windows keep the rule} */
    static boolean isSteady(List<Double> rates) {
        return rates.size() == WINDOWS && range(rates) <= SHARE_MAX && slope(rates) <= SHARE_MAX;
    }

    /** How far the furthest is from the mean, as a share of it. */
    private static double range(List<Double> rates) {
        double mean = mean(rates);
        return rates.stream().mapToDouble(rate -> Math.abs(rate - mean)).max().orElse(0) / mean;
    }

    /** By how much the straight line of least squares rises or falls, as a share of the mean. */
    private static double slope(List<Double> rates) {
        double middle = (rates.size() - 1) / 2.0;
        double products = 0;
        double squares = 0;
        for (int i = 0; i < rates.size(); i++) {
            products += (i - middle) * rates.get(i);
            squares += (i - middle) * (i - middle);
        }
        return Math.abs(products / squares) * (rates.size() - 1) / mean(rates);
    }

    private static double mean(List<Double> rates) {
        return rates.stream().mapToDouble(Double::doubleValue).average().orElse(Double.NaN);
    }

    /** {@return what was found, in words} */
    public String words() {
        String seen = windows.size() + " windows of "
                + String.format(Locale.ROOT, windowLengthS < 1 ? "%.3f" : "%.0f", windowLengthS)
                + " s";
        if (windows.size() < WINDOWS) {
            return "not steady: " + seen + ", of " + WINDOWS + " that it takes";
        }
        return (steady ? "steady" : "not steady") + " after " + seen + ": of the last " + WINDOWS
                + ", "
                + words("writing", last(windows, Rates::writeMbPerS)) + ", "
                + words("reading", last(windows, Rates::readMbPerS));
    }

    private static String words(String what, List<Double> rates) {
        return String.format(
                Locale.ROOT,
                "%s %.0f MB/s within %.1f %% and a slope of %.1f %%",
                what,
                mean(rates),
                100 * range(rates),
                100 * slope(rates));
    }

    /** {@return the mean rate of writing of the last windows; null where there is none} */
    @Nullable
    Double writeMbPerS() {
        return windows.isEmpty() ? null : (Double) mean(last(windows, Rates::writeMbPerS));
    }
}
