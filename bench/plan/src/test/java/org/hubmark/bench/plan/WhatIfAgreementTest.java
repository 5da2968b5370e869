package org.hubmark.bench.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.hubmark.bench.kit.document.Bounds;
import org.hubmark.bench.kit.document.Curve;
import org.hubmark.bench.kit.document.Formula.CurveInput;
import org.hubmark.bench.kit.document.Formula.Input;
import org.hubmark.bench.kit.document.Formula.OfColumn;
import org.hubmark.bench.kit.document.WhatIfPage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.ScriptableObject;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Holds the page what-if.html against the program: the same plans, with inputs drawn at random and some
 * left unknown, are computed by the JavaScript of the page and by the formulas in Java, and every step
 * has to come out the same, and to rest on the same inputs.
 */
class WhatIfAgreementTest {
    private static final int PLANS = 120;
    private static final double NEAR = 1e-12;
    private static final ObjectMapper JSON = new ObjectMapper();

    private Context context;
    private ScriptableObject scope;

    @BeforeEach
    void load() throws IOException {
        context = Context.enter();
        context.setInterpretedMode(true);
        context.setLanguageVersion(Context.VERSION_ES6);
        scope = context.initSafeStandardObjects();
    }

    @AfterEach
    void leave() {
        context.close();
    }

    private Object evaluate(String script) {
        return context.evaluateString(scope, script, "page", 1, null);
    }

    @Test
    void everyStepComesOutTheSame() throws IOException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int known = 0;
        for (int i = 0; i < PLANS; i++) {
            known += agrees(plan(random), "seed " + seed + ", plan " + i);
        }
        // Else nothing would have been compared.
        assertThat(known).as("seed %d", seed).isGreaterThan(PLANS * 10);
    }

    @Test
    void publishedCasesComeOutTheSame() throws IOException {
        for (Plan one : PublishedCases.of(PublishedCases.PAM, new Collected())) {
            assertThat(agrees(one, one.name())).isGreaterThan(20);
        }
    }

    @Test
    void aNumberCanBeTheSame() throws IOException {
        evaluate(WhatIfPage.script(PlanDocument.whatIf(List.of())));
        List<Input> inputs = PlanInputs.all();
        for (int i = 0; i < inputs.size(); i++) {
            for (double value : new double[] {-1, 0, 0.5, 1, 24, 25, 100, 101, 1e9}) {
                assertThat(evaluate("hubmarkPlan.allows(hubmarkModel.inputs[" + i + "], " + value
                                + ")"))
                        .as("%s %s", inputs.get(i).key(), value)
                        .isEqualTo(inputs.get(i).bounds().allows(value));
            }
        }
    }

    private int agrees(Plan plan, String what) throws IOException {
        evaluate(WhatIfPage.script(PlanDocument.whatIf(List.of(plan))));
        // What isn't a number is null there.
        JsonNode computed =
                JSON.readTree(Context.toString(evaluate("var one = hubmarkModel.cases[0];"
                        + "JSON.stringify(hubmarkPlan.compute(one.values, one.curves))")));
        int known = 0;
        for (OfColumn step : PlanModel.steps()) {
            JsonNode theirs = computed.path("values").path(Plan.key(step));
            assertThat(theirs.isNull())
                    .as("%s of %s", Plan.key(step), what)
                    .isEqualTo(!plan.isKnown(step));
            if (plan.isKnown(step)) {
                known++;
                double ours = plan.value(step);
                assertThat(theirs.asDouble())
                        .as("%s of %s", Plan.key(step), what)
                        .isCloseTo(ours, within(NEAR * Math.abs(ours)));
                List<String> inputs = new ArrayList<>();
                computed.path("inputs")
                        .path(Plan.key(step))
                        .forEach(input -> inputs.add(input.asText()));
                inputs.removeIf(input -> input.startsWith("chapter_"));
                assertThat(inputs)
                        .as("inputs of %s of %s", Plan.key(step), what)
                        .containsExactlyInAnyOrderElementsOf(
                                plan.restsOn(step).stream().map(Plan::key).toList());
            }
        }
        for (int i = 0; i < PlanModel.CHECKS.size(); i++) {
            PlanModel.Check check = PlanModel.CHECKS.get(i);
            JsonNode theirs = computed.path("checks").path(i);
            assertThat(theirs.path("has").isNull()).isEqualTo(!plan.isKnown(check.has()));
            if (plan.checks().contains(check)) {
                assertThat(theirs.path("has").asDouble() >= theirs.path("needs").asDouble())
                        .as("%s of %s", check.name(), what)
                        .isEqualTo(plan.isMet(check));
            }
        }
        return known;
    }

    private static Plan plan(Random random) {
        Collected all = new Collected();
        for (Input input : PlanInputs.all()) {
            if (random.nextInt(8) > 0) {
                all.said(input, value(input, random), Source.given("--set"));
            }
        }
        for (CurveInput curve : PlanInputs.curves()) {
            if (random.nextBoolean()) {
                List<Curve.Point> points = new ArrayList<>();
                for (int i = random.nextInt(6) + 1; i > 0; i--) {
                    points.add(new Curve.Point(
                            random.nextInt(2000),
                            curve.key().startsWith("hit_") || curve.key().startsWith("profile_")
                                    ? random.nextDouble()
                                    : random.nextInt(60) * 0.5));
                }
                all.measured(curve, points, Source.measured(""));
            }
        }
        return Plan.of("plan", "random", all, PlanModel.CHAPTERS);
    }

    private static double value(Input input, Random random) {
        Bounds bounds = input.bounds();
        double low =
                bounds.above() != null ? bounds.above() : bounds.from() != null ? bounds.from() : 0;
        double high = bounds.to() != null ? bounds.to() : low + Math.pow(10, random.nextInt(5));
        double value = low + (high - low) * (1 - random.nextDouble());
        return random.nextBoolean() ? Math.max(Math.ceil(value * 100) / 100, value) : value;
    }
}
