package org.hubmark.bench.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.page.Cells;
import org.hubmark.bench.plan.MadeResults.Counted;
import org.hubmark.bench.qualify.result.VolumeFigures;
import org.hubmark.core.UserError;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.List;
import java.util.Random;

/**
 * Proves what a plan makes of results, computed again by hand, and what holds for every plan: more users
 * never need fewer drives.
 */
class OwnPlanTest extends OwnPlanCase {
    @Test
    void goesFromUsersToDrivesByHand() {
        Plan plan = own(
                read("on", "users"),
                given(
                        "users", 1100,
                        "peak_factor", 1,
                        "headroom_percent", 20,
                        "mailbox_mb", 2000,
                        "disk_gb", 1000,
                        "disk_iops", 150));
        assertThat(value(plan, "target_db_iops")).isCloseTo(1100 * 0.5 * 1.2, within(1e-9));
        assertThat(value(plan, "messages_per_s")).isCloseTo(1100 * 10 / 36_000.0, within(1e-12));
        assertThat(value(plan, "deliveries_per_s")).isCloseTo(1100 * 50 / 36_000.0, within(1e-12));
        // 60 % reads: a read is one I/O of a drive, a write two.
        assertThat(value(plan, "drive_ios_needed")).isCloseTo(660 * 1.4, within(1e-9));
        assertThat(value(plan, "drives_for_io_exact")).isCloseTo(924 / 150.0, within(1e-9));
        assertThat(value(plan, "drives_for_capacity_exact")).isCloseTo(5.5, within(1e-9));
        assertThat(value(plan, "drives_needed")).isEqualTo(7);
        // 300 I/O at 15 ms, and 400 at 30.
        assertThat(plan.value(PlanInputs.IOPS_AT_LIMIT)).isEqualTo(300);
        assertThat(isMet(plan)).isTrue();
    }

    /** Without a figure for a drive, the measured storage is what there is. */
    @Test
    void goesBackFromWhatThereIs() {
        Plan plan = own(read("on"), given("users", 1000, "headroom_percent", 0));
        assertThat(value(plan, "users_held")).isEqualTo(600);
        assertThat(isMet(plan)).isFalse();
        assertThat(plan.notes(PlanSteps.of("users_held_exact")))
                .contains("not counted: users whose mailboxes the drives hold (unknown)");
        Plan alone = own(read("on"), new Collected());
        assertThat(value(alone, "users_held")).isEqualTo(500);
        assertThat(alone.isKnown(SizingSteps.DRIVES_NEEDED)).isFalse();
    }

    /** The highest rate that was measured within the limit, or within another one that is given. */
    @Test
    void theRateWithinTheLimitIsOneThatWasMeasured() {
        Collected high = given("read_latency_limit_ms", 100);
        assertThat(own(read(high, "on"), high).value(PlanInputs.IOPS_AT_LIMIT)).isEqualTo(400);
        Collected low = given("read_latency_limit_ms", 1, "disk_iops", 50);
        assertThat(own(read(low, "on"), low).value(PlanInputs.IOPS_AT_LIMIT)).isZero();
    }

    @Test
    void marksWhatIsAssumedWhereverItIsUsed() {
        Plan plan = own(read("on"), given("users", 1000, "disk_iops", 55));
        assertThat(assumptions(plan, "target_db_iops")).containsExactly("headroom_percent");
        assertThat(assumptions(plan, "drives_needed"))
                .contains("headroom_percent", "raid_write_penalty")
                .doesNotContain("db_read_percent");
    }

    @Test
    void aCacheSavesDrivesAndAddsUsers() {
        Collected measured = read("pair");
        Plan plan = own(
                measured,
                given("users", 400, "drives", 10, "disk_iops", 100, "metadata_mb_per_user", 0.5));
        assertThat(value(plan, "improvement_db_iops")).isCloseTo(20, within(1e-9));
        assertThat(value(plan, "improvement_avg_db_read_latency_ms"))
                .isCloseTo(100 * 3 / 18.0, within(1e-9));
        assertThat(plan.isKnown(PlanSteps.of("improvement_avg_db_write_latency_ms")))
                .isFalse();
        assertThat(value(plan, "removable_by_rate_off")).isCloseTo(2, within(1e-9));
        assertThat(value(plan, "drives_saved")).isEqualTo(1);
        assertThat(value(plan, "more_by_cache")).isCloseTo(256 / 0.5 - 400, within(1e-6));
        assertThat(value(plan, "more_by_cpu")).isCloseTo(500 * 80 / 20.0 - 400, within(1e-9));
        assertThat(value(plan, "more_by_io")).isCloseTo(50 / 0.6, within(1e-9));
        assertThat(value(plan, "more_users")).isEqualTo(83);
    }

    /** The pair of TR-3766, of a file of one's own: what was asked for, and not what was left to the storage. */
    @Test
    @Tag("published")
    void aComparedPairIsOfWhatWasAskedFor() throws IOException {
        new MadeResults.Storage()
                .cache("off", new Counted(300, 300, 8 * 700 / 300.0, 80, 400))
                .cache("all", new Counted(90, 420, 4 * 980 / 90.0, 120, 890))
                .write(folder.resolve("pair"));
        Plan plan = own(read("pair"), given("users", 400, "drives", 10, "disk_iops", 100));
        assertThat(value(plan, "improvement_db_iops")).isCloseTo(40, within(1e-9));
        assertThat(value(plan, "improvement_db_reads_per_s")).isCloseTo(40, within(1e-9));
        assertThat(value(plan, "improvement_avg_db_read_latency_ms")).isCloseTo(50, within(1e-9));
        assertThat(value(plan, "drives_saved")).isEqualTo(2);
    }

    /** 490 reads, of which the cache had 310, against 240, of which it had 100. */
    @Test
    void thereAreHitsWithoutACacheToo() throws IOException {
        pair("hits", new Counted(140, 110, 18, 30, 100), new Counted(180, 120, 15, 100, 310));
        Plan plan = own(read("hits"), given("users", 400, "drives", 10, "disk_iops", 100));
        assertThat(value(plan, "improvement_db_iops")).isCloseTo(100 * 260 / 350.0, within(1e-9));
        assertThat(value(plan, "improvement_db_reads_per_s"))
                .isCloseTo(100 * 250 / 240.0, within(1e-9));
        assertThat(plan.value(PlanInputs.of("on_cache_hit_percent").orElseThrow()))
                .isCloseTo(100 * 310 / 490.0, within(1e-9));
        assertThat(plan.value(PlanInputs.of("off_cache_hit_percent").orElseThrow()))
                .isCloseTo(100 * 100 / 240.0, within(1e-9));
        assertThat(value(plan, "improvement_avg_db_read_latency_ms"))
                .isCloseTo(100 * (10.5 - 15 * 180 / 490.0) / 10.5, within(1e-9));
    }

    /** Nothing can go before a target that is missed with the cache too: a dash, and no number below zero. */
    @Test
    void nothingCanGoBeforeATargetThatIsMissed() {
        Plan missed = own(
                read("pair"),
                given("users", 1000, "drives", 10, "disk_iops", 100, "headroom_percent", 0));
        Amount most = missed.amount(PlanSteps.of("removable_above_target"));
        assertThat(most.known()).isNull();
        assertThat(most.text()).isEqualTo(Cells.UNKNOWN);
        assertThat(value(missed, "drives_saved")).isEqualTo(1);
        Plan met = own(
                read("pair"),
                given("users", 480, "drives", 10, "disk_iops", 100, "headroom_percent", 0));
        assertThat(value(met, "removable_above_target")).isCloseTo(2, within(1e-9));
    }

    /** Where the mailboxes do not fit as it is, nothing can go and nobody can come. */
    @Test
    void nothingIsSavedWhereThereIsTooLittle() {
        Plan plan = own(
                read("pair"),
                given(
                        "users", 1000,
                        "drives", 10,
                        "disk_iops", 100,
                        "mailbox_mb", 1000,
                        "disk_gb", 100));
        assertThat(value(plan, "removable_by_capacity")).isEqualTo(-15);
        assertThat(value(plan, "drives_saved")).isZero();
        assertThat(value(plan, "more_by_capacity")).isCloseTo(-600, within(1e-9));
        assertThat(value(plan, "more_users")).isZero();
        assertThat(PlanAnswer.of(plan)).contains("drives saved: 0", "more users: 0");
    }

    @Test
    void aPassThatACacheMayHaveMadeIsToldOf() throws IOException {
        new MadeResults.Storage()
                .performance(new Counted(180, 120, 15, 100)
                        .phase()
                        .parts(
                                VolumeFigures.VOLUMES,
                                List.of(Repeat.counted()
                                        .name(VolumeFigures.VOLUME, "/db")
                                        .count(VolumeFigures.FORMATTED_BYTES, 100)
                                        .count(VolumeFigures.USED_BYTES, 8)
                                        .made())))
                .write(folder.resolve("on"));
        assertThat(read("on").warnings())
                .anySatisfy(warning ->
                        assertThat(warning).contains("performance: volume /db is 8.0 % full"));
    }

    @Test
    void aDriveThatGivesNothingWithinTheLimitIsRefused() {
        Collected said = given("users", 10, "drives_measured", 2, "read_latency_limit_ms", 3);
        assertThatThrownBy(() -> own(read(said, "on"), said))
                .isInstanceOf(UserError.class)
                .hasMessage("a drive of the measured storage gives no I/O within 3 ms of read"
                        + " latency; give a larger --set read_latency_limit_ms=N, or --disk-iops");
    }

    @Test
    void messagesAreOfTheLevelThatPassed() {
        Collected measured = read("users");
        assertThat(measured.numbers())
                .hasEntrySatisfying(
                        PlanInputs.MESSAGES_SENT_PER_USER_DAY,
                        sent -> assertThat(sent.value()).isEqualTo(10));
        assertThat(measured.numbers())
                .hasEntrySatisfying(
                        PlanInputs.MESSAGES_SENT_PER_USER_DAY,
                        sent -> assertThat(sent.source().where()).endsWith("level of 100 users"));
    }

    @Test
    void cacheModesAreNotMixed() throws IOException {
        storage("all", "all", new Counted(180, 130, 14, 100));
        assertThatThrownBy(() -> read("all", "on"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("cache modes all and metadata");
    }

    @Test
    void moreUsersNeverNeedFewerDrives() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 300; i++) {
            Collected inputs = given(
                    "users", 1 + random.nextInt(100_000),
                    "iops_per_user", 0.01 + random.nextDouble(),
                    "mailbox_mb", 1 + random.nextInt(1000),
                    "disk_gb", 2 + random.nextInt(4000),
                    "disk_iops", 1 + random.nextInt(500),
                    "db_read_percent", random.nextInt(101),
                    "headroom_percent", random.nextInt(50),
                    "raid_write_penalty", 1 + random.nextInt(6),
                    "drives", 1 + random.nextInt(1000));
            Plan plan = own(read(), inputs);
            double users = plan.value(PlanInputs.USERS) + 1 + random.nextInt(1000);
            Plan more = own(inputs, given("users", users));
            String what = "seed " + seed + ", plan " + i + ": " + inputs.numbers();
            assertThat(value(more, "drives_needed"))
                    .as(what)
                    .isGreaterThanOrEqualTo(value(plan, "drives_needed"));
            // As many drives as are needed hold the users, and hold no fewer than asked.
            Plan bought = own(inputs, given("drives", value(plan, "drives_needed")));
            assertThat(value(bought, "users_held"))
                    .as(what)
                    .isGreaterThanOrEqualTo(plan.value(PlanInputs.USERS));
            assertThat(isMet(bought)).as(what).isTrue();
        }
    }
}
