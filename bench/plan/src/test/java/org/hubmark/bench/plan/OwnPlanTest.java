package org.hubmark.bench.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.hubmark.bench.kit.document.Formula;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Arrays;
import java.util.Random;

/**
 * Proves what a plan makes of results, what it asks for and what it says of them, and what holds for every plan: more
 * users never need fewer drives. The folder results has documents of counters alone; plans.csv says what they are.
 */
class OwnPlanTest {
    private static final String RESULTS = "src/test/resources/results/";

    @ParameterizedTest
    @Tag("published")
    @CsvFileSource(resources = "/plans.csv", delimiter = '|')
    void followsFromResults(String from, @Nullable String said, String expected) {
        Plan plan = plan(from, said);
        for (String one : expected.split(" ", -1)) {
            String[] entry = one.split("=", -1);
            if (entry[0].equals("met")) {
                assertThat(isMet(plan)).isEqualTo(entry[1].equals("1"));
                continue;
            }
            Formula formula = PlanInputs.of(entry[0])
                    .<Formula>map(input -> input)
                    .orElseGet(() -> PlanSteps.of(entry[0]));
            assertThat(plan.isKnown(formula)).as(one).isEqualTo(!entry[1].equals("-"));
            if (plan.isKnown(formula)) {
                assertThat(plan.value(formula))
                        .as(one)
                        .isCloseTo(Double.parseDouble(entry[1]), within(1e-9));
            } else {
                assertThat(plan.amount(formula).text()).isEqualTo("-");
            }
        }
    }

    /** Drives differ ten thousandfold: none is assumed. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
             | users=1000 iops_per_user=1 | give --disk-iops N
             | drives=4 iops_per_user=1   | give --disk-iops N
             | users=10 iops_per_user=1 mailbox_mb=1 disk_gb=9 | give --disk-iops N
            on | users=10 drives=4 | --set drives_measured=N
            on | users=10 drives_measured=2 read_latency_limit_ms=3 | a drive of the measured storage gives no I/O within 3 ms of read latency; give a larger --set read_latency_limit_ms=N, or --disk-iops
            all on |               | cache modes all and metadata
            """)
    void asksForWhatItNeeds(@Nullable String from, @Nullable String said, String words) {
        assertThatThrownBy(() -> plan(from, said))
                .isInstanceOf(UserError.class)
                .hasMessageContaining(words);
    }

    @Test
    void saysWhatIsAssumedAndWhatIsNotKnown() {
        Plan plan = plan("on", "users=1000 disk_iops=55");
        assertThat(plan.assumptions(PlanSteps.of("target_db_iops")))
                .extracting(Input::key)
                .containsExactly("headroom_percent");
        assertThat(plan.assumptions(PlanSteps.of("drives_needed")))
                .extracting(Input::key)
                .contains("headroom_percent", "raid_write_penalty")
                .doesNotContain("db_read_percent");
        assertThat(plan("on", "users=1000 headroom_percent=0")
                        .notes(PlanSteps.of("users_held_exact")))
                .contains("not counted: users whose mailboxes the drives hold (unknown)");
        Plan users = plan("on users", "users=1000");
        assertThat(users.lacks(PlanSteps.of("messages_per_s")))
                .containsExactly(PlanInputs.PEAK_FACTOR);
        assertThat(users.source(PlanInputs.MESSAGES_SENT_PER_USER_DAY))
                .extracting(source -> source == null ? "" : source.where())
                .asString()
                .endsWith("level of 100 users");
    }

    /** A pass that a cache may have made, and other work on the machine, which leaves it without a verdict. */
    @Test
    void whatIsSaidOfResultsGoesWithThePlan() {
        assertThat(read(new Collected(), "array").warnings())
                .anyMatch(warning -> warning.contains("performance: volume /db is 8.0 % full"));
        assertThat(read(new Collected(), "busy").warnings())
                .anyMatch(warning -> warning.startsWith(RESULTS + "busy/qualification.json"
                        + ": not judged: performance: processes other than server and driver took"
                        + " 20.0%"));
    }

    @Test
    void moreUsersNeverNeedFewerDrives() {
        long seed = Long.getLong("hubmark.seed", 1);
        Random random = new Random(seed);
        for (int i = 0; i < 300; i++) {
            Collected inputs = given("users=" + (1 + random.nextInt(100_000))
                    + " iops_per_user=" + (0.01 + random.nextDouble())
                    + " mailbox_mb=" + (1 + random.nextInt(1000))
                    + " disk_gb=" + (2 + random.nextInt(4000))
                    + " disk_iops=" + (1 + random.nextInt(500))
                    + " db_read_percent=" + random.nextInt(101)
                    + " headroom_percent=" + random.nextInt(50)
                    + " raid_write_penalty=" + (1 + random.nextInt(6))
                    + " drives=" + (1 + random.nextInt(1000)));
            Plan plan = OwnPlan.of(inputs);
            double users = plan.value(PlanInputs.USERS) + 1 + random.nextInt(1000);
            Plan more = OwnPlan.of(inputs.with(given("users=" + users)));
            String what = "seed " + seed + ", plan " + i + ": " + inputs.numbers();
            double needed = plan.value(PlanSteps.of("drives_needed"));
            assertThat(more.value(PlanSteps.of("drives_needed")))
                    .as(what)
                    .isGreaterThanOrEqualTo(needed);
            // As many drives as are needed hold the users, and hold no fewer than asked.
            Plan bought = OwnPlan.of(inputs.with(given("drives=" + needed)));
            assertThat(bought.value(PlanSteps.of("users_held")))
                    .as(what)
                    .isGreaterThanOrEqualTo(plan.value(PlanInputs.USERS));
            assertThat(isMet(bought)).as(what).isTrue();
        }
    }

    private static Plan plan(@Nullable String from, @Nullable String said) {
        Collected all = given(said);
        return OwnPlan.of((from == null ? new Collected() : read(all, from)).with(all));
    }

    private static Collected read(Collected said, String from) {
        return ResultFiles.read(
                Arrays.stream(from.split(" ", -1)).map(RESULTS::concat).toList(), said);
    }

    private static Collected given(@Nullable String said) {
        Collected all = new Collected();
        for (String one : said == null ? new String[0] : said.split(" ", -1)) {
            String[] entry = one.split("=", -1);
            all.said(
                    PlanInputs.of(entry[0]).orElseThrow(),
                    Double.valueOf(entry[1]),
                    Source.given("--set"));
        }
        return all;
    }

    private static boolean isMet(Plan plan) {
        return plan.checks().stream().allMatch(plan::isMet);
    }
}
