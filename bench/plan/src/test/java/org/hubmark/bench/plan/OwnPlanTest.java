package org.hubmark.bench.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.hubmark.bench.kit.document.Clock;
import org.hubmark.bench.kit.document.Context;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.kit.document.DocumentReport;
import org.hubmark.bench.kit.document.Formula;
import org.hubmark.bench.kit.document.StudyRun;
import org.hubmark.bench.kit.document.Tool;
import org.hubmark.bench.kit.statistics.Interval;
import org.hubmark.core.UserError;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/**
 * Proves what a plan makes of results, computed again by hand, and what holds for every plan: more users
 * never need fewer drives.
 */
class OwnPlanTest {
    @TempDir
    Path folder;

    private static final String STORAGE = """
            {"schema": 1,
             "settings": {"engine": "pages", "users": 500, "iops-per-user": 0.5, "cache-mode": "MODE", "cache-max": "256MB"},
             "thresholds": {"read_latency_ms": 20.0},
             "phases": [{"phase": "performance", "complete": true, "verdict": "pass",
               "achieved_iops": IOPS, "db_reads_per_s": READS, "db_writes_per_s": WRITES,
               "avg_db_read_latency_ms": READ_MS, "avg_db_write_latency_ms": 2.0,
               "log_writes_per_s": 50, "avg_log_write_latency_ms": 1.0,
               "host": {"cpu_percent": {"avg": 20.0, "min": 10.0, "max": 30.0}},
               "instances": [{"avg_db_read_latency_ms": 5.0, "transactions_per_s": 20.0},
                              {"avg_db_read_latency_ms": READ_MS, "transactions_per_s": PER_S}],
               "thread_steps": [{"threads_per_database": 1, "iops": 100.0, "db_read_latency_ms": 4.0},
                                {"threads_per_database": 2, "iops": 180.0, "db_read_latency_ms": 8.0},
                                {"threads_per_database": 4, "iops": 400.0, "db_read_latency_ms": 30.0},
                                {"threads_per_database": 8, "iops": 390.0, "db_read_latency_ms": null}]}]}
            """;

    @BeforeEach
    void results() throws IOException {
        storage("on", "metadata", 300, 180, 120, 15, 100);
        storage("off", "off", 250, 140, 110, 18, 30);
        write("users/users.json", """
                {"schema": 1, "valid": true, "settings": {"day": "10h"}, "users_passed": 100,
                 "levels": [
                  {"users": 100, "per_user_day": {"sent": 10.0, "received": 50.0}},
                  {"users": 200, "per_user_day": {"sent": 11.0, "received": 51.0}}]}
                """);
        Files.createDirectories(folder.resolve("hub"));
        try (var in = OwnPlanTest.class.getResourceAsStream("/plan-hub/results.json")) {
            Files.write(
                    folder.resolve("hub/results.json"),
                    Objects.requireNonNull(in, "hub").readAllBytes());
        }
    }

    private void storage(
            String name, String mode, int iops, int reads, int writes, double readMs, int perS)
            throws IOException {
        write(
                name + "/qualification.json",
                STORAGE.replace("MODE", mode)
                        .replace("IOPS", Integer.toString(iops))
                        .replace("READS", Integer.toString(reads))
                        .replace("WRITES", Integer.toString(writes))
                        .replace("READ_MS", Double.toString(readMs))
                        .replace("PER_S", Integer.toString(perS)));
    }

    private void write(String file, String text) throws IOException {
        Path path = folder.resolve(file);
        Files.createDirectories(Objects.requireNonNull(path.getParent()));
        Files.writeString(path, text);
    }

    private Collected read(String... names) {
        return MeasuredFiles.read(Arrays.stream(names)
                .map(name -> folder.resolve(name).toString())
                .toList());
    }

    /** A comparison of cache modes is a pair in one file: of each mode the block of the median. */
    @Test
    void aComparisonOfCacheModesIsAPair() throws IOException {
        ObjectMapper json = new ObjectMapper();
        ObjectNode both = (ObjectNode)
                json.readTree(folder.resolve("on/qualification.json").toFile());
        ArrayNode caches = both.putArray("caches");
        both.putArray("phases");
        int[] rates = {10, 30, 20};
        List<String> modes = List.of("off", "all", "metadata");
        for (String mode : modes) {
            ArrayNode rounds = caches.addObject().put("cache", mode).putArray("rounds");
            for (int round = 1; round <= rates.length; round++) {
                String from = mode.equals("off") ? "off" : "on";
                ObjectNode performance = (ObjectNode) json.readTree(
                                folder.resolve(from + "/qualification.json").toFile())
                        .at("/phases/0");
                performance.put(
                        "achieved_iops", 100 * (1 + modes.indexOf(mode)) + rates[round - 1]);
                performance.put("round", round);
                performance.putObject("rows").put("transactions_per_s", rates[round - 1]);
                rounds.add(performance);
            }
        }
        write("both/qualification.json", both.toString());
        Plan plan = own(read("both"), given("users", 400, "drives", 10, "disk_iops", 100));
        assertThat(value(plan, "drive_iops_off")).isEqualTo(12);
        assertThat(value(plan, "drive_iops_on")).isEqualTo(22);
    }

    /** What qualify predicts for a cache that isn't there makes the drives that it saves. */
    @Test
    void aCacheThatIsNotThere() throws IOException {
        ObjectMapper json = new ObjectMapper();
        ObjectNode one = (ObjectNode)
                json.readTree(folder.resolve("on/qualification.json").toFile());
        ((ObjectNode) one.path("settings")).put("cache-mode", "all");
        ObjectNode profile = ((ObjectNode) one.at("/phases/0")).putObject("cache_profile");
        profile.put("cache_bytes", 256_000_000L).put("hit_ratio", 0.5);
        ArrayNode points = profile.putArray("points");
        double[] hits = {0.2, 0.52, 0.8};
        long bytes = 25_600_000;
        for (double ratio : hits) {
            points.addObject()
                    .put("cache_bytes", bytes)
                    .put("hit_ratio", ratio)
                    .put("hit_ratio_low", ratio - 0.1)
                    .put("hit_ratio_high", ratio + 0.1);
            bytes *= 10;
        }
        points.addObject().put("cache_bytes", 1L).putNull("hit_ratio");
        write("profiled/qualification.json", one.toString());
        Plan plan = own(
                read("profiled"),
                given(
                        "users",
                        400,
                        "headroom_percent",
                        0,
                        "disk_iops",
                        20,
                        "cache_mb_wanted",
                        2560));
        assertThat(value(plan, "hit_ratio_wanted")).isEqualTo(0.8);
        assertThat(value(plan, "hit_ratio_wanted_low")).isCloseTo(0.7, within(1e-9));
        assertThat(value(plan, "reads_left")).isCloseTo(0.4, within(1e-9));
        // 200 I/O a second, 60 % of them reads, a write is two for RAID 10: 120 and 160 become 48
        // and 160.
        assertThat(value(plan, "wanted_db_iops")).isCloseTo(128, within(1e-9));
        assertThat(value(plan, "drives_needed")).isEqualTo(14);
        assertThat(value(plan, "wanted_drives")).isEqualTo(11);
        assertThat(value(plan, "wanted_saves")).isEqualTo(3);
    }

    private static Collected given(Object... pairs) {
        Collected all = new Collected();
        for (int i = 0; i < pairs.length; i += 2) {
            all.said(
                    PlanInputs.of((String) pairs[i]).orElseThrow(),
                    ((Number) pairs[i + 1]).doubleValue(),
                    Source.given("--set"));
        }
        return all;
    }

    private static Plan own(Collected measured, Collected said) {
        return OwnPlan.of(measured.with(said));
    }

    private static double value(Plan plan, String step) {
        assertThat(plan.isKnown(PlanSteps.of(step))).as(step).isTrue();
        return plan.value(PlanSteps.of(step));
    }

    private static List<String> assumptions(Plan plan, String step) {
        return plan.assumptions(PlanSteps.of(step)).stream()
                .map(Formula.Input::key)
                .toList();
    }

    private static boolean isMet(Plan plan) {
        return plan.checks().stream().allMatch(plan::isMet);
    }

    @Test
    void goesFromUsersToDrivesByHand() {
        Plan plan = own(
                read("on", "users"),
                given(
                        "users", 1000,
                        "peak_factor", 1,
                        "growth_percent", 10,
                        "headroom_percent", 20,
                        "mailbox_mb", 2000,
                        "disk_gb", 1000,
                        "disk_iops", 150));
        assertThat(value(plan, "users_planned")).isCloseTo(1100, within(1e-9));
        assertThat(value(plan, "target_db_iops")).isCloseTo(1100 * 0.5 * 1.2, within(1e-9));
        assertThat(value(plan, "messages_per_s")).isCloseTo(1100 * 10 / 36_000.0, within(1e-12));
        assertThat(value(plan, "deliveries_per_s")).isCloseTo(1100 * 50 / 36_000.0, within(1e-12));
        // 60 % reads: a read is one I/O of a drive, a write two.
        assertThat(value(plan, "drive_ios_needed")).isCloseTo(660 * 1.4, within(1e-9));
        assertThat(value(plan, "drives_for_io")).isEqualTo(7);
        assertThat(value(plan, "drives_for_capacity")).isEqualTo(6);
        assertThat(value(plan, "drives_needed")).isEqualTo(7);
        // Between 300 I/O at 15 ms and 400 at 30.
        assertThat(value(plan, "iops_at_limit")).isCloseTo(300 + 100 * 5 / 15.0, within(1e-9));
        assertThat(isMet(plan)).isTrue();
    }

    /** Without a figure for a drive, the measured storage is what there is. */
    @Test
    void goesBackFromWhatThereIs() {
        Plan plan = own(read("on"), given("users", 1000, "headroom_percent", 0));
        assertThat(value(plan, "users_held")).isEqualTo(666);
        assertThat(isMet(plan)).isFalse();
        assertThat(plan.notes(PlanSteps.of("users_held_exact"))).isNotEmpty();
        Plan alone = own(read("on"), new Collected());
        assertThat(value(alone, "users_held")).isEqualTo(555);
        assertThat(alone.isKnown(SizingSteps.DRIVES_NEEDED)).isFalse();
    }

    @Test
    void saysThatALimitLiesBeyondWhatWasMeasured() {
        Plan plan = own(read("on"), given("read_latency_limit_ms", 100));
        assertThat(value(plan, "iops_at_limit")).isEqualTo(400);
        assertThat(plan.notes(PlanSteps.of("iops_at_limit")))
                .singleElement()
                .asString()
                .contains("more may be possible");
        Plan none = own(read("on"), given("read_latency_limit_ms", 1, "disk_iops", 50));
        assertThat(value(none, "iops_at_limit")).isZero();
        assertThat(none.notes(PlanSteps.of("iops_at_limit")))
                .singleElement()
                .asString()
                .contains("no rate was shown");
    }

    @Test
    void marksWhatIsAssumedWhereverItIsUsed() {
        Plan plan = own(read("on"), given("users", 1000, "disk_iops", 55));
        assertThat(assumptions(plan, "target_db_iops"))
                .containsExactlyInAnyOrder("headroom_percent", "growth_percent");
        assertThat(assumptions(plan, "drives_needed"))
                .contains("headroom_percent", "raid_write_penalty")
                .doesNotContain("db_read_percent");
        assertThat(assumptions(plan, "iops_at_limit")).isEmpty();
    }

    /** 120 transactions a second with the cache, 50 without: 2.5 I/O for each, and 5. */
    @Test
    void aRunWithoutCacheMakesAPair() {
        Collected measured = read("off", "on");
        assertThat(measured.warnings()).isEmpty();
        Plan plan = own(
                measured,
                given("users", 400, "drives", 10, "disk_iops", 100, "hit_ratio_floor", 0.4));
        assertThat(value(plan, "improvement_db_iops")).isCloseTo(20, within(1e-9));
        assertThat(value(plan, "improvement_transactions_per_s")).isCloseTo(140, within(1e-9));
        assertThat(value(plan, "improvement_avg_db_read_latency_ms"))
                .isCloseTo(100 * 3 / 18.0, within(1e-9));
        assertThat(plan.isKnown(PlanSteps.of("improvement_avg_db_write_latency_ms")))
                .isFalse();
        assertThat(value(plan, "removable_by_rate_off")).isCloseTo(2, within(1e-9));
        assertThat(value(plan, "drives_saved")).isEqualTo(5);
        // A transaction takes 1.5 reads with the cache and 2.8 without.
        assertThat(value(plan, "hit_ratio_now")).isCloseTo(1 - 1.5 / 2.8, within(1e-9));
        double floor = 256 * 0.4 / (1 - 1.5 / 2.8);
        assertThat(value(plan, "cache_mb_for_floor")).isCloseTo(floor, within(1e-9));
        assertThat(value(plan, "more_by_cache")).isCloseTo(500 * 256 / floor - 400, within(1e-6));
        assertThat(value(plan, "more_by_cpu")).isCloseTo(500 * 80 / 20.0 - 400, within(1e-9));
        assertThat(value(plan, "more_by_io")).isCloseTo(500 * 1.4, within(1e-9));
        assertThat(value(plan, "more_users")).isEqualTo(180);
    }

    /** Where the mailboxes do not fit as it is, nothing can go and nobody can come. */
    @Test
    void nothingIsSavedWhereThereIsTooLittle() {
        Plan plan = own(
                read("off", "on"),
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
    }

    @Test
    void aPairOfDifferentLoadsIsToldOf() throws IOException {
        Path file = folder.resolve("off/qualification.json");
        Files.writeString(file, Files.readString(file).replace("\"users\": 500", "\"users\": 600"));
        assertThat(read("off", "on").warnings())
                .singleElement()
                .asString()
                .endsWith("differ not only in the cache: users");
    }

    @Test
    void aPassThatACacheMayHaveMadeIsToldOf() throws IOException {
        Path file = folder.resolve("on/qualification.json");
        Files.writeString(file, Files.readString(file).replace("\"pass\"", "\"pass (cache)\""));
        assertThat(read("on").warnings())
                .anySatisfy(warning -> assertThat(warning)
                        .contains("the performance phase passed on a volume less than half full"));
    }

    /** A full storage gives less than an empty one. */
    @Test
    void ofSeveralFillsTheFullestIsTaken() throws IOException {
        Path file = folder.resolve("on/qualification.json");
        ObjectMapper json = new ObjectMapper();
        ObjectNode both = (ObjectNode) json.readTree(file.toFile());
        ArrayNode fills = both.putArray("fills");
        int[] rates = {500, 300};
        for (int i = 0; i < rates.length; i++) {
            ObjectNode fill = ((ObjectNode) both.at("/phases/0")).deepCopy();
            fill.remove("phase");
            fills.add(fill.put("fill_percent", 25 * (i + 1)).put("achieved_iops", rates[i]));
        }
        both.putArray("phases");
        write("filled/qualification.json", both.toString());
        Plan filled = own(read("filled"), given("users", 400, "drives", 10, "disk_iops", 100));
        Plan plain = own(read("on"), given("users", 400, "drives", 10, "disk_iops", 100));
        assertThat(value(filled, "drives_needed")).isEqualTo(value(plain, "drives_needed"));
    }

    @Test
    void aDriveThatGivesNothingWithinTheLimitIsRefused() {
        assertThatThrownBy(() -> own(
                        read("on"),
                        given("users", 10, "drives_measured", 2, "read_latency_limit_ms", 3)))
                .isInstanceOf(UserError.class)
                .hasMessage("a drive of the measured storage gives no I/O within 3 ms of read"
                        + " latency: the lowest latency was 4 ms; give a longer --read-latency, or"
                        + " --disk-iops");
    }

    @Test
    void drivesForTheSpaceAloneAreAnAnswer() {
        Plan plan = own(read(), given("users", 1000, "mailbox_mb", 1000, "disk_gb", 100));
        assertThat(value(plan, "drives_needed")).isEqualTo(25);
        assertThat(plan.notes(PlanSteps.of("drives_exact")))
                .containsExactly("not counted: drives for the I/O before rounding (unknown)");
    }

    @Test
    void usersThatDidNotPassAreToldOf() throws IOException {
        write("more/users.json", """
                {"schema": 1, "valid": true, "settings": {"day": "8h"}, "users_passed": 100,
                 "levels": [
                  {"users": 100, "passes": true, "per_user_day": {"sent": 10.0, "received": 50.0}},
                  {"users": 200, "passes": false, "per_user_day": {"sent": 11.0, "received": 51.0}}]}
                """);
        Collected measured = read("more");
        assertThat(measured.numbers())
                .hasEntrySatisfying(
                        PlanInputs.MESSAGES_SENT_PER_USER_DAY,
                        sent -> assertThat(sent.value()).isEqualTo(10));
        assertThat(measured.warnings())
                .singleElement()
                .asString()
                .contains("200 users did not pass");
    }

    @Test
    void cacheModesAreNotMixed() throws IOException {
        storage("all", "all", 310, 180, 130, 14, 100);
        assertThatThrownBy(() -> read("all", "on"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("cache modes all, metadata");
    }

    @Test
    void takesTheRateAndTheCostOfAHub() {
        assertThatThrownBy(() -> read("hub"))
                .isInstanceOf(UserError.class)
                .hasMessageEndingWith("name one of #57kb-synced, #80kb-synced behind the folder");
        Plan plan =
                own(read("hub#57kb-synced", "users"), given("users", 100_000, "peak_factor", 1));
        double rate = plan.value(PlanInputs.HUB_MSGS_PER_S);
        assertThat(rate).isPositive();
        assertThat(value(plan, "users_by_messages"))
                .isCloseTo(rate * 36_000 / 10, within(1e-6 * rate));
        assertThat(value(plan, "octets_per_s"))
                .isCloseTo(
                        100_000 * 10 / 36_000.0 * plan.value(PlanInputs.MESSAGE_KB) * 1000,
                        within(1e-6));
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
                    "growth_percent", random.nextInt(50),
                    "headroom_percent", random.nextInt(50),
                    "raid_write_penalty", 1 + random.nextInt(6),
                    "drives", 1 + random.nextInt(1000));
            Plan plan = own(read(), inputs);
            Plan more = plan.with(
                    PlanInputs.USERS, plan.value(PlanInputs.USERS) + 1 + random.nextInt(1000));
            String what = "seed " + seed + ", plan " + i + ": " + inputs.numbers();
            assertThat(value(more, "drives_needed"))
                    .as(what)
                    .isGreaterThanOrEqualTo(value(plan, "drives_needed"));
            // As many drives as are needed hold the users, and hold no fewer than asked.
            Plan bought = plan.with(PlanInputs.DRIVES, value(plan, "drives_needed"));
            assertThat(value(bought, "users_held"))
                    .as(what)
                    .isGreaterThanOrEqualTo(plan.value(PlanInputs.USERS));
            assertThat(isMet(bought)).as(what).isTrue();
        }
    }

    @Test
    void ranksWhatTheAnswerHangsOn() {
        Plan plan = own(
                read("on"), given("users", 1000, "disk_iops", 150, "mailbox_mb", 1, "disk_gb", 10));
        List<Sensitivity> drives = new ArrayList<>(Sensitivity.of(plan));
        drives.removeIf(one -> !one.answer().equals(SizingSteps.DRIVES_NEEDED));
        assertThat(drives.getFirst().input()).isEqualTo(PlanInputs.DISK_IOPS);
        assertThat(drives.getFirst().lowerPercent()).isCloseTo(100 / 9.0, within(1e-6));
        assertThat(drives.getFirst().higherPercent()).isCloseTo(-100 / 11.0, within(1e-6));
        assertThat(drives)
                .extracting(one -> Plan.key(one.input()))
                .contains("users", "iops_per_user", "headroom_percent")
                .doesNotContain("mailbox_mb", "io_curve");
        for (int i = 1; i < drives.size(); i++) {
            assertThat(drives.get(i).largest())
                    .isLessThanOrEqualTo(drives.get(i - 1).largest());
        }
    }

    private Context.Request request(String command) {
        return new Context.Request(
                folder,
                new Tool("1", null),
                command,
                Map.of(),
                MadeMachine.MACHINE,
                new Clock.Simulated(Instant.parse("2026-01-01T00:00:00Z")),
                (phase, time) -> {},
                note -> {},
                (elapsed, seen) -> {},
                List::of);
    }

    @Test
    void writesAFileAndReportsThatSayTheSame() throws Exception {
        Document found = StudyRun.of(
                new PlanStudy(
                        List.of(
                                folder.resolve("on").toString(),
                                folder.resolve("off").toString(),
                                folder.resolve("users").toString()),
                        null,
                        given(
                                "users", 400,
                                "peak_factor", 1,
                                "drives", 10,
                                "disk_iops", 100,
                                "mailbox_mb", 200,
                                "disk_gb", 300)),
                request("./hubmark plan <all>"));
        Plan plan = PlanDocument.plans(found).getFirst();
        JsonNode file = new ObjectMapper().readTree(folder.resolve("plan.json").toFile());
        for (String key : List.of(
                "schema",
                "kind",
                "tool",
                "command",
                "inputs",
                "steps",
                "answers",
                "assumptions",
                "sensitivity")) {
            assertThat(file.has(key)).as(key).isTrue();
        }
        assertThat(file.path("steps")).hasSizeGreaterThan(20);
        for (JsonNode step : file.path("steps")) {
            double value = plan.value(PlanSteps.of(step.path("name").asText()));
            assertThat(
                            step.path("result").isNull()
                                    ? Double.NaN
                                    : step.path("result").asDouble())
                    .isEqualTo((Double) value);
            assertThat(step.path("formula").asText()).isNotEmpty();
            step.path("inputs")
                    .forEach(input -> assertThat(input.path("value").isNumber()
                                    || input.path("name").asText().endsWith("_curve"))
                            .as("%s", input)
                            .isTrue());
        }
        String report = Files.readString(folder.resolve("report.md"));
        assertThat(report)
                .startsWith("# Plan: 400 users\n")
                .contains("## Answer", "## What if")
                .contains("| I/O a second that is asked for | 240 I/O/s |")
                .contains("| I/O a second that is asked for (I/O/s) (assumed) | 120 | 180 | 240 |")
                .contains("| size of a message | - | - | - | a number above 0 (KB) | message_kb |");
        found.findings().answer().lines().forEach(line -> assertThat(report).contains(line));
        assertThat(Files.readString(folder.resolve("report.html")))
                .contains(
                        "./hubmark plan &lt;all&gt;",
                        "BY_IO",
                        "BY_USERS",
                        "[256.0,0.5357142857142857]");
        assertThat(Files.readString(folder.resolve("what-if.html")))
                .contains("var hubmarkSteps", "<noscript>")
                .doesNotContain("http://", "https://");
        assertThat(Files.readString(folder.resolve("SHA256SUMS"))).contains("  what-if.html");
    }

    /** What a file says is what follows from its inputs; a figure that is not is named. */
    @Test
    void whatFollowsIsComputedAgain() throws Exception {
        var unused = StudyRun.of(
                new PlanStudy(List.of(folder.resolve("on").toString()), null, given("users", 400)),
                request("plan"));
        Document read = DocumentFile.read(folder, PlanDocument.KIND);
        DocumentFile.Check check = DocumentFile.check(folder, read);
        assertThat(check.mismatches()).isEmpty();
        assertThat(check.changed()).isEmpty();
        Path file = folder.resolve("plan.json");
        Files.writeString(
                file, Files.readString(file).replaceFirst("(\"result\" : )[0-9.]+", "$17"));
        assertThat(DocumentFile.check(folder, read).mismatches())
                .singleElement()
                .asString()
                .contains("result");
    }

    /** Other work on the machine leaves a qualification without a verdict. */
    @Test
    void whyAQualificationWasNotJudgedGoesWithThePlan() throws Exception {
        ObjectNode one = (ObjectNode) new ObjectMapper()
                .readTree(folder.resolve("on/qualification.json").toFile());
        one.putNull("verdict");
        one.putArray("reasons").add("performance: other processes took 20 %");
        write("busy/qualification.json", one.toString());
        Document found = StudyRun.of(
                new PlanStudy(
                        List.of(
                                folder.resolve("busy").toString(),
                                folder.resolve("users").toString()),
                        null,
                        given("peak_factor", 1)),
                request("plan"));
        assertThat(found.findings().warnings())
                .contains(folder.resolve("busy/qualification.json")
                        + " was not judged: performance: other processes took 20 %");
    }

    /** A rate of a quick run that nobody knows to be steady is told of beside the answer. */
    @Test
    void conditionsOfResultsGoWithThePlan() throws Exception {
        write("quick/results.json", """
                {"schema": 1, "environment": {"logical_cores": 2},
                 "warnings": ["others took 42 %", "4kb: not known to be steady: too short"],
                 "scenarios": [{"id": "4kb", "message_size_kb": 4, "throughput_msgs_per_s": 5202.175,
                   "throughput_msgs_per_s_min": 4000, "throughput_msgs_per_s_max": 6000,
                   "cpu_percent": 90, "valid": false, "invalid_reasons": ["messages were lost"],
                   "repeats": [{"notes": ["shared"]}, {"notes": []}]}]}
                """);
        Document found = StudyRun.of(
                new PlanStudy(
                        List.of(
                                folder.resolve("quick").toString(),
                                folder.resolve("users").toString()),
                        null,
                        given("peak_factor", 1)),
                request("plan"));
        String file = folder.resolve("quick/results.json").toString();
        assertThat(found.findings().warnings())
                .containsExactly(
                        file + ": others took 42 %",
                        file + ": 4kb: not known to be steady: too short",
                        file + ", 4kb is not valid: messages were lost",
                        file + ", 4kb: shared",
                        file + ", 4kb: repeats differ, 4,000 to 6,000 msg/s");
        assertThat(found.findings().answer().lines())
                .anyMatch(line -> line.startsWith("users held: 16,650,000"))
                .anyMatch(line ->
                        line.contains("assumed: ") && line.contains("CPU that may be used"));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        DocumentReport.print(found, new PrintStream(out, true, StandardCharsets.UTF_8));
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("warning: " + file);
    }

    private void hub(String conditions) throws IOException {
        write("conditions/results.json", """
                {"schema": 1, "environment": {"logical_cores": 2},
                 "scenarios": [{"id": "4kb", "message_size_kb": 4, "throughput_msgs_per_s": 5000,
                   "accept_latency_ms": {"p99": 3.0}, "valid": true, CONDITIONS}]}
                """.replace("CONDITIONS", conditions));
    }

    /** In a closed loop a slow answer holds back what comes after it: its p99 is no latency. */
    @Test
    void theResponseTimeOfAClosedLoopIsNoLatency() throws IOException {
        hub("\"asked_rate\": \"max\"");
        Collected closed = read("conditions");
        assertThat(closed.curves()).doesNotContainKey(PlanInputs.HUB_CURVE);
        assertThat(closed.warnings())
                .anyMatch(warning -> warning.contains("set aside")
                        && warning.contains("run --rate N, --rate max-sustained or --knee"));
        assertThatThrownBy(() -> own(
                        closed.with(given("messages_sent_per_user_day", 10, "peak_factor", 1)),
                        given("users", 10, "accept_latency_limit_ms", 250)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("closed loop");
        hub("\"asked_rate\": \"5000/s\"");
        Plan open = own(
                read("conditions").with(given("messages_sent_per_user_day", 10, "peak_factor", 1)),
                given("users", 10, "accept_latency_limit_ms", 250));
        assertThat(value(open, "hub_msgs_at_limit")).isEqualTo(5000);
        assertThat(open.notes(SizingSteps.HUB_MSGS_AT_LIMIT)).hasSize(1);
    }

    /** What a hub was measured under goes with its figures. */
    @Test
    void conditionsOfTheHubGoWithThePlan() throws IOException {
        hub("""
                "asked_rate": "max", "durability": "none", "intake": "discard",
                "deliver": "discard", "tls": false, "recipients": 1, "unsafe": true,
                "unsafe_reason": "durability none"
                """);
        Collected measured = read("conditions");
        String where = folder.resolve("conditions/results.json") + ", 4kb";
        assertThat(Objects.requireNonNull(measured.numbers().get(PlanInputs.HUB_MSGS_PER_S))
                        .source()
                        .where())
                .isEqualTo(where + " (rate max, a closed loop, none, discard, deliver discard,"
                        + " plain text, one recipient)");
        assertThat(measured.warnings())
                .contains(
                        where + " is UNSAFE, its figures are not of durable mail: durability none",
                        where + ": its rate is the most in a closed loop, with nothing kept free",
                        where + ": the intake discarded all mail; storing it is not in the figures",
                        where
                                + ": accepted mail was discarded; delivering it is not in the figures",
                        where + ": mail came in plain text; TLS is not in the figures",
                        where + ": each message had one recipient; more are not in the figures");
        hub("""
                "asked_rate": "5000/s", "durability": "synced", "intake": "store",
                "tls": true, "recipients": 3, "unsafe": false
                """);
        assertThat(read("conditions").warnings()).isEmpty();
    }

    /** Drives differ ten thousandfold: none is assumed. */
    @Test
    void theIoOfADriveIsAskedFor() {
        for (Collected said : List.of(
                given("users", 1000, "iops_per_user", 1),
                given("drives", 4, "iops_per_user", 1),
                given("users", 10, "iops_per_user", 1, "mailbox_mb", 1, "disk_gb", 9))) {
            assertThatThrownBy(() -> own(read(), said))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("give --disk-iops N");
        }
        assertThatThrownBy(() -> own(read("on"), given("users", 10, "drives", 4)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--set drives_measured=N");
    }

    @Test
    void thePeakOfADayIsAskedFor() {
        assertThatThrownBy(() -> own(read("on", "users"), given("users", 1000)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("give --peak-factor N");
        assertThat(value(own(read("on", "users"), given("peak_factor", 3)), "user_msgs_per_s"))
                .isCloseTo(3 * 10 / 36_000.0, within(1e-12));
    }

    /** The smaller rate is taken, and shared by the disks below the volume. */
    @Test
    void aProbeGivesTheIoOfADrive() throws IOException {
        String probe = """
                {"volume": {"path": "/srv", "media": ["sda", "sdb"]}, "direct_io": DIRECT,
                 "emulated": false, "block_bytes": 4096,
                 "random_write": {"rate_per_second": 200.0}, "random_read": {"rate_per_second": 300.0}}
                """;
        write("probed/probe.json", probe.replace("DIRECT", "true"));
        Collected probed = read("probed");
        assertThat(probed.warnings()).singleElement().asString().contains("blocks of 4096 octets");
        Plan plan = own(probed, given("users", 1000, "iops_per_user", 1, "headroom_percent", 0));
        assertThat(value(plan, "drive_iops_used")).isEqualTo(100);
        assertThat(value(plan, "drives_needed")).isEqualTo(13);
        Plan given = own(probed, given("users", 1000, "iops_per_user", 1, "disk_iops", 50));
        assertThat(value(given, "drive_iops_used")).isEqualTo(50);
        write("memory/probe.json", probe.replace("DIRECT", "false"));
        assertThatThrownBy(() -> read("memory"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("of memory");
    }

    /**
     * 120 writes a second of the databases were 600 I/O of four disks besides its 180 reads and 20 of
     * maintenance: 5 for a write, as RAID 5 has 4 and a little.
     */
    @Test
    void disksGiveTheirNumberAndThePenaltyOfAWrite() throws IOException {
        ObjectMapper json = new ObjectMapper();
        ObjectNode one = (ObjectNode)
                json.readTree(folder.resolve("on/qualification.json").toFile());
        ObjectNode volume = one.putObject("environment")
                .putArray("volumes")
                .addObject()
                .put("role", "database");
        ArrayNode disks = volume.putObject("storage").putArray("disks");
        ObjectNode performance = (ObjectNode) one.at("/phases/0");
        ArrayNode devices = performance.putArray("devices");
        for (String disk : List.of("sda", "sdb", "sdc", "sdd")) {
            disks.addObject().put("device", disk);
            devices.addObject()
                    .put("device", disk)
                    .put("reads_per_s", 125)
                    .put("writes_per_s", 75)
                    .putArray("roles")
                    .add("database");
        }
        ((ObjectNode) performance.at("/instances/0")).put("maintenance_reads_per_s", 20);
        write("array/qualification.json", one.toString());
        Plan plan = own(read("array"), given("users", 1000, "headroom_percent", 0));
        assertThat(plan.value(PlanInputs.DRIVES_MEASURED)).isEqualTo(4);
        assertThat(plan.value(PlanInputs.RAID_WRITE_PENALTY)).isCloseTo(5, within(1e-9));
        assertThat(assumptions(plan, "drives_needed")).doesNotContain("raid_write_penalty");
        // 333.3 I/O of the databases within 20 ms, 2.6 I/O of four disks for each; 500 are asked
        // for.
        assertThat(value(plan, "drive_iops_used"))
                .isCloseTo((300 + 100 / 3.0) * 2.6 / 4, within(1e-9));
        assertThat(value(plan, "drives_needed")).isEqualTo(6);
    }

    /** The large writes of such databases are no writes of pages: 70 % of reads stay assumed. */
    @Test
    void writesOfAnotherEngineAreNoWritesOfPages() throws IOException {
        Path file = folder.resolve("on/qualification.json");
        Files.writeString(file, Files.readString(file).replace("\"pages\"", "\"lsm\""));
        Collected measured = read("on");
        assertThat(measured.warnings()).singleElement().asString().contains("--engine lsm");
        Plan plan = own(measured, given("users", 1000, "drives_measured", 2));
        assertThat(assumptions(plan, "drive_ios_per_io")).contains("db_read_percent");
        assertThat(value(plan, "drive_ios_per_io")).isCloseTo(1.3, within(1e-9));
        assertThat(value(plan, "drive_iops_measured"))
                .isCloseTo((300 + 100 / 3.0) * 1.4 / 2, within(1e-9));
    }

    /** 100 users with 10 to 20 I/O a second on drives of 100 to 200: 5 to 20 drives, and 10 between. */
    @Test
    void intervalsOfInputsGoThroughToTheAnswer() throws IOException {
        hub("""
                "asked_rate": "5000/s", "throughput_geometric_mean_msgs_per_s": 100.0,
                "throughput_ci95_msgs_per_s": {"low": 50.0, "high": 200.0}
                """);
        Collected said = given("users", 36_000, "peak_factor", 1, "headroom_percent", 0);
        said.said(
                PlanInputs.MESSAGES_SENT_PER_USER_DAY,
                100.0,
                Source.given("--set").within(new Interval(80, 120)));
        said.said(PlanInputs.DAY_H, 10.0, Source.given("--set"));
        Plan plan = own(read("conditions"), said);
        assertThat(plan.value(PlanInputs.HUB_MSGS_PER_S)).isEqualTo(100);
        assertThat(value(plan, "hubs_needed")).isEqualTo(1);
        assertThat(PlanRange.of(plan, SizingSteps.HUBS_NEEDED))
                .isEqualTo(new PlanRange(
                        1,
                        3,
                        List.of(PlanInputs.MESSAGES_SENT_PER_USER_DAY, PlanInputs.HUB_MSGS_PER_S)));
        assertThat(PlanAnswer.of(plan))
                .contains(
                        "hubs needed: 1; depends most on messages a second that the hub took",
                        "  range: 1 to 3 with messages sent a user and day, messages a second that"
                                + " the hub took anywhere within the interval",
                        "messages a second, 100 msg/s needed, 100 msg/s there: met, but not within"
                                + " all of the range");
        Collected drives = given("users", 100, "headroom_percent", 0, "db_read_percent", 100);
        drives.said(
                PlanInputs.IOPS_PER_USER, 15.0, Source.given("--set").within(new Interval(10, 20)));
        drives.said(
                PlanInputs.DISK_IOPS, 150.0, Source.given("--set").within(new Interval(100, 200)));
        Plan bought = own(read(), drives);
        assertThat(value(bought, "drives_needed")).isEqualTo(10);
        PlanRange range = Objects.requireNonNull(PlanRange.of(bought, SizingSteps.DRIVES_NEEDED));
        assertThat(range.low()).isEqualTo(5);
        assertThat(range.high()).isEqualTo(20);
        assertThat(PlanRange.of(
                        own(
                                read(),
                                given("users", 9, "mailbox_mb", 9, "disk_gb", 9, "disk_iops", 1)),
                        SizingSteps.DRIVES_NEEDED))
                .isNull();
    }

    /** 5,000 messages a second with three recipients, of which four fifths were handed on: 12,000. */
    @Test
    void deliveriesAndMailFromOutsideLimitToo() throws IOException {
        String handedOn = """
                "asked_rate": "5000/s", "deliver": "DELIVER", "recipients": 3,
                "accepted_msgs": 1000, "delivered_msgs": 800
                """;
        hub(handedOn.replace("DELIVER", "smtp://127.0.0.1:25"));
        Collected said = given(
                "users", 36_000,
                "peak_factor", 1,
                "day_h", 10,
                "messages_sent_per_user_day", 1000,
                "messages_received_per_user_day", 20_000,
                "outside_percent", 30);
        Plan plan = own(read("conditions"), said);
        assertThat(plan.value(PlanInputs.HUB_DELIVERIES_PER_S)).isCloseTo(12_000, within(1e-9));
        // 1,000 sent and 6,000 from outside.
        assertThat(value(plan, "messages_per_s")).isCloseTo(7000, within(1e-9));
        assertThat(value(plan, "users_by_messages")).isCloseTo(36_000 * 5 / 7.0, within(1e-6));
        assertThat(value(plan, "users_by_deliveries")).isCloseTo(36_000 * 0.6, within(1e-6));
        assertThat(value(plan, "users_held")).isEqualTo(21_600);
        assertThat(value(plan, "hubs_needed")).isEqualTo(2);
        assertThat(PlanAnswer.of(plan))
                .contains("deliveries a second, 20,000 deliveries/s needed, 12,000 deliveries/s"
                        + " there: not met");
        hub(handedOn.replace("DELIVER", "discard"));
        Plan discarded = own(read("conditions"), said);
        assertThat(discarded.isKnown(PlanInputs.HUB_DELIVERIES_PER_S)).isFalse();
        assertThat(discarded.notes(SizingSteps.USERS_HELD_EXACT))
                .contains("not counted: users whose received mail the hub delivers (unknown)");
    }

    /** 100 users more take 20 % of four cores at ten times the pace, and 95.367 MiB. */
    @Test
    void twoLevelsOfUsersGiveCoresAndMemory() throws IOException {
        String levels = """
                {"schema": 1, "valid": true, "settings": {"day": "8h", "compress": 10.0},
                 "server_environment": {"logical_cores": 4},
                 "levels": [
                  {"users": 100, "resources": {"server_cpu_percent": 10.0,
                   "server_cpu_percent_ci95": {"low": 9.0, "high": 11.0},
                   "available_memory_mb": 1000.0}},
                  {"users": 200, "resources": {"server_cpu_percent": MORE,
                   "server_cpu_percent_ci95": {"low": 29.0, "high": 31.0},
                   "available_memory_mb": 904.632568359375}}]}
                """;
        write("two/users.json", levels.replace("MORE", "30.0"));
        Plan plan =
                own(read("two"), given("users", 1000, "peak_factor", 2, "cpu_limit_percent", 100));
        assertThat(plan.value(PlanInputs.SERVER_CORES_PER_USER)).isCloseTo(0.0008, within(1e-12));
        assertThat(value(plan, "users_per_core")).isCloseTo(625, within(1e-6));
        assertThat(value(plan, "server_cores_needed")).isCloseTo(1.6, within(1e-9));
        assertThat(value(plan, "server_memory_gb_needed")).isCloseTo(1, within(1e-6));
        PlanRange range = Objects.requireNonNull(PlanRange.of(plan, SizingSteps.USERS_PER_CORE));
        assertThat(range.low()).isCloseTo(1 / (2 * 0.00088), within(1e-6));
        assertThat(range.high()).isCloseTo(1 / (2 * 0.00072), within(1e-6));
        write("two/users.json", levels.replace("MORE", "9.0"));
        Collected noMore = read("two");
        assertThat(noMore.numbers()).doesNotContainKey(PlanInputs.SERVER_CORES_PER_USER);
        assertThat(noMore.warnings())
                .singleElement()
                .asString()
                .contains("no more was used by more users");
    }
}
