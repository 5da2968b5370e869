package org.hubmark.bench.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.hubmark.core.UserError;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    private static double value(String id, String step) {
        return plan(id).value(PlanSteps.of(step));
    }

    @ParameterizedTest
    @CsvSource({
        "fas3040_sata, target_db_iops, 2400",
        "fas3170_fc, target_db_iops, 28800",
        "fas3040_sata, improvement_db_iops, 20.23",
        "fas3040_sata, improvement_db_reads_per_s, 21.04",
        "fas3040_sata, improvement_db_writes_per_s, 19.43",
        "fas3040_sata, improvement_avg_db_read_latency_ms, 15.79",
        "fas3040_sata, improvement_log_writes_per_s, 18.78",
        "fas3170_fc, improvement_db_iops, 13.04",
        "fas3170_fc, improvement_db_reads_per_s, 11.09",
        "fas3170_fc, improvement_db_writes_per_s, 15.00",
        "fas3170_fc, improvement_avg_db_read_latency_ms, 11.11",
        "fas3170_fc, improvement_log_writes_per_s, 8.60",
        "fas3170_fc, extra_db_iops, 3764",
        "fas3170_fc, more_by_io, 7841.67",
        "fas3170_fc, more_users, 7841",
        "fas3170_fc, storage_efficiency_percent, 53.07",
        "fas3170_fc, drive_iops_off, 156.91",
        "fas3170_fc, drive_iops_on, 177.36",
        "fas3170_fc, removable_by_capacity, 86",
        "fas3170_fc, removable_by_rate_off, 23.99",
        "fas3170_fc, removable_by_rate_on, 21.22",
        "fas3170_fc, removable_by_reads, 18.37",
        "fas3170_fc, removable_by_figure, 18.82",
        "fas3170_fc, removable_above_target, 21.62",
        "fas3170_fc, drives_saved, 18",
        "fas3040_sata, drives_saved, 13",
        "fas3040_sata, removable_by_reads, 14.255",
        "fas3170_fc, more_by_capacity, 53049.6",
        "fas3040_sata, extra_db_iops, 422",
        "fas3040_sata, more_by_io, 1406.67",
        "fas3040_sata, removable_by_rate_off, 16.59",
        "fas3040_sata, removable_by_rate_on, 13.80",
        "fas3040_sata, removable_above_target, 3.53",
    })
    void everyFigureFollows(String id, String step, double expected) {
        assertThat(value(id, step)).isCloseTo(expected, within(0.0051));
    }

    /** The same again, without the formulas of the plan. */
    @Test
    void figuresFollowByHandToo() {
        assertThat(value("fas3170_fc", "removable_by_rate_off"))
                .isCloseTo(3764.0 / (28871.0 / 184), within(1e-9));
        assertThat(value("fas3170_fc", "removable_by_rate_on"))
                .isCloseTo(3764.0 / (32635.0 / 184), within(1e-9));
        assertThat(value("fas3170_fc", "removable_by_reads"))
                .isCloseTo(184 * (1 - 14487.0 / 16094), within(1e-9));
        assertThat(value("fas3170_fc", "removable_by_figure")).isCloseTo(18.82, within(1e-9));
        assertThat(value("fas3170_fc", "storage_efficiency_percent"))
                .isCloseTo(100 * (60000 * 400 / 1024.0) / (184 * 300 * 0.8), within(1e-9));
        assertThat(value("fas3170_fc", "more_by_io")).isCloseTo(3764 / 0.48, within(1e-9));
        assertThat(value("fas3170_fc", "improvement_avg_db_read_latency_ms"))
                .isCloseTo(100 * (16.2 - 14.4) / 16.2, within(1e-9));
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

    @Test
    void whatIsPrintedAsNotApplicableIsNot() {
        for (String step : List.of(
                "improvement_avg_db_write_latency_ms", "improvement_avg_log_write_latency_ms")) {
            for (Plan one : CASES) {
                assertThat(one.isKnown(PlanSteps.of(step))).as("%s", step).isFalse();
                assertThat(one.lacks(PlanSteps.of(step))).isEmpty();
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
    void theAnswersSayWhatIsAssumedAndWhatIsNotKnown() {
        Plan fc = plan("fas3170_fc");
        assertThat(fc.assumptions(PlanSteps.of("removable_by_figure")))
                .contains(PlanInputs.DRIVE_IOPS_FIGURE);
        assertThat(fc.assumptions(PlanSteps.of("removable_by_rate_off"))).isEmpty();
        assertThat(fc.notes(PlanSteps.of("more_users_exact")))
                .containsExactly(
                        "not counted: step 3, cache: users whose metadata it still holds (unknown)",
                        "not counted: step 4, CPU: users that it still serves (unknown)");
        assertThat(plan("fas3040_sata").isKnown(CacheSteps.REMOVABLE_BY_FIGURE)).isFalse();
    }

    @Test
    void anInputCanBeAnother() {
        Collected said = new Collected();
        said.said(PlanInputs.IOPS_PER_USER, 1.0, Source.given("--set"));
        Plan changed = PublishedCases.of(PublishedCases.PAM, said).getLast();
        assertThat(changed.value(CacheSteps.MORE_USERS)).isEqualTo(3764);
    }

    @Test
    void anotherSourceIsRefused() {
        assertThatThrownBy(() -> PublishedCases.of("tr-1", new Collected()))
                .isInstanceOf(UserError.class)
                .hasMessage("--published tr-1: there is pam-tr3766, and no other source");
    }
}
