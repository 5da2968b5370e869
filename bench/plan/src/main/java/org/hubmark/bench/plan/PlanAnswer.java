package org.hubmark.bench.plan;

import org.hubmark.bench.kit.document.Formula;
import org.hubmark.bench.kit.document.Formula.OfColumn;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The answer in a few lines. */
final class PlanAnswer {
    private PlanAnswer() {}

    /** {@return the answers, what is there and what is needed} */
    static List<String> of(Plan plan) {
        List<String> lines = new ArrayList<>();
        plan.answers().forEach(answer -> lines.add(words(plan, answer)));
        lines.addAll(plan.faults());
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
            Set<Formula> parts = new LinkedHashSet<>(plan.madeOf(answer.exact()));
            parts.addAll(answer.beside());
            for (Formula part : parts) {
                if (part instanceof OfColumn step && plan.isKnown(step)) {
                    lines.add("  " + part(plan, step));
                }
            }
            notes(plan, answer.exact()).forEach(note -> lines.add("  " + note));
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
        return check.label() + ", " + plan.amount(check.needs()).text() + " needed, "
                + plan.there(check).text() + " there";
    }

    /** {@return what to know of a step and of all steps that it is made of} */
    private static Set<String> notes(Plan plan, OfColumn step) {
        Set<String> notes = new LinkedHashSet<>(plan.notes(step));
        for (Formula part : plan.madeOf(step)) {
            if (part instanceof OfColumn earlier) {
                notes.addAll(notes(plan, earlier));
            }
        }
        return notes;
    }

    /** An estimate is worth what it was divided by. */
    private static String part(Plan plan, OfColumn step) {
        Formula formula = PlanChapter.formula(step);
        return step.column().label() + ": " + plan.shown(step)
                + (formula instanceof Formula.Operation ? " = " + plan.numbers(step) : "");
    }
}
