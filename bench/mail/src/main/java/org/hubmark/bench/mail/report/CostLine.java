package org.hubmark.bench.mail.report;

import org.hubmark.bench.mail.cost.CostFit;
import org.hubmark.bench.mail.cost.CostModels;
import org.hubmark.bench.mail.document.CostModel;
import org.hubmark.bench.mail.document.Results;
import org.hubmark.bench.mail.document.Scenario;
import org.hubmark.bench.mail.document.ScenarioNames;
import org.hubmark.bench.mail.document.Setup;

import java.util.List;

/** The scenarios that a cost model is fitted to. */
final class CostLine {
    private CostLine() {}

    /** {@return the valid repeats of the scenarios that a model is of} */
    static List<CostFit.Point> points(CostModel model, Results results) {
        return CostModels.points(of(model, results), CostModels.quantity(model.quantity()));
    }

    /** {@return the name for people; never empty, and marked if a scenario of it is unsafe} */
    static String markedName(CostModel model, Results results) {
        String name = name(model, results);
        return of(model, results).stream().anyMatch(Scenario::isUnsafe)
                ? name + " (" + ScenarioNames.UNSAFE + ")"
                : name;
    }

    /** {@return what tells a model from the others} */
    private static String name(CostModel model, Results results) {
        List<Setup> all = results.costModels().stream().map(CostModel::where).toList();
        List<String> words = model.where().words(Setup.varied(all));
        return words.isEmpty() ? "all" : String.join(", ", words);
    }

    private static List<Scenario> of(CostModel model, Results results) {
        return results.scenarios().stream()
                .filter(scenario -> model.where().equals(scenario.conditions().setup()))
                .toList();
    }
}
