package org.hubmark.bench.durability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.hubmark.bench.durability.soak.HistoryFile;
import org.hubmark.bench.durability.soak.HistoryLine;
import org.hubmark.bench.durability.soak.Lines;
import org.hubmark.bench.measure.hub.Program;
import org.hubmark.core.Durability;
import org.hubmark.queue.QueueStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;

/**
 * Proves that a soak runs no seed twice, also after it was interrupted or killed, and gives each kind its
 * share. Simulated histories are run; of the others only the plan is looked at.
 */
@Timeout(120)
class SoakTest {
    private static final List<Durability> CLASSES =
            List.of(new Durability.Synced(), new Durability.None());
    private static final Program PROGRAM = new Program("test", SoakTest.class, SoakTest.class);

    @TempDir
    Path folder;

    /** Folders of histories that were there at some time. */
    private final Set<String> seen = new HashSet<>();

    private Soak.Outcome soak() throws Exception {
        return new Soak(
                        new Soak.Request(
                                folder,
                                CLASSES,
                                false,
                                List.of(CrashKind.SIMULATED),
                                Duration.ofMillis(1),
                                1,
                                1),
                        PROGRAM,
                        note -> {})
                .run();
    }

    @Test
    void itGoesOnWithOtherSeeds() throws Exception {
        Soak.Outcome first = soak();
        assertThat(first.isKept()).as("%s", first.lines()).isTrue();
        assertThat(first.isJudged()).isTrue();
        assertThat(first.earlier()).isEmpty();
        Files.writeString(
                folder.resolve(HistoryFile.NAME),
                Files.readString(folder.resolve(HistoryFile.NAME))
                        + "{\"schema\":1,\"kind\":\"simul");
        Soak.Outcome second = soak();
        assertThat(second.earlier()).isEqualTo(first.lines());
        List<HistoryLine> all = HistoryFile.read(folder).lines();
        assertThat(all).hasSize(first.lines().size() + second.lines().size());
        Set<String> histories = new HashSet<>();
        for (HistoryLine line : all) {
            assertThat(line.build().storeFormat()).isEqualTo(QueueStore.format());
            assertThat(line.counts().crashes()).isPositive();
            assertThat(line.counts().acknowledgedMsgs()).isPositive();
            for (long seed = line.seeds().seedFirst(); seed <= line.seeds().seedLast(); seed++) {
                assertThat(histories.add(line.durability() + " " + seed)).isTrue();
            }
        }
        // Nothing is left of what was fine.
        assertThat(folder).isDirectoryNotContaining(Files::isDirectory);
    }

    @Test
    void itEndsWhenItIsInterruptedAndKeepsWhatIsWhole() throws Exception {
        Soak endless = new Soak(
                new Soak.Request(folder, CLASSES, false, List.of(CrashKind.SIMULATED), null, 1, 1),
                PROGRAM,
                note -> {});
        FutureTask<Soak.Outcome> run = new FutureTask<>(endless::run);
        Thread runner = Thread.ofPlatform().daemon().name("soak").start(run);
        await().atMost(Duration.ofSeconds(60)).until(() -> oneHasEnded() || run.isDone());
        runner.interrupt();
        Soak.Outcome found = run.get();
        assertThat(found.isKept()).as("%s", found.lines()).isTrue();
        assertThat(found.isJudged()).isTrue();
        assertThat(HistoryFile.read(folder).lines()).isEqualTo(found.lines());
        assertThat(folder).isDirectoryNotContaining(Files::isDirectory);
    }

    /** {@return whether more histories have begun than there are threads} */
    private boolean oneHasEnded() throws Exception {
        try (Stream<Path> homes = Files.list(folder)) {
            homes.filter(Files::isDirectory)
                    .map(home -> String.valueOf(home.getFileName()))
                    .forEach(seen::add);
        }
        return seen.size() > Runtime.getRuntime().availableProcessors();
    }

    @Test
    void eachKindHasItsShareAndItsOwnSeeds() {
        SoakPlan plan =
                plan(List.of(CrashKind.KILL, CrashKind.POWER, CrashKind.SIMULATED), List.of());
        List<SoakPlan.Turn> turns = turns(plan, 100);
        assertThat(turns).noneMatch(turn -> turn.kind() == CrashKind.SIMULATED);
        long kills = crashes(turns, CrashKind.KILL);
        assertThat((double) crashes(turns, CrashKind.POWER) / kills).isBetween(1.0, 1.5);
        for (CrashKind kind : List.of(CrashKind.KILL, CrashKind.POWER)) {
            for (Durability durability : CLASSES) {
                List<Long> seeds = turns.stream()
                        .filter(turn -> turn.kind() == kind && turn.durability().equals(durability))
                        .map(SoakPlan.Turn::seed)
                        .toList();
                // One after the other, so that all layouts of devices have their turn.
                for (int i = 1; i < seeds.size(); i++) {
                    assertThat(seeds.get(i)).isEqualTo(seeds.get(i - 1) + 1);
                }
            }
        }
        SoakPlan.Turn simulated = Objects.requireNonNull(plan.next(true, 100));
        assertThat(simulated.kind()).isEqualTo(CrashKind.SIMULATED);
        assertThat(simulated.histories()).isEqualTo(100);
        assertThat(Objects.requireNonNull(plan.next(true, 100)).durability())
                .isNotEqualTo(simulated.durability());
        assertThat(Objects.requireNonNull(plan.next(true, 100)).seed())
                .isEqualTo(simulated.seed() + 100);
    }

    @Test
    void whatWasDoneToAnotherFormatIsNoShareAndItsSeedsAreNotRunAgain() {
        String own = QueueStore.format();
        List<HistoryLine> earlier = List.of(
                Lines.kept("1", "kill", "synced", 70, 400),
                Lines.kept(own, "kill", "none", 71, 400),
                Lines.kept(own, "power", "synced", 72, 400));
        SoakPlan plan = plan(List.of(CrashKind.KILL, CrashKind.POWER), earlier);
        List<SoakPlan.Turn> turns = turns(plan, 8);
        // None of synced kills and of power in none counts for the format; the others are ahead.
        assertThat(turns)
                .allMatch(turn -> turn.kind() == CrashKind.KILL
                        ? turn.durability() instanceof Durability.Synced && turn.seed() > 70
                        : turn.durability() instanceof Durability.None && turn.seed() >= 70);
    }

    private static SoakPlan plan(List<CrashKind> kinds, List<HistoryLine> earlier) {
        return new SoakPlan(kinds, CLASSES, false, QueueStore.format(), earlier, new Random(5));
    }

    private static List<SoakPlan.Turn> turns(SoakPlan plan, int count) {
        List<SoakPlan.Turn> turns = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            turns.add(Objects.requireNonNull(plan.next(false, 1)));
        }
        return turns;
    }

    private static long crashes(List<SoakPlan.Turn> turns, CrashKind kind) {
        return turns.stream()
                .filter(turn -> turn.kind() == kind)
                .mapToLong(SoakPlan.Turn::lives)
                .sum();
    }
}
