package org.hubmark.bench.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.kit.document.Formula;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.StudyRun;
import org.hubmark.bench.machine.volumes.Storage;
import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.hubmark.bench.plan.MadeResults.Counted;
import org.hubmark.bench.qualify.result.VolumeFigures;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Proves what a plan makes of results, what it asks for and what it writes, and what holds for every plan: more
 * users never need fewer drives.
 */
class OwnPlanTest {
    private static final Counted USUAL = new Counted(180, 120, 15, 100);

    @TempDir
    Path folder;

    /** Storage with and without a cache, and users. */
    @BeforeEach
    void results() throws IOException {
        MadeResults.users(
                folder.resolve("users"), "10h", new TreeMap<>(Map.of(100, 10L, 200, 600L)));
        storage("metadata").performance(USUAL.phase()).write(folder.resolve("on"));
        storage("all").performance(USUAL.phase()).write(folder.resolve("all"));
        pair("pair", new Counted(140, 110, 18, 30), USUAL);
        pair("hits", new Counted(140, 110, 18, 30, 100), new Counted(180, 120, 15, 100, 310));
        new MadeResults.Storage()
                .cache("off", new Counted(300, 300, 8 * 700 / 300.0, 80, 400))
                .cache("all", new Counted(90, 420, 4 * 980 / 90.0, 120, 890))
                .write(folder.resolve("asked"));
        new MadeResults.Storage()
                .cache("off", round(10), round(30), round(20))
                .cache("all", round(110), round(130), round(120))
                .cache("metadata", round(210), round(230), round(220))
                .write(folder.resolve("both"));
        Storage disks = new Storage(
                null,
                null,
                null,
                null,
                Stream.of("sda", "sdb", "sdc", "sdd").map(OwnPlanTest::disk).toList());
        new MadeResults.Storage()
                .volumes(List.of(new VolumeDisclosure(
                        "database",
                        "/db",
                        "md0",
                        "ext4",
                        "rw",
                        new VolumeDisclosure.Disk(null, null, null),
                        1L,
                        null,
                        new VolumeDisclosure.Sync(null, null),
                        disks)))
                .performance(USUAL.phase())
                .write(folder.resolve("array"));
    }

    private static MadeResults.Storage storage(String mode) {
        return new MadeResults.Storage().setting("cache-mode", mode);
    }

    private void pair(String name, Counted off, Counted on) throws IOException {
        storage("off,metadata").cache("off", off).cache("metadata", on).write(folder.resolve(name));
    }

    private static Counted round(int rate) {
        return new Counted(rate, 0, 5, rate);
    }

    private static Storage.Disk disk(String name) {
        return new Storage.Disk(name, null, null, null, null, null, null, null, null, null, null);
    }

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
    void whatIsSaidOfResultsGoesWithThePlan() throws Exception {
        storage("metadata")
                .performance(USUAL.phase()
                        .parts(
                                VolumeFigures.VOLUMES,
                                List.of(Repeat.counted()
                                        .name(VolumeFigures.VOLUME, "/db")
                                        .count(VolumeFigures.FORMATTED_BYTES, 100)
                                        .count(VolumeFigures.USED_BYTES, 8)
                                        .made())))
                .write(folder.resolve("on"));
        assertThat(read(new Collected(), "on").warnings())
                .anyMatch(warning -> warning.contains("performance: volume /db is 8.0 % full"));
        new MadeResults.Storage()
                .performance(MadeResults.host(USUAL.phase(), 400_000_000))
                .write(folder.resolve("busy"));
        assertThat(written("plan", "busy users", "peak_factor=1").findings().warnings())
                .anyMatch(warning -> warning.startsWith(folder.resolve("busy/qualification.json")
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

    @Test
    void writesAFileAndReportsThatSayTheSame() throws Exception {
        Document found = written(
                "./hubmark plan <all>",
                "pair users",
                "users=400 peak_factor=1 drives=10 disk_iops=100 mailbox_mb=200 disk_gb=300");
        Plan plan = PlanDocument.plans(found).getFirst();
        JsonNode file = new ObjectMapper().readTree(folder.resolve("plan.json").toFile());
        assertThat(file.path("steps")).hasSizeGreaterThan(20).allSatisfy(step -> {
            double value = plan.value(PlanSteps.of(step.path("name").asText()));
            assertThat(step.path("result").asDouble(Double.NaN)).isEqualTo((Double) value);
            assertThat(step.path("formula").asText()).isNotEmpty();
            assertThat(step.path("inputs"))
                    .allMatch(input -> input.path("value").isNumber());
        });
        String report = Files.readString(folder.resolve("report.md"));
        assertThat(report)
                .startsWith("# Plan: 400 users\n")
                .contains("| I/O a second that is asked for | 240 I/O/s | users x")
                .contains("| reads that the cache had | 0 % | 0 % | higher | N/A |")
                .contains("| metadata of a user in the cache | - | - | - | a number above 0 (MB) |"
                        + " metadata_mb_per_user |");
        assertThat(found.findings().answer().lines().map(String::strip)).allMatch(report::contains);
        assertThat(Files.readString(folder.resolve("report.html")))
                .contains("./hubmark plan &lt;all&gt;");
    }

    /** What a file says is what follows from its inputs; a figure that is not is named. */
    @Test
    void whatFollowsIsComputedAgain() throws Exception {
        var unused = written("plan", "on", "users=400");
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

    private Document written(String command, String from, String said) throws Exception {
        return StudyRun.of(
                new PlanStudy(paths(from), null, given(said)),
                MadeResults.request(folder, command));
    }

    private Plan plan(@Nullable String from, @Nullable String said) {
        Collected all = given(said);
        return OwnPlan.of((from == null ? new Collected() : read(all, from)).with(all));
    }

    private Collected read(Collected said, String from) {
        return ResultFiles.read(paths(from), said);
    }

    private List<String> paths(String names) {
        return Arrays.stream(names.split(" ", -1))
                .map(name -> folder.resolve(name).toString())
                .toList();
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
