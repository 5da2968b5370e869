package org.hubmark.bench.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.hubmark.bench.plan.formula.Curve;
import org.hubmark.bench.plan.report.WhatIfPage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.ScriptableObject;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

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
        evaluate(WhatIfPage.formulas(Model.OURS));
        evaluate(WhatIfPage.computation());
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
        for (PublishedCases.Case one : PublishedCases.of(PublishedCases.PAM, Map.of())) {
            assertThat(agrees(one.plan(), one.plan().name())).isGreaterThan(20);
        }
    }

    private int agrees(Plan plan, String what) throws IOException {
        // What isn't a number is null there.
        JsonNode computed = JSON.readTree(Context.toString(
                evaluate("var hubmarkModel = " + WhatIfPage.model(List.of(plan)) + ";"
                        + "var one = hubmarkModel.cases[0];"
                        + "JSON.stringify(hubmarkPlan.compute(hubmarkModel, hubmarkSteps, hubmarkFormulas,"
                        + " one.values, one.curves, one.wanted))")));
        int known = 0;
        for (Step step : Model.OURS.steps()) {
            JsonNode theirs = computed.path("values").path(step.name());
            Double ours = plan.value(step.name());
            assertThat(theirs.isNull()).as("%s of %s", step.name(), what).isEqualTo(ours == null);
            if (ours != null) {
                known++;
                assertThat(theirs.asDouble())
                        .as("%s of %s", step.name(), what)
                        .isCloseTo(ours, within(NEAR * Math.abs(ours)));
                List<String> inputs = new ArrayList<>();
                computed.path("inputs")
                        .path(step.name())
                        .forEach(input -> inputs.add(input.asText()));
                assertThat(inputs)
                        .as("inputs of %s of %s", step.name(), what)
                        .containsExactlyInAnyOrderElementsOf(
                                plan.step(step.name()).orElseThrow().inputs());
            }
        }
        return known;
    }

    private static Plan plan(Random random) {
        Map<String, Values.Given> numbers = new LinkedHashMap<>();
        for (Input input : Model.OURS.inputs().values()) {
            if (random.nextInt(8) > 0) {
                numbers.put(
                        input.name(),
                        new Values.Given(value(input, random), Source.given("--set")));
            }
        }
        Map<String, Values.GivenCurve> curves = new LinkedHashMap<>();
        for (String name : Model.OURS.curves().keySet()) {
            if (random.nextBoolean()) {
                List<Curve.Point> points = new ArrayList<>();
                for (int i = random.nextInt(6) + 1; i > 0; i--) {
                    points.add(new Curve.Point(
                            random.nextInt(2000),
                            name.startsWith("hit_") || name.startsWith("profile_")
                                    ? random.nextDouble()
                                    : random.nextInt(60) * 0.5));
                }
                curves.put(name, new Values.GivenCurve(new Curve(points), Source.measured("")));
            }
        }
        Set<String> chapters = new LinkedHashSet<>();
        Model.OURS.chapters().forEach(chapter -> chapters.add(chapter.name()));
        return Plan.of(
                "plan", "random", Model.OURS, Values.of(Model.OURS, numbers, curves), chapters);
    }

    private static double value(Input input, Random random) {
        double low =
                input.above() != null ? input.above() : input.from() != null ? input.from() : 0;
        double high = input.to() != null ? input.to() : low + Math.pow(10, random.nextInt(5));
        double value = low + (high - low) * (1 - random.nextDouble());
        return random.nextBoolean() ? Math.max(Math.ceil(value * 100) / 100, value) : value;
    }
}
