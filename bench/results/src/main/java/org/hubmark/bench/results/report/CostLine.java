package org.hubmark.bench.results.report;

import org.hubmark.bench.results.CostModel;
import org.hubmark.bench.results.Results;
import org.hubmark.bench.results.Scenario;
import org.hubmark.bench.results.Setup;
import org.hubmark.bench.results.cost.CostFit;
import org.hubmark.bench.results.cost.CostModels;

import java.util.List;

/** The scenarios that a cost model is fitted to, and the check that the model follows from them. */
final class CostLine {
    private CostLine() {}

    /** {@return the valid repeats of the scenarios that a model is of} */
    static List<CostFit.Point> points(CostModel model, Results results) {
        return CostModels.points(of(model, results), CostModels.quantity(model.quantity()));
    }

    /** {@return the name for people; never empty, and marked if a scenario of it is unsafe} */
    static String markedName(CostModel model, Results results) {
        String name = name(model, results);
        return of(model, results).stream().anyMatch(Dimensions::isUnsafe)
                ? name + " (" + Dimensions.UNSAFE + ")"
                : name;
    }

    /** {@return what tells a model from the others} */
    private static String name(CostModel model, Results results) {
        List<Setup> all = results.costModels().stream().map(CostModel::where).toList();
        List<String> words = model.where().words(Setup.varied(all));
        return words.isEmpty() ? "all" : String.join(", ", words);
    }

    /** Fits every model anew. */
    static void check(Results results, SelfCheck.Collector collector) {
        for (CostModel model : results.costModels()) {
            List<CostFit.Point> points = points(model, results);
            String where = "cost model of " + model.quantity() + " (" + name(model, results) + ")";
            String source = "least squares over the valid repeats";
            collector.compare("", where, "points", model.points(), points.size(), source);
            CostFit fit = CostFit.of(points);
            if (fit != null) {
                collector.compare("", where, "a", model.a(), fit.a(), source);
                collector.compare("", where, "b_per_kb", model.bPerKb(), fit.b(), source);
            }
        }
    }

    private static List<Scenario> of(CostModel model, Results results) {
        return results.scenarios().stream()
                .filter(scenario -> model.where().equals(scenario.conditions().setup()))
                .toList();
    }
}
