package org.hubmark.bench.mail.cost;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.statistics.Interval;
import org.hubmark.bench.mail.document.CostModel;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.Scenario;
import org.hubmark.bench.mail.document.Setup;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The cost models of a matrix: for the scenarios that differ in nothing but size, a line through each
 * of four costs, fitted to all valid repeats.
 */
public final class CostModels {
    private static final List<Column> QUANTITIES = List.of(
            Figure.CPU_COST_MCYCLES_PER_MSG,
            Figure.CPU_COST_PROCESS_MCYCLES_PER_MSG,
            Figure.LOG_WRITES_PER_MSG,
            Figure.QUEUE_WRITES_PER_MSG);

    private CostModels() {}

    /** {@return a model of each cost of all that have sizes enough} */
    public static List<CostModel> of(List<Scenario> scenarios) {
        Map<Setup, List<Scenario>> groups = new LinkedHashMap<>();
        for (Scenario scenario : scenarios) {
            groups.computeIfAbsent(scenario.conditions().setup(), where -> new ArrayList<>())
                    .add(scenario);
        }
        List<CostModel> models = new ArrayList<>();
        groups.forEach((where, group) -> QUANTITIES.forEach(figure -> {
            CostFit fit = CostFit.of(points(group, figure));
            if (fit != null) {
                models.add(new CostModel(
                        where,
                        figure.key(),
                        fit.a(),
                        interval(fit.a(), fit.aMargin()),
                        fit.b(),
                        interval(fit.b(), fit.bMargin()),
                        fit.rSquared(),
                        fit.residualMaxPercent(),
                        fit.points()));
            }
        }));
        return models;
    }

    private static Interval interval(double middle, double margin) {
        return new Interval(middle - margin, middle + margin);
    }

    /** {@return the valid repeats of some scenarios} */
    private static List<CostFit.Point> points(List<Scenario> group, Column figure) {
        List<CostFit.Point> points = new ArrayList<>();
        for (Scenario scenario : group) {
            for (Scenario.Repeat repeat : scenario.repeats()) {
                Double cost = repeat.validity().valid() ? repeat.get(figure) : null;
                if (cost != null) {
                    points.add(new CostFit.Point(scenario.messageSizeKb(), cost));
                }
            }
        }
        return points;
    }
}
