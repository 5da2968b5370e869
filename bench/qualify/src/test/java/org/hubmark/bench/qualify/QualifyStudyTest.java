package org.hubmark.bench.qualify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.hubmark.bench.measure.TimeSource;
import org.hubmark.bench.qualify.result.Qualification;
import org.hubmark.bench.qualify.result.Recomputed;
import org.hubmark.bench.qualify.result.Verdict;
import org.hubmark.core.UserError;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * Proves with tiny databases that a qualification runs from the filling to the report, finds a flipped
 * bit, goes on where it was interrupted, and refuses what can't be done in one line, with nothing left
 * behind.
 */
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
class QualifySessionTest {
    /** The keys that the contract of qualification.json names for an instance. */
    private static final List<String> COLUMNS = List.of(
            "instance",
            "avg_db_read_latency_ms",
            "avg_db_write_latency_ms",
            "db_reads_per_s",
            "db_writes_per_s",
            "avg_db_read_bytes",
            "avg_db_write_bytes",
            "avg_log_read_latency_ms",
            "avg_log_write_latency_ms",
            "log_reads_per_s",
            "log_writes_per_s",
            "avg_log_read_bytes",
            "avg_log_write_bytes",
            "p95_db_read_latency_ms",
            "p99_db_read_latency_ms",
            "max_db_read_latency_ms",
            "p99_log_write_latency_ms",
            "max_log_write_latency_ms",
            "maintenance_reads_per_s",
            "avg_maintenance_read_bytes",
            "replication_log_reads_per_s",
            "avg_replication_log_read_bytes",
            "transactions_per_s",
            "stalls_per_s",
            "cache_hits_per_s");

    private static final double TARGET_IOPS = TinyRequest.TARGET_IOPS;

    /** What is to be interrupted. */
    private static final Duration LONG = Duration.ofMinutes(10);

    /** As fast as it goes, writes of the usual mix would stall on a slow disk, which is a reason. */
    private static final TransactionMix READS = TransactionMix.parse("insert=3,delete=2,read=95");

    @TempDir
    Path folder;

    private Path databaseVolume;
    private Path logVolume;
    private Path results;

    @BeforeEach
    void folders() throws IOException {
        databaseVolume = Files.createDirectory(folder.resolve("db"));
        logVolume = Files.createDirectory(folder.resolve("log"));
        results = Files.createDirectory(folder.resolve("results"));
    }

    private QualifyRequest request(Set<Phase> phases, boolean keep, Duration duration, long bytes) {
        return request(phases, keep, duration, bytes, true);
    }

    private QualifyRequest request(
            Set<Phase> phases, boolean keep, Duration duration, long bytes, boolean openLoop) {
        return TinyRequest.of(
                databaseVolume,
                logVolume,
                phases,
                keep,
                duration,
                bytes,
                openLoop,
                openLoop ? TransactionMix.DEFAULT : READS);
    }

    private Qualification run(QualifyRequest request) throws IOException, InterruptedException {
        try (QualifySession session = new QualifySession(request, results)) {
            return session.run();
        }
    }

    @Test
    void allPhasesRunAndLeaveAVerdictAReportAndNoDatabase() throws Exception {
        // As fast as it goes, which is above the target on any machine.
        Qualification found = run(request(
                EnumSet.allOf(Phase.class), false, Duration.ofSeconds(2), 12_000_000, false));
        assertThat(found.reasons()).isEmpty();
        assertThat(found.verdict()).isEqualTo(Verdict.PASS);
        JsonNode all = found.tree();
        assertThat(all.properties().stream().map(Map.Entry::getKey))
                .contains(
                        "schema",
                        "tool",
                        "environment",
                        "settings",
                        "target_iops",
                        "verdict",
                        "reasons",
                        "phases");
        assertThat(all.path("phases")).hasSize(5).allSatisfy(phase -> {
            assertThat(phase.path("complete").asBoolean()).isTrue();
            assertThat(phase.path("instances"))
                    .hasSize(2)
                    .allSatisfy(instance -> COLUMNS.forEach(column ->
                            assertThat(instance.has(column)).as(column).isTrue()));
        });
        JsonNode performance = all.path("phases").get(0);
        assertThat(performance.path("achieved_iops").asDouble())
                .isGreaterThanOrEqualTo(TARGET_IOPS);
        assertThat(performance.path("instances")).allSatisfy(instance -> {
            assertThat(instance.path("maintenance_reads_per_s").asDouble()).isPositive();
            assertThat(instance.path("log_writes_per_s").asDouble()).isPositive();
            assertThat(instance.path("avg_db_read_bytes").asDouble()).isPositive();
        });
        assertThat(all.path("phases").get(2).path("backup")).hasSize(2);
        assertThat(all.path("phases").get(3).path("recovery"))
                .hasSize(2)
                .allSatisfy(one ->
                        assertThat(one.path("log_mb_replayed").asDouble()).isGreaterThan(0.9));
        assertThat(all.path("phases").get(4).path("checksum")).isNotEmpty().allSatisfy(file -> {
            assertThat(file.path("blocks").asLong()).isPositive();
            assertThat(file.path("bad_blocks").asLong()).isZero();
        });
        assertThat(results.resolve("report.html")).isNotEmptyFile();
        assertThat(Files.readString(results.resolve("report.md")))
                .contains("Appendix A: Stress", "Appendix E: Checksum", "651.699")
                .containsPattern("Self-check: \\d+ cells recomputed from the raw samples, none of");
        assertThat(databaseVolume).isEmptyDirectory();
        assertThat(logVolume).isEmptyDirectory();
    }

    /** Fills, keeps, and flips a bit of the largest table. */
    private Path flipped() throws Exception {
        QualifyRequest request =
                request(EnumSet.of(Phase.CHECKSUM), true, Duration.ofSeconds(2), 12_000_000);
        assertThat(run(request).verdict()).isEqualTo(Verdict.PASS);
        Path table;
        try (Stream<Path> files = Files.walk(databaseVolume)) {
            table = files.filter(file -> file.toString().endsWith(".sst"))
                    .max((one, other) -> Long.compare(size(one), size(other)))
                    .orElseThrow();
        }
        byte[] octets = Files.readAllBytes(table);
        octets[octets.length / 2] ^= 4;
        Files.write(table, octets);
        try (Stream<Path> files = Files.list(results)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        return table;
    }

    @Test
    void aReadThatFailsEndsTheRunInOneLine() throws Exception {
        Path table = flipped();
        QualifyRequest request = request(
                EnumSet.of(Phase.PERFORMANCE), true, Duration.ofMinutes(2), 12_000_000, false);
        assertThatThrownBy(() -> run(request))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the database " + table.getParent())
                .hasMessageContaining("failed at a transaction")
                .hasMessageNotContaining("\n");
        assertThat(results).isEmptyDirectory();
    }

    @Test
    void aFlippedBitIsFoundAndFails() throws Exception {
        Path table = flipped();
        QualifyRequest request =
                request(EnumSet.of(Phase.CHECKSUM), true, Duration.ofSeconds(2), 12_000_000);
        Qualification found = run(request);
        assertThat(found.verdict()).isEqualTo(Verdict.FAIL);
        assertThat(found.reasons())
                .singleElement()
                .asString()
                .contains(table.toString())
                .contains("1 of ");
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Interrupts the performance phase; what is in the file then. */
    private JsonNode interrupted(QualifyRequest longOne) throws Exception {
        CompletableFuture<Boolean> ended = new CompletableFuture<>();
        Path samples = results.resolve("performance-samples.csv");
        TimeSource time = new HurriedTime(samples);
        Thread runner = Thread.ofPlatform().start(() -> {
            try (QualifySession session = new QualifySession(longOne, results, time)) {
                session.run();
                ended.complete(session.interrupted());
            } catch (IOException | InterruptedException | RuntimeException e) {
                ended.completeExceptionally(e);
            }
        });
        await().atMost(Duration.ofMinutes(3)).until(() -> Files.exists(samples));
        runner.interrupt();
        assertThat(ended.get()).isTrue();
        runner.join();
        return Objects.requireNonNull(Qualification.read(results));
    }

    @Test
    void anInterruptedRunKeepsWhatItHasAndGoesOn() throws Exception {
        Set<Phase> phases = EnumSet.of(Phase.PERFORMANCE, Phase.BACKUP);
        JsonNode partial = interrupted(request(phases, false, LONG, 12_000_000));
        assertThat(partial.path("phases")).singleElement().satisfies(phase -> {
            assertThat(phase.path("complete").asBoolean()).isFalse();
            assertThat(phase.path("verdict").isNull()).isTrue();
            assertThat(phase.path("reasons").get(0).asText()).startsWith("interrupted after");
        });
        assertThat(databaseVolume).isEmptyDirectory();

        Qualification whole = run(request(phases, false, Duration.ofSeconds(2), 12_000_000));
        assertThat(whole.phases()).hasSize(2);
        // Open loop: so much was asked for, and no more; two seconds scatter widely.
        assertThat(whole.phases().getFirst().path("achieved_iops").asDouble())
                .isBetween(TARGET_IOPS / 2, TARGET_IOPS * 2);
        Qualification again = run(request(phases, false, Duration.ofSeconds(2), 12_000_000));
        // Nothing is left to do: every phase stands as it was.
        assertThat(again.phases()).hasToString(whole.phases().toString());
    }

    @Test
    void whatIsNotDoneYetDoesNotPass() throws Exception {
        Set<Phase> checksum = EnumSet.of(Phase.CHECKSUM);
        assertThat(run(request(checksum, false, Duration.ofSeconds(2), 12_000_000))
                        .verdict())
                .isEqualTo(Verdict.PASS);
        assertThat(Files.readString(results.resolve("report.md")))
                .contains("The storage passes; no load was put on it.");
        Set<Phase> both = EnumSet.of(Phase.PERFORMANCE, Phase.CHECKSUM);
        JsonNode partial = interrupted(request(both, false, LONG, 12_000_000));
        assertThat(partial.path("phases")).hasSize(2);
        assertThat(partial.path("verdict").isNull()).isTrue();
        assertThat(Files.readString(results.resolve("report.md"))).contains("There is no verdict");
    }

    /** Cells that follow from others, one of each kind; where each is written, it is found changed. */
    @Test
    void aChangedCellIsFoundByTheSelfCheck() throws Exception {
        Qualification found = run(request(
                EnumSet.of(Phase.PERFORMANCE, Phase.BACKUP, Phase.RECOVERY),
                false,
                Duration.ofSeconds(2),
                12_000_000,
                false));
        JsonNode all = found.tree();
        assertThat(Recomputed.of(all, results).mismatches()).isEmpty();
        for (String cell : List.of(
                "/phases/0/achieved_iops",
                "/phases/0/avg_db_read_latency_ms",
                "/phases/0/avg_db_read_latency_ms_weighted",
                "/phases/0/read_latency_drift_ms_per_h",
                "/phases/0/hours/0/p99_db_read_latency_ms",
                "/phases/0/instances/1/p99_db_read_latency_ms",
                "/phases/0/instances/1/total/db_reads_per_s",
                "/phases/0/instances/0/counters/transactions",
                "/phases/1/backup/1/mb_per_s",
                "/phases/2/recovery/0/s_per_mb")) {
            JsonNode changed = all.deepCopy();
            int slash = cell.lastIndexOf('/');
            String key = cell.substring(slash + 1);
            double value = all.at(cell).asDouble();
            ((ObjectNode) changed.at(cell.substring(0, slash)))
                    .put(key, value + Math.copySign(Math.abs(value) / 100 + 1, value));
            assertThat(Recomputed.of(changed, results).mismatches())
                    .as(cell)
                    .singleElement()
                    .asString()
                    .contains(key);
        }
    }

    @Test
    void refusesInOneLineAndLeavesNothingBehind() throws IOException {
        Set<Phase> phases = EnumSet.of(Phase.PERFORMANCE);
        QualifyRequest huge = request(phases, false, Duration.ofSeconds(2), 1L << 60);
        assertThatThrownBy(() -> run(huge))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("free, and 2 databases of")
                .hasMessageNotContaining("\n");
        Path foreign = Files.createDirectory(databaseVolume.resolve("hubmark-db1"));
        QualifyRequest usual = request(phases, false, Duration.ofSeconds(2), 12_000_000);
        assertThatThrownBy(() -> run(usual))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("is no database of ours");
        assertThat(foreign).isEmptyDirectory();
        Files.delete(foreign);
        assertThat(databaseVolume).isEmptyDirectory();
        Files.delete(logVolume);
        assertThatThrownBy(() -> run(usual))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--log-volume " + logVolume + " is not a folder");
        assertThat(databaseVolume).isEmptyDirectory();
    }

    @Test
    void resultsOfAnotherQualificationAreNotMixed() throws Exception {
        Set<Phase> checksum = EnumSet.of(Phase.CHECKSUM);
        run(request(checksum, false, Duration.ofSeconds(2), 12_000_000));
        List<Path> before = new ArrayList<>();
        try (Stream<Path> files = Files.list(results)) {
            files.forEach(before::add);
        }
        assertThatThrownBy(() -> run(request(checksum, false, Duration.ofSeconds(2), 13_000_000)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("another qualification");
        try (Stream<Path> files = Files.list(results)) {
            assertThat(files).containsExactlyInAnyOrderElementsOf(before);
        }
    }
}
