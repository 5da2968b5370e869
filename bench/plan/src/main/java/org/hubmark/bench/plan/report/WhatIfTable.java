package org.hubmark.bench.plan.report;

import org.hubmark.bench.kit.page.Block;
import org.hubmark.bench.kit.page.Cells;
import org.hubmark.bench.plan.Check;
import org.hubmark.bench.plan.Plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The plan again for other numbers of users. */
final class WhatIfTable {
    /** Of the users of the plan. */
    static final List<Double> FACTORS = List.of(0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 3.0);

    private static final List<String> STEPS = List.of(
            "messages_per_s",
            "octets_per_s",
            "cpu_percent_needed",
            "target_db_iops",
            "latency_at_target",
            "capacity_gb",
            "drives_for_io",
            "drives_for_capacity",
            "drives_needed");

    private WhatIfTable() {}

    /** {@return the table; none where users are not an input} */
    static Optional<Block> of(Plan plan) {
        double users = plan.values().number("users");
        if (Double.isNaN(users)) {
            return Optional.empty();
        }
        List<String> steps =
                STEPS.stream().filter(step -> plan.value(step) != null).toList();
        if (steps.isEmpty()) {
            return Optional.empty();
        }
        List<Plan> plans = FACTORS.stream()
                .map(factor -> plan.with(plan.values().with("users", users * factor)))
                .toList();
        List<String> headings = new ArrayList<>(List.of("Users"));
        FACTORS.forEach(factor -> headings.add(Numbers.text(users * factor)));
        List<List<String>> rows = new ArrayList<>();
        for (String step : steps) {
            boolean assumed = !plan.step(step).orElseThrow().assumptions().isEmpty();
            List<String> row = new ArrayList<>(List.of(plan.model().label(step) + " ("
                    + plan.model().unit(step) + ")" + (assumed ? PlanReport.ASSUMED : "")));
            plans.forEach(other -> row.add(Numbers.text(other.value(step))));
            rows.add(row);
        }
        for (Plan.Checked check : plan.checks()) {
            String label = check.check().label();
            List<String> row = new ArrayList<>(List.of("enough: " + label));
            plans.forEach(other -> row.add(met(other, check.check())));
            rows.add(row);
        }
        return Optional.of(
                new Block.Grid("The same for fewer and for more users", headings, rows, Set.of(0)));
    }

    private static String met(Plan plan, Check check) {
        return plan.checks().stream()
                .filter(one -> one.check().equals(check))
                .findFirst()
                .map(one -> Boolean.TRUE.equals(one.met()) ? "yes" : "no")
                .orElse(Cells.UNKNOWN);
    }

    /** {@return points of users and of a step over them} */
    static List<List<Double>> points(Plan plan, String step) {
        double users = plan.values().number("users");
        List<List<Double>> points = new ArrayList<>();
        for (double factor : FACTORS) {
            Double value = Double.isNaN(users)
                    ? null
                    : plan.with(plan.values().with("users", users * factor)).value(step);
            if (value != null) {
                points.add(List.of(users * factor, value));
            }
        }
        return points;
    }
}
