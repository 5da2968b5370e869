package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.hubmark.bench.cli.Mutants.Row;
import org.hubmark.bench.durability.HubHistories;
import org.hubmark.bench.durability.Recorder;
import org.hubmark.bench.durability.StoreCrashes;
import org.hubmark.bench.hub.HubJvm;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Proves that a broken build does not pass: the store's byte code is changed in one place, put in front
 * of the class path, and the command must find that the promise is broken, by the kind of crash that the
 * table names. The store as it is passes. What a simulation finds is shown by {@link SimulatedMutantsTest},
 * without a process.
 */
class MutationTest {
    /**
     * A run ends with the first broken promise, so that more crashes cost nothing where the mutant is
     * found. The rarest is seen in two crashes of sixteen: sixteen let it through in one run of nine, 64 in
     * one of five thousand.
     */
    private static final int CRASHES_MAX = 64;
    /** A run on devices goes on to its end; its mutant is found in nearly each crash. */
    private static final int CRASHES_ON_DEVICES = 16;

    private static final String ON_DEVICES = "power";

    @TempDir
    Path folder;

    @Test
    void theStoreAsItIsPasses() throws Exception {
        Path none = Files.createDirectories(folder.resolve("none"));
        assertThat(broken(none, "kill", "synced", 1)).isEmpty();
        for (String kind : HubHistories.KINDS) {
            assertThat(broken(none, kind, "synced", 2)).isEmpty();
        }
    }

    @TestFactory
    Stream<DynamicTest> eachKindFindsItsMutants() {
        List<Row> rows = Mutants.TABLE.stream()
                .filter(row -> !StoreCrashes.KINDS.contains(row.kind()))
                .toList();
        List<Future<Boolean>> caught;
        // Some wait for what never comes, others need a processor.
        try (ExecutorService processors =
                Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors())) {
            caught = rows.stream()
                    .map(row -> processors.submit(() -> isPossible(row) && caught(row)))
                    .toList();
        }
        return IntStream.range(0, rows.size()).mapToObj(i -> {
            Row row = rows.get(i);
            return DynamicTest.dynamicTest(row.text(), () -> {
                assumeTrue(isPossible(row));
                assertThat(caught.get(i).get()).as(row.text()).isTrue();
            });
        });
    }

    private static boolean isPossible(Row row) throws IOException {
        return !row.kind().equals(ON_DEVICES) || Recorder.obstacle() == null;
    }

    private boolean caught(Row row) throws Exception {
        Path classes = Files.createTempDirectory(folder, "mutant-");
        row.mutant().write(classes);
        int crashesMax = row.kind().equals(ON_DEVICES) ? CRASHES_ON_DEVICES : CRASHES_MAX;
        return !broken(classes, row.kind(), row.durability(), crashesMax).isEmpty();
    }

    /** {@return the broken promises that a short run with some classes replaced finds, a line each} */
    private List<String> broken(Path classes, String kind, String durability, int crashes)
            throws Exception {
        List<String> command = HubJvm.plainCommand();
        command.add("-cp");
        command.add(classes + File.pathSeparator + System.getProperty("java.class.path"));
        Path results = Files.createTempDirectory(folder, "out-");
        String arguments = HubHistories.KINDS.contains(kind)
                ? HubHistories.class.getName() + " %s %s %d %d %s"
                : "org.hubmark.bench.cli.Main durability --kinds=%s --class=%s --crashes=%d"
                        + " --seed=%d --output=%s";
        command.addAll(List.of(String.format(
                        Locale.ROOT, arguments, kind, durability, crashes, Mutants.SEED, results)
                .split(" ", -1)));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        // The tests' own configuration of the log writes where a hub's words are not looked for.
        builder.environment().put("HUBMARK_JAVA_OPTS", "-Dlogback.configurationFile=" + logging());
        Process process = builder.start();
        List<String> said = new ArrayList<>();
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                said.add(line);
                if (line.startsWith("BROKEN") && !kind.equals(ON_DEVICES)) {
                    // Broken by what was changed, and there is nothing more to be found; a device
                    // has to be taken away again.
                    assertThat(line).contains("--seed ");
                    process.destroy();
                }
            }
        } catch (IOException e) {
            // It was ended.
            said.add(String.valueOf(e.getMessage()));
        }
        assertThat(process.waitFor(2 * CommandProcess.WAIT.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
        List<String> broken =
                said.stream().filter(line -> line.startsWith("BROKEN")).toList();
        if (broken.isEmpty() && process.exitValue() != 0) {
            throw new AssertionError(String.join("\n", said));
        }
        return broken;
    }

    /** {@return a file by which a hub logs to standard error, as it does outside of tests} */
    private Path logging() throws IOException {
        return Files.writeString(Files.createTempFile(folder, "logback-", ".xml"), """
            <configuration>
              <appender name="stderr" class="ch.qos.logback.core.ConsoleAppender">
                <target>System.err</target>
                <encoder><pattern>%msg%n</pattern></encoder>
              </appender>
              <root level="warn"><appender-ref ref="stderr"/></root>
            </configuration>
            """);
    }
}
