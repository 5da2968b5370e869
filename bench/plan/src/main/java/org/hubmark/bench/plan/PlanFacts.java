package org.hubmark.bench.plan;

import com.fasterxml.jackson.annotation.JsonValue;

import org.hubmark.bench.kit.document.Formula;
import org.hubmark.bench.kit.document.Formula.OfColumn;
import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/** What follows from plans, as the head of the file has it: lists, each with entries of each plan. */
final class PlanFacts {
    private PlanFacts() {}

    /** An entry, by key. One thread builds it. */
    private record Entry(@JsonValue Map<String, @Nullable Object> values) {
        private static Entry of(Plan plan) {
            return new Entry(new LinkedHashMap<>()).with("case", plan.name());
        }

        private Entry with(String key, @Nullable Object value) {
            values.put(key, value);
            return this;
        }
    }

    static Map<String, @Nullable Object> of(List<Plan> plans) {
        Map<String, @Nullable Object> facts = new LinkedHashMap<>();
        Map<String, Function<Plan, Stream<Entry>>> lists = new LinkedHashMap<>();
        lists.put("answers", PlanFacts::answers);
        lists.put("published", PlanFacts::published);
        lists.put("steps", PlanFacts::steps);
        lists.put("inputs", PlanFacts::inputs);
        lists.forEach((key, of) -> facts.put(key, plans.stream().flatMap(of).toList()));
        return facts;
    }

    private static Stream<Entry> answers(Plan plan) {
        return plan.answers().stream()
                .map(answer -> Entry.of(plan)
                        .with("name", Plan.key(answer.step()))
                        .with("label", answer.step().words())
                        .with("value", plan.amount(answer.step()))
                        .with("exact", plan.amount(answer.exact()))
                        .with("unit", answer.step().column().unit())
                        .with("assumptions", assumptions(plan, answer.step())));
    }

    private static Stream<Entry> published(Plan plan) {
        return PublishedCases.printed(plan.name()).stream()
                .map(figure -> Entry.of(plan)
                        .with("step", Plan.key(figure.step()))
                        .with("printed", figure.value())
                        .with("computed", plan.amount(figure.step()))
                        .with("agrees", figure.agrees(plan.value(figure.step()))));
    }

    private static Stream<Entry> steps(Plan plan) {
        return plan.chapters().stream()
                .flatMap(chapter -> chapter.steps().stream()
                        .map(step -> Entry.of(plan)
                                .with("chapter", chapter.title())
                                .with("name", Plan.key(step))
                                .with("label", step.words())
                                .with("result", plan.amount(step))
                                .with("unit", step.column().unit())
                                .with("formula", PlanChapter.formula(step).words())
                                .with("numbers", plan.numbers(step))
                                .with("inputs", madeOf(plan, step))
                                .with("assumptions", assumptions(plan, step))
                                .with("unknown", keys(plan.lacks(step)))
                                .with("notes", plan.notes(step))));
    }

    /** {@return the inputs of a step; a curve has no value} */
    private static List<Entry> madeOf(Plan plan, OfColumn step) {
        return plan.madeOf(step).stream()
                .map(one -> new Entry(new LinkedHashMap<>())
                        .with("name", Plan.key(one))
                        .with("value", one instanceof CurveInput ? null : plan.amount(one))
                        .with("unit", plan.amount(one).unit())
                        .with("from", from(plan.source(one))))
                .toList();
    }

    private static String from(@Nullable Source source) {
        return source == null ? "step" : source.words();
    }

    private static Stream<Entry> inputs(Plan plan) {
        return plan.used().stream().map(input -> {
            Source source = plan.source(input);
            return Entry.of(plan)
                    .with("label", input.label())
                    .with("value", plan.amount(input))
                    .with("unit", input.unit())
                    .with("kind", source == null ? null : source.kind())
                    .with("source", source == null ? null : source.where())
                    .with("bounds", input.bounds().words(input.unit()))
                    .with("name", input.key());
        });
    }

    private static List<String> assumptions(Plan plan, OfColumn step) {
        return keys(plan.assumptions(step));
    }

    private static List<String> keys(List<? extends Formula> of) {
        return of.stream().map(Plan::key).toList();
    }
}
