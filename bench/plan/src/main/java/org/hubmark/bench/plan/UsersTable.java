package org.hubmark.bench.plan;

import org.hubmark.bench.kit.document.Formula.OfColumn;
import org.hubmark.bench.kit.document.Listing;
import org.hubmark.bench.kit.document.Listing.Row;
import org.hubmark.bench.kit.document.Name;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Plans again for other numbers of users. */
final class UsersTable {
    private static final Name CASE = new Name("case", "", true);
    private static final Name NAME = new Name("name", "", true);
    private static final Name LABEL = Name.note("label", "Figure");

    /** Multiples of the users of the plan. */
    static final List<Double> FACTORS = List.of(0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 3.0);

    private static final List<OfColumn> STEPS = List.of(
            SizingSteps.MESSAGES_PER_S,
            SizingSteps.OCTETS_PER_S,
            SizingSteps.CPU_PERCENT_NEEDED,
            SizingSteps.TARGET_DB_IOPS,
            SizingSteps.LATENCY_AT_TARGET,
            SizingSteps.CAPACITY_GB,
            SizingSteps.DRIVES_FOR_IO,
            SizingSteps.DRIVES_FOR_CAPACITY,
            SizingSteps.DRIVES_NEEDED);

    private UsersTable() {}

    static Listing of(List<Plan> plans) {
        List<Row> rows = new ArrayList<>();
        for (Plan plan : plans) {
            List<OfColumn> known = STEPS.stream().filter(plan::isKnown).toList();
            if (plan.isKnown(PlanInputs.USERS) && !known.isEmpty()) {
                rows.add(row(plan, "users", "users", other -> other.number(PlanInputs.USERS)));
                for (OfColumn step : known) {
                    String assumed = plan.assumptions(step).isEmpty() ? "" : " (assumed)";
                    rows.add(row(
                            plan,
                            Plan.key(step),
                            step.column().heading() + assumed,
                            other -> other.number(step)));
                }
                for (PlanModel.Check check : plan.checks()) {
                    rows.add(row(
                            plan,
                            check.name(),
                            "enough: " + check.label(),
                            other -> other.checks().contains(check)
                                    ? (Boolean) other.isMet(check)
                                    : null));
                }
            }
        }
        return new Listing("what_if", "What if: the same for fewer and for more users", "", rows);
    }

    private static Row row(
            Plan plan, String name, String label, Function<Plan, @Nullable Object> value) {
        Row row = new Row().with(CASE, plan.name()).with(NAME, name).with(LABEL, label);
        FACTORS.forEach(factor -> row.with(share(factor), value.apply(with(plan, factor))));
        return row;
    }

    private static Name share(double factor) {
        long percent = Math.round(100 * factor);
        return Name.note("at_" + percent + "_percent", percent + " %");
    }

    private static Plan with(Plan plan, double factor) {
        return plan.with(PlanInputs.USERS, plan.value(PlanInputs.USERS) * factor);
    }

    /** {@return points of users and of a step over them} */
    static List<List<Double>> points(Plan plan, OfColumn step) {
        List<List<Double>> points = new ArrayList<>();
        for (double factor : FACTORS) {
            Plan other = with(plan, factor);
            if (other.isKnown(step)) {
                points.add(List.of(other.value(PlanInputs.USERS), other.value(step)));
            }
        }
        return points;
    }
}
