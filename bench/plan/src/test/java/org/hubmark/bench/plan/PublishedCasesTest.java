package org.hubmark.bench.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

import java.math.BigDecimal;
import java.util.List;

/**
 * Recomputes every figure of TR-3766, each by the formulas of the plan and beside it by hand, and holds
 * both against what is printed.
 */
@Tag("published")
class PublishedCasesTest {
    private static final List<Plan> CASES = PublishedCases.of(PublishedCases.PAM, new Collected());

    private static Plan plan(String id) {
        return CASES.stream().filter(plan -> plan.name().equals(id)).findFirst().orElseThrow();
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/published.csv", delimiter = '|')
    void everyFigureFollows(String id, String step, String expected) {
        Plan plan = plan(id);
        if (expected.equals("N/A")) {
            assertThat(plan.isKnown(PlanSteps.of(step))).isFalse();
            // Of what does not apply nothing is asked for.
            assertThat(plan.lacks(PlanSteps.of(step)).isEmpty())
                    .isEqualTo(step.startsWith("improvement_"));
            return;
        }
        BigDecimal value = new BigDecimal(expected);
        assertThat(plan.value(PlanSteps.of(step)))
                .isCloseTo(value.doubleValue(), within(0.51 * value.ulp().doubleValue()));
    }

    @Test
    void everyPrintedFigureAgrees() {
        for (Plan one : CASES) {
            List<PublishedCases.Printed> all = PublishedCases.printed(one.name());
            assertThat(all).hasSizeGreaterThanOrEqualTo(7);
            for (PublishedCases.Printed printed : all) {
                assertThat(printed.agrees(one.value(printed.step())))
                        .as("%s %s", one.name(), printed)
                        .isTrue();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "fas3040_sata, target_on, true",
        "fas3040_sata, target_off, false",
        "fas3170_fc, target_on, true",
        "fas3170_fc, target_off, true"
    })
    void targetsAreMetOrNot(String id, String check, boolean met) {
        assertThat(plan(id).checks())
                .filteredOn(one -> one.name().equals(check))
                .singleElement()
                .satisfies(one -> assertThat(plan(id).isMet(one)).isEqualTo(met));
    }

    @Test
    void anInputCanBeAnother() {
        Collected said = new Collected();
        said.said(PlanInputs.IOPS_PER_USER, 1.0, Source.given("--set"));
        Plan changed = PublishedCases.of(PublishedCases.PAM, said).getLast();
        assertThat(changed.value(CacheSteps.MORE_USERS)).isEqualTo(3764);
    }
}
