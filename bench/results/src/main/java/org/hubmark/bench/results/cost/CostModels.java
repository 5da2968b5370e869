package org.hubmark.bench.results.cost;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.statistics.Interval;
import org.hubmark.bench.results.Condition;
import org.hubmark.bench.results.Conditions;
import org.hubmark.bench.results.CostModel;
import org.hubmark.bench.results.Figure;
import org.hubmark.bench.results.Scenario;
import org.hubmark.bench.results.Setup;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The cost models of a matrix: for the scenarios that differ in nothing but size and rate, a
 * line through each of four costs, fitted to all valid repeats.
 */
public final class CostModels {
    private static final List<Column> QUANTITIES = List.of(
            Figure.CPU_COST_MCYCLES_PER_MSG,
            Figure.CPU_COST_PROCESS_MCYCLES_PER_MSG,
            Figure.LOG_WRITES_PER_MSG,
            Figure.QUEUE_WRITES_PER_MSG);

    private static final String FIXED = "fixed";

    private final Map<Setup, Map<String, CostFit>> fits = new LinkedHashMap<>();

    /** Fits all that have sizes enough. */
    public CostModels(List<Scenario> scenarios) {
        Map<Setup, List<Scenario>> groups = new LinkedHashMap<>();
        Map<Setup, String> rates = new LinkedHashMap<>();
        for (Scenario scenario : scenarios) {
            Setup where = scenario.conditions().setup().with(Condition.ASKED_RATE, null);
            // What a message costs at a rate of its own is not what it costs under full load.
            String rate = rates.computeIfAbsent(where, w -> rateKind(scenario.conditions()));
            if (rate.equals(rateKind(scenario.conditions()))) {
                groups.computeIfAbsent(where, w -> new ArrayList<>()).add(scenario);
            }
        }
        groups.forEach((where, group) -> QUANTITIES.forEach(figure -> {
            CostFit fit = CostFit.of(points(group, figure, true));
            if (fit != null) {
                fits.computeIfAbsent(where, w -> new LinkedHashMap<>()).put(figure.key(), fit);
            }
        }));
    }

    private static String rateKind(Conditions conditions) {
        Object rate = conditions.get(Condition.ASKED_RATE);
        return rate instanceof String asked && asked.startsWith("max") ? asked : FIXED;
    }

    /** {@return a quantity by its key} */
    public static Column quantity(String key) {
        return QUANTITIES.stream()
                .filter(figure -> figure.key().equals(key))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(key + " has no cost model"));
    }

    /**
     * {@return the valid repeats that a model of some scenarios is fitted to} A cost at a fixed rate is
     * not one at full load: the first scenario decides.
     */
    public static List<CostFit.Point> points(List<Scenario> scenarios, CostModel model) {
        List<Scenario> alike = scenarios.stream()
                .filter(scenario -> rateKind(scenario.conditions())
                        .equals(rateKind(scenarios.getFirst().conditions())))
                .toList();
        return points(alike, quantity(model.quantity()), model.fit().fits() != null);
    }

    /** At full load there is no background to bear, and none where the model knows of none. */
    private static List<CostFit.Point> points(
            List<Scenario> group, Column figure, boolean hasBackground) {
        List<CostFit.Point> points = new ArrayList<>();
        for (Scenario scenario : group) {
            Double rate = scenario.figures().get(Figure.THROUGHPUT_MSGS_PER_S);
            boolean given = hasBackground && rateKind(scenario.conditions()).equals(FIXED);
            double secondsPerMsg = given && rate != null && rate > 0 ? 1 / rate : 0;
            for (Scenario.Repeat repeat : scenario.repeats()) {
                Double cost = repeat.validity().valid() ? repeat.figures().get(figure) : null;
                if (cost != null) {
                    points.add(new CostFit.Point(scenario.messageSizeKb(), secondsPerMsg, cost));
                }
            }
        }
        return points;
    }

    /** {@return as they stand in the results; none where there were fewer than three sizes} */
    public List<CostModel> models() {
        List<CostModel> models = new ArrayList<>();
        fits.forEach((where, byQuantity) ->
                byQuantity.forEach((quantity, fit) -> models.add(new CostModel(
                        where,
                        quantity,
                        new CostModel.Line(
                                fit.a(),
                                interval(fit.a(), fit.aMargin()),
                                fit.b(),
                                interval(fit.b(), fit.bMargin()),
                                fit.background()),
                        new CostModel.Fit(
                                fit.rSquared(),
                                fit.residualMaxPercent(),
                                fit.points(),
                                fit.lackOfFitP(),
                                fit.leftOutMaxPercent(),
                                fit.misfit() == null,
                                fit.misfit())))));
        return models;
    }

    private static @Nullable Interval interval(double middle, double margin) {
        return Double.isNaN(margin) ? null : new Interval(middle - margin, middle + margin);
    }

    /**
     * {@return lines for people}
     *
     * @param predicted sizes to be told the cost of, KB of 1000
     */
    public List<String> lines(List<Double> predicted) {
        List<String> lines = new ArrayList<>();
        if (fits.isEmpty()) {
            lines.add("Cost model: none; it takes three message sizes or more.");
            return lines;
        }
        lines.add("Cost of a message = a + b x KB, by least squares of the relative residuals, with"
                + " 95 % intervals");
        List<Condition> varied = Setup.varied(fits.keySet());
        fits.forEach((where, byQuantity) -> {
            List<String> words = where.words(varied);
            lines.add("  " + (words.isEmpty() ? "all" : String.join(", ", words)));
            byQuantity.forEach((quantity, fit) -> {
                lines.add(line(quantity, fit));
                String misfit = fit.misfit();
                if (misfit != null) {
                    lines.add("      does not fit, so nothing is predicted: " + misfit);
                } else {
                    predicted.forEach(size -> lines.add(prediction(size, fit)));
                }
            });
        });
        return lines;
    }

    private static String line(String quantity, CostFit fit) {
        Double squared = fit.rSquared();
        Double residual = fit.residualMaxPercent();
        Double background = fit.background();
        Double leftOut = fit.leftOutMaxPercent();
        return String.format(
                Locale.ROOT,
                "    %-34s %s +- %s  +  (%s +- %s) x KB%s   R^2 %s, largest residual %s, a size left"
                        + " out is missed by %s at most, %d points",
                quantity,
                number(fit.a()),
                number(fit.aMargin()),
                number(fit.b()),
                number(fit.bMargin()),
                background == null ? "" : "  +  " + number(background) + " / rate",
                squared == null ? "-" : String.format(Locale.ROOT, "%.4f", squared),
                residual == null ? "-" : String.format(Locale.ROOT, "%.1f %%", residual),
                leftOut == null ? "-" : String.format(Locale.ROOT, "%.1f %%", leftOut),
                fit.points());
    }

    private static String prediction(double sizeKb, CostFit fit) {
        CostFit.Prediction prediction = fit.predict(sizeKb);
        return String.format(
                Locale.ROOT,
                "      predicted at %s KB: %s (a measurement lies within %s to %s with 95 %%)%s",
                number(sizeKb),
                number(prediction.cost()),
                number(prediction.low()),
                number(prediction.high()),
                fit.extrapolates(sizeKb) ? ", outside of the sizes measured" : "");
    }

    /** Four significant digits, without an exponent where that is readable. */
    private static String number(double value) {
        if (value == 0 || Double.isNaN(value)) {
            return value == 0 ? "0" : "-";
        }
        double size = Math.abs(value);
        if (size < 1e-4 || size >= 1e7) {
            return String.format(Locale.ROOT, "%.3e", value);
        }
        int decimals = Math.max(0, 3 - (int) Math.floor(Math.log10(size)));
        String text = String.format(Locale.ROOT, "%." + decimals + "f", value);
        return text.contains(".") ? text.replaceAll("0+$", "").replaceAll("\\.$", "") : text;
    }
}
