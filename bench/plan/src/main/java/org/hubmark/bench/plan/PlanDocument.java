package org.hubmark.bench.plan;

import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Findings;
import org.hubmark.bench.kit.document.Form;
import org.hubmark.bench.kit.document.Kind;
import org.hubmark.bench.kit.document.Name;
import org.hubmark.bench.kit.document.Row;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * plan.json: what is known of the inputs of each plan. All steps, answers and checks follow from that,
 * and stand in the head of the file.
 */
public final class PlanDocument {
    private static final Name CASE = Name.of("case", "Case");
    private static final Name TITLE = Name.note("title", "Plan");
    private static final Name SOURCES = Name.note("sources", "");
    /** What makes the results that a plan is made of say less than they seem to. */
    static final Name CONDITIONS = Name.note("conditions", "");

    /** A row for each plan, for the file and for comparing. */
    static final Form PLANS = Form.totals(
            "plans",
            "",
            List.of(CASE, TITLE, SOURCES),
            PlanModel.ANSWERS.stream().map(answer -> answer.step().column()).toList(),
            List.of(),
            List.of());

    /** What plan writes. */
    public static final Kind KIND = new Kind(
            "plan",
            "plan.json",
            List.of(CONDITIONS),
            List.of(PLANS),
            Set.of(),
            PlanDocument::findings,
            PlanSections::of,
            PlanCharts::of);

    private PlanDocument() {}

    /** Where the inputs of a plan are from, by key. */
    private record Sources(Map<String, Source> byInput) {}

    /** {@return the names of the row of a plan} */
    static Map<Name, @Nullable Object> names(Plan plan) {
        Map<Name, @Nullable Object> names = new LinkedHashMap<>();
        names.put(CASE, plan.name());
        names.put(TITLE, plan.title());
        names.put(SOURCES, new Sources(plan.sources()));
        return names;
    }

    /** {@return the plans of a document} */
    static List<Plan> plans(Document document) {
        return document.table(PLANS).rows().stream().map(PlanDocument::plan).toList();
    }

    private static Plan plan(Row row) {
        return new Plan(
                row.name(CASE),
                row.name(TITLE),
                row.repeat(),
                Objects.requireNonNull(row.name(SOURCES, Sources.class)).byInput);
    }

    private static Findings findings(Document document) {
        List<Plan> plans = plans(document);
        List<String> lines = new ArrayList<>();
        List<String> parts = new ArrayList<>();
        List<String> reasons = new ArrayList<>();
        boolean isAsked = false;
        for (Plan plan : plans) {
            if (plans.size() > 1) {
                lines.add(plan.title());
                parts.add(plan.title());
            }
            lines.addAll(PlanAnswer.of(plan));
            parts.addAll(PlanAnswer.parts(plan));
            for (PlanModel.Check check : plan.checks()) {
                isAsked |= !check.informs();
                if (!check.informs() && !plan.isMet(check)) {
                    reasons.add(PlanAnswer.words(plan, check));
                }
            }
        }
        Map<String, @Nullable Object> facts = new LinkedHashMap<>();
        facts.put("met", reasons.isEmpty());
        facts.putAll(PlanFacts.of(plans));
        return new Findings(
                "Plan: " + (plans.size() == 1 ? plans.getFirst().title() : "published cases"),
                String.join("\n", lines),
                reasons.isEmpty() ? Findings.Outcome.GOOD : Findings.Outcome.NOT_MET,
                !reasons.isEmpty() ? "not met" : isAsked ? "met" : "nothing asked for",
                reasons,
                document.texts(CONDITIONS),
                facts,
                List.of(),
                parts);
    }
}
