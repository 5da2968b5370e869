package org.hubmark.bench.plan.report;

import org.hubmark.bench.plan.Plan;
import org.hubmark.bench.plan.PlanResults;
import org.hubmark.bench.plan.Sensitivity;
import org.hubmark.bench.plan.StepResult;
import org.hubmark.bench.plan.formula.Expression;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The answer in a few lines. */
public final class PlanText {
    private PlanText() {}

    /** {@return the lines of all plans} */
    public static List<String> of(PlanResults results) {
        List<String> lines = new ArrayList<>();
        for (Plan plan : results.plans()) {
            if (results.plans().size() > 1) {
                lines.add(plan.title());
            }
            lines.addAll(of(plan));
        }
        return lines;
    }

    /** {@return the lines of one: answers with what they are made of, what is there and what is needed} */
    static List<String> of(Plan plan) {
        List<String> lines = new ArrayList<>();
        List<Sensitivity> all = Sensitivity.of(plan);
        for (StepResult answer : plan.answers()) {
            lines.add(answer.step().label() + ": " + Numbers.text(answer.value())
                    + dependsOn(plan, answer, all));
            StepResult exact = exact(plan, answer);
            List<String> parts = new ArrayList<>(exact.used());
            parts.addAll(answer.step().beside());
            for (String part : parts) {
                plan.step(part)
                        .filter(step -> step.value() != null)
                        .ifPresent(step -> lines.add("  " + part(plan, step)));
            }
            notes(plan, exact).forEach(note -> lines.add("  " + note));
        }
        for (Plan.Checked one : plan.checks()) {
            lines.add(words(plan, one) + (Boolean.TRUE.equals(one.met()) ? ": met" : ": not met"));
        }
        return lines;
    }

    /** {@return what makes a demand one that is not met} */
    public static List<String> notMet(PlanResults results) {
        List<String> reasons = new ArrayList<>();
        if (!results.met()) {
            for (Plan plan : results.plans()) {
                for (Plan.Checked one : plan.checks()) {
                    if (!one.check().informs() && Boolean.FALSE.equals(one.met())) {
                        reasons.add(words(plan, one));
                    }
                }
            }
        }
        return reasons;
    }

    /** {@return what a name in a formula stands for, as a number; a curve by its name} */
    static String inNumbers(Plan plan, String name) {
        if (plan.values().curves().containsKey(name)) {
            return plan.model().label(name);
        }
        double value = plan.values().number(name);
        return Numbers.text(Double.isNaN(value) ? plan.value(name) : (Double) value);
    }

    private static String words(Plan plan, Plan.Checked one) {
        String unit = plan.model().unit(one.check().needs());
        return one.check().label() + ", " + Numbers.text(one.needs(), unit) + " needed, "
                + Numbers.text(one.has(), unit) + " there";
    }

    private static StepResult exact(Plan plan, StepResult answer) {
        String exact = answer.step().exact();
        return exact == null ? answer : plan.step(exact).orElse(answer);
    }

    /** Of all that it is made of: an answer that rests on the most that was measured may be more. */
    private static Set<String> notes(Plan plan, StepResult result) {
        Set<String> notes = new LinkedHashSet<>(result.notes());
        result.used()
                .forEach(
                        name -> plan.step(name).ifPresent(step -> notes.addAll(notes(plan, step))));
        return notes;
    }

    /** An estimate is worth what it was divided by. */
    private static String part(Plan plan, StepResult step) {
        Expression expression = step.step().expression();
        return step.step().label() + ": " + Numbers.text(step.value())
                + (expression instanceof Expression.Binary
                        ? " = " + expression.words(name -> inNumbers(plan, name))
                        : "");
    }

    private static String dependsOn(Plan plan, StepResult answer, List<Sensitivity> all) {
        return all.stream()
                .filter(one -> one.answer().equals(answer.step().name()))
                .findFirst()
                .map(one -> "; depends most on " + plan.model().label(one.input())
                        + (one.assumption() ? ", which is assumed" : ""))
                .orElse("");
    }
}
