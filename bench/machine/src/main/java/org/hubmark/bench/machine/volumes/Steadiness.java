package org.hubmark.bench.machine.volumes;

import org.hubmark.bench.machine.statistics.SteadyWindows;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * Whether a volume had come to a steady rate, by the rule of {@link SteadyWindows}. Writing and reading each
 * keep it.
 *
 * @param steady whether the last five windows keep the rule
 * @param windowLengthS length of a window
 * @param windows all of them, in their order
 */
public record Steadiness(boolean steady, double windowLengthS, List<Rates> windows) {
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
                last(windows, Rates::writeMbPerS).isSteady()
                        && last(windows, Rates::readMbPerS).isSteady(),
                windowLengthS,
                windows);
    }

    private static SteadyWindows last(List<Rates> windows, ToDoubleFunction<Rates> rate) {
        List<Double> last = new ArrayList<>();
        int first = Math.max(0, windows.size() - SteadyWindows.COUNT);
        for (Rates one : windows.subList(first, windows.size())) {
            last.add(rate.applyAsDouble(one));
        }
        return SteadyWindows.of(last);
    }

    /** {@return what was found, in words} */
    public String words() {
        String seen = windows.size() + " windows of "
                + String.format(Locale.ROOT, windowLengthS < 1 ? "%.3f" : "%.0f", windowLengthS)
                + " s";
        if (windows.size() < SteadyWindows.COUNT) {
            return "not steady: " + seen + ", of " + SteadyWindows.COUNT + " that it takes";
        }
        return (steady ? "steady" : "not steady") + " after " + seen + ": of the last "
                + SteadyWindows.COUNT
                + ", "
                + words("writing", last(windows, Rates::writeMbPerS)) + ", "
                + words("reading", last(windows, Rates::readMbPerS));
    }

    private static String words(String what, SteadyWindows rates) {
        return String.format(
                Locale.ROOT,
                "%s %.0f MB/s within %.1f %% and a slope of %.1f %%",
                what,
                rates.mean(),
                100 * rates.rangeShare(),
                100 * rates.slopeShare());
    }

    /** {@return the mean rate of writing of the last windows; null where there is none} */
    @Nullable
    Double writeMbPerS() {
        return windows.isEmpty()
                ? null
                : (Double) last(windows, Rates::writeMbPerS).mean();
    }
}
