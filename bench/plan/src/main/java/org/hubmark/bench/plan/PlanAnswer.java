package org.hubmark.bench.plan;

import org.hubmark.bench.kit.document.Formula;
import org.hubmark.bench.kit.document.Formula.OfColumn;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The answer in a few lines. */
final class PlanAnswer {
    private PlanAnswer() {}

    /** {@return the answers, what is there and what is needed} */
    static List<String> of(Plan plan) {
        List<String> lines = new ArrayList<>();
        plan.answers().forEach(answer -> lines.add(words(plan, answer)));
        for (PlanModel.Check check : plan.checks()) {
            lines.add(words(plan, check) + (plan.isMet(check) ? ": met" : ": not met"));
        }
        return lines;
    }

    /** {@return the answers again, each with what it is made of and what is assumed} */
    static List<String> parts(Plan plan) {
        List<String> lines = new ArrayList<>();
        for (PlanModel.Answer answer : plan.answers()) {
            lines.add(words(plan, answer));
            for (Formula part : plan.madeOf(answer.exact())) {
                if (part instanceof OfColumn step) {
                    lines.add("  " + part(plan, step));
                }
            }
            plan.notes(answer.exact()).forEach(note -> lines.add("  " + note));
            String assumed = plan.assumptions(answer.step()).stream()
                    .map(input -> input.label() + " " + plan.amount(input).text())
                    .collect(Collectors.joining(", "));
            if (!assumed.isEmpty()) {
                lines.add("  assumed: " + assumed);
            }
        }
        return lines;
    }

    private static String words(Plan plan, PlanModel.Answer answer) {
        return answer.step().column().label() + ": "
                + plan.amount(answer.step()).number();
    }

    /** {@return what is needed and what is there} */
    static String words(Plan plan, PlanModel.Check check) {
        Amount needed = plan.amount(check.needs());
        Amount there = check.has() instanceof Input input
                ? plan.amount(input)
                : Amount.of(plan.value(check.has()), needed.unit());
        return check.label() + ", " + needed.text() + " needed, " + there.text() + " there";
    }

    /** An estimate is worth what it was divided by. */
    private static String part(Plan plan, OfColumn step) {
        Formula formula = step.column().formula();
        return step.column().label() + ": " + plan.shown(step)
                + (formula instanceof Formula.Operation
                        ? " = " + formula.numbers(plan.inputs())
                        : "");
    }
}
