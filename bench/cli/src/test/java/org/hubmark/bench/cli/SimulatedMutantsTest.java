package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;

import org.hubmark.bench.cli.Mutants.Row;
import org.hubmark.bench.durability.StoreCrashes;
import org.hubmark.core.Durability;
import org.hubmark.queue.QueueStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/**
 * Proves that simulated crashes find a store that breaks its promise: its byte code is changed in one
 * place and loaded beside the store of this JVM, and the campaign must find that the promise is broken.
 * The store as it is, loaded in the same way, passes.
 */
@Timeout(300)
class SimulatedMutantsTest {
    private static final Logger QUEUE =
            (Logger) LoggerFactory.getLogger(QueueStore.class.getPackageName());
    private static final @Nullable Level LEVEL = QUEUE.getLevel();

    @TempDir(factory = MemoryFolder.class)
    Path folder;

    @BeforeAll
    static void expectFailures() {
        // Stores are opened here that are meant to fail.
        QUEUE.setLevel(Level.OFF);
    }

    @AfterAll
    static void restore() {
        QUEUE.setLevel(LEVEL);
    }

    /** With other seeds where one is asked for. */
    @ParameterizedTest
    @CsvSource({
        "simulated, synced, 48",
        "error, synced, 24",
        "new-store, synced, 24",
        "simulated, periodic=10ms, 8",
        "simulated, none, 8"
    })
    void theStoreAsItIsPasses(String kind, String durability, int crashes) throws Exception {
        long seed = Long.getLong("hubmark.seed", Mutants.SEED);
        assertThat(broken(null, kind, durability, crashes, seed)).isEmpty();
    }

    @TestFactory
    Stream<DynamicTest> aSimulationFindsItsMutants() {
        List<Row> rows = Mutants.TABLE.stream()
                .filter(row -> StoreCrashes.KINDS.contains(row.kind()))
                .toList();
        assertThat(rows).isNotEmpty();
        return rows.stream()
                .map(row -> DynamicTest.dynamicTest(
                        row.text(),
                        () -> assertThat(broken(
                                        row.mutant(),
                                        row.kind(),
                                        row.durability(),
                                        Mutants.SIMULATED_CRASHES,
                                        Mutants.SEED))
                                .anyMatch(line -> line.contains("--seed "))));
    }

    /** {@return what broke the promise of a store, a line each} */
    private List<String> broken(
            @Nullable Mutant mutant, String kind, String durability, int crashes, long seed)
            throws Exception {
        Callable<?> campaign = (Callable<?>) new StoreLoader(mutant)
                .loadClass(StoreCrashes.class.getName())
                .getConstructor(String.class, Durability.class, int.class, long.class, Path.class)
                .newInstance(
                        kind,
                        Durability.parse(durability),
                        crashes,
                        seed,
                        Files.createTempDirectory(folder, "out-"));
        return ((List<?>) campaign.call()).stream().map(String::valueOf).toList();
    }
}
