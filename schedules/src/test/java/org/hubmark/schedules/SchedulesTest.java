package org.hubmark.schedules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Store and hub keep their promises whatever the order of their threads: a scheduler, not the machine,
 * decides at each step which goes on. First it has to find a fault that was planted; then races that the
 * history has mended, put back one at a time; then it must find nothing. What fails leaves its schedule in
 * a file, and fails again by that file.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class SchedulesTest {
    private static final Path TARGET = Path.of(System.getProperty("schedules.folder", "target"));
    private static final long SEED = Long.getLong("schedules.seed", 1);
    private static final int SECONDS = Integer.getInteger("schedules.seconds", 3);
    private static final int LONG_SECONDS = 900;

    /** So long a race is looked for that is there. */
    private static final int RACE_SECONDS = 60;

    /** The JVM draws at random in places that are not led, such as the levels of a skip list: a replay can leave its schedule. */
    private static final int REPLAYS_MAX = 5;

    /** Some schedules depend on such a place, and no replay repeats them: then others are looked for. */
    private static final int FOUND_MAX = 3;

    private ScheduledJvm jvm;

    @BeforeAll
    void make() throws IOException, InterruptedException {
        String problem = InstrumentedRuntime.problem();
        assumeTrue(problem.isEmpty(), problem);
        jvm = new ScheduledJvm(TARGET);
    }

    /** A scheduler that misses this proves nothing by what else it does not find. */
    @Test
    @Order(1)
    void thePlantedLostUpdateIsFound() throws IOException, InterruptedException {
        requireFoundTwice(Meetings.PLANTED, "", 100);
    }

    @TestFactory
    @Order(2)
    Stream<DynamicTest> aRaceThatIsPutBackIsFound() {
        return PutBack.ALL.stream()
                .map(mutant -> DynamicTest.dynamicTest(
                        mutant.name(),
                        () -> requireFoundTwice(
                                mutant.scenario(), mutant.name(), Integer.MAX_VALUE)));
    }

    @TestFactory
    @Order(3)
    Stream<DynamicTest> noScheduleBreaksAPromise() {
        return each(SECONDS);
    }

    @TestFactory
    @Tag("long")
    @Order(4)
    Stream<DynamicTest> noScheduleOfManyBreaksAPromise() {
        return each(LONG_SECONDS);
    }

    /** For who looks into what was found: the same schedule again, from its file. */
    @Test
    @EnabledIfSystemProperty(named = "schedule", matches = ".+")
    @Order(5)
    void theScheduleOfAFile() throws IOException, InterruptedException {
        ScheduledJvm.Result result = jvm.replay(Path.of(System.getProperty("schedule")));
        assertThat(result.outcome()).as(result.output()).isEqualTo("none");
    }

    private Stream<DynamicTest> each(int seconds) {
        return StreamSupport.stream(Meetings.names().spliterator(), false)
                .map(name -> DynamicTest.dynamicTest(name, () -> requireNone(name, seconds)));
    }

    private void requireNone(String scenario, int seconds)
            throws IOException, InterruptedException {
        ScheduledJvm.Result result = jvm.search(scenario, "", SEED, Integer.MAX_VALUE, seconds);
        System.out.println(
                "schedules of " + scenario + ": " + result.schedules() + ", seed " + SEED);
        assertThat(result.outcome())
                .as(
                        "%s by schedule %d of seed %d, kept in %s: %s",
                        scenario, result.schedules(), SEED, jvm.file(scenario, ""), result.output())
                .isEqualTo("none");
        assertThat(result.schedules()).isPositive();
    }

    private void requireFoundTwice(String scenario, String mutant, int schedulesMax)
            throws IOException, InterruptedException {
        int foundMax = mutant.isEmpty() ? 1 : FOUND_MAX;
        for (int found = 1;
                !isFoundAgain(scenario, mutant, schedulesMax, SEED + found - 1);
                found++) {
            assertThat(found)
                    .as("schedules of %s %s that no replay repeats", scenario, mutant)
                    .isLessThan(foundMax);
        }
    }

    private boolean isFoundAgain(String scenario, String mutant, int schedulesMax, long seed)
            throws IOException, InterruptedException {
        ScheduledJvm.Result result = jvm.search(scenario, mutant, seed, schedulesMax, RACE_SECONDS);
        System.out.println("schedules of " + scenario + " " + mutant + ", seed " + seed + ": "
                + result.schedules() + ", " + result.outcome());
        assertThat(result.isFound()).as(result.output()).isTrue();
        Path file = jvm.file(scenario, mutant);
        assertThat(Files.exists(file)).as("the schedule is in %s", file).isTrue();
        int replaysMax = mutant.isEmpty() ? 1 : REPLAYS_MAX;
        ScheduledJvm.Result again = jvm.replay(file);
        int replays = 1;
        while (!again.isFailed() && replays < replaysMax) {
            again = jvm.replay(file);
            replays++;
        }
        System.out.println(
                "again by " + file.getFileName() + ": " + again.outcome() + ", replay " + replays);
        if (mutant.isEmpty()) {
            assertThat(again.outcome()).as(again.output()).isEqualTo("found");
        }
        return again.isFailed();
    }
}
