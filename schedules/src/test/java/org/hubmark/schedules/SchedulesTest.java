package org.hubmark.schedules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.hubmark.schedules.ScheduledJvm.Trial;
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
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Proves that no schedule of the threads of store and hub breaks a promise, as far as a scheduler finds that
 * decides at each step which goes on. First it has to find a fault that was planted; then races that the
 * history has mended, put back one at a time; then it must find nothing. A schedule is known by its seed and
 * number, and fails again by them.
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

    /**
     * RocksDB's threads and places of the JVM that draw at random, such as the levels of a skip list, are not
     * led: a schedule need not come out the same.
     */
    private static final int REPLAYS_MAX = 5;

    /** Some schedules depend on such a place, and none comes out the same: then others are looked for. */
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
        assertThat(isFoundTwice(new Trial(Scenario.LOST_UPDATE, null, SEED), 100, 1))
                .isTrue();
    }

    @TestFactory
    @Order(2)
    Stream<DynamicTest> aRaceThatIsPutBackIsFound() {
        return PutBack.all()
                .map(mutant -> DynamicTest.dynamicTest(mutant.name(), () -> {
                    long seed = SEED;
                    while (!isFoundTwice(
                            new Trial(mutant.scenario(), mutant, seed),
                            Integer.MAX_VALUE,
                            REPLAYS_MAX)) {
                        seed++;
                        assertThat(seed)
                                .as("seeds without a schedule that fails again")
                                .isLessThan(SEED + FOUND_MAX);
                    }
                }));
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

    /** For who looks into what was found: the same schedule again. */
    @Test
    @EnabledIfSystemProperty(named = "schedule", matches = ".+")
    @Order(5)
    void theScheduleThatIsNamed() throws IOException, InterruptedException {
        String[] words = System.getProperty("schedule").split(":", -1);
        ScheduledJvm.Result result = jvm.again(
                new Trial(Scenario.valueOf(words[0]), null, Long.parseLong(words[1])),
                Integer.parseInt(words[2]));
        assertThat(result.found()).as(result.output()).isFalse();
    }

    private Stream<DynamicTest> each(int seconds) {
        return Stream.of(Scenario.values())
                .filter(scenario -> scenario != Scenario.LOST_UPDATE)
                .map(scenario -> DynamicTest.dynamicTest(
                        scenario.name(), () -> requireNone(scenario, seconds)));
    }

    private void requireNone(Scenario scenario, int seconds)
            throws IOException, InterruptedException {
        ScheduledJvm.Result result =
                jvm.search(new Trial(scenario, null, SEED), 1, Integer.MAX_VALUE, seconds);
        System.out.println("schedules of " + scenario + ": " + result.number() + ", seed " + SEED);
        assertThat(result.found())
                .as(
                        "again by -Dschedule=%s:%d:%d, %s",
                        scenario, SEED, result.number(), result.output())
                .isFalse();
        assertThat(result.number()).isPositive();
    }

    private boolean isFoundTwice(Trial trial, int schedulesMax, int replaysMax)
            throws IOException, InterruptedException {
        ScheduledJvm.Result first = jvm.search(trial, 1, schedulesMax, RACE_SECONDS);
        assertThat(first.found()).as(first.output()).isTrue();
        int replays = 0;
        boolean again = false;
        while (!again && replays < replaysMax) {
            again = jvm.again(trial, first.number()).found();
            replays++;
        }
        System.out.println(trial.scenario() + ", seed " + trial.seed() + ": found by schedule "
                + first.number() + (again ? ", again by replay " : ", not again in ") + replays);
        return again;
    }
}
