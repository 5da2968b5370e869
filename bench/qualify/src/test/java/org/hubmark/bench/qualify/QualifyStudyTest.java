package org.hubmark.bench.qualify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.hubmark.bench.kit.document.Clock;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.qualify.pages.TransactionKind;
import org.hubmark.bench.qualify.phase.Phase;
import org.hubmark.bench.qualify.phase.PhaseFigures;
import org.hubmark.bench.qualify.phase.QualifyRequest;
import org.hubmark.bench.qualify.phase.TransactionMix;
import org.hubmark.bench.qualify.report.Qualification;
import org.hubmark.core.UserError;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
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
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

/**
 * Proves with tiny databases that a qualification runs from the filling to the report, finds a flipped
 * bit, goes on where it was interrupted, and refuses what can't be done in one line, with nothing left
 * behind.
 */
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
class QualifyStudyTest {
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
    private static final TransactionMix READS = new TransactionMix(
            Map.of(TransactionKind.INSERT, 3, TransactionKind.DELETE, 2, TransactionKind.READ, 95));

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

    private Document run(QualifyRequest request) throws IOException, InterruptedException {
        return TinyRequest.run(request, results);
    }

    private static Repeat phase(Document found, Phase phase) {
        return found.table(PhaseFigures.PHASES).rows().stream()
                .filter(row -> row.name(PhaseFigures.PHASE).equals(phase.toString()))
                .findFirst()
                .orElseThrow()
                .repeat();
    }

    private JsonNode json() throws IOException {
        return new ObjectMapper().readTree(results.resolve("qualification.json").toFile());
    }

    /** The phases of ESRP, their verdict and their form. */
    @Test
    @Tag("published")
    void allPhasesRunAndLeaveAVerdictAReportAndNoDatabase() throws Exception {
        // As fast as it goes, which is above the target on any machine.
        Document found = run(request(
                EnumSet.allOf(Phase.class), false, Duration.ofSeconds(2), 40_000_000, false));
        TinyRequest.requireGood(found.findings().reasons(), found.findings().verdict());
        assertThat(found.exitCode()).isEqualTo(found.findings().reasons().isEmpty() ? 0 : 3);
        JsonNode all = json();
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
            for (String column : List.of(
                    "db_reads_per_s", "db_writes_per_s", "log_writes_per_s", "cache_hits_per_s")) {
                assertThat(instance.path(column).asDouble()).as(column).isPositive();
            }
            assertThat(instance.path("avg_db_read_bytes").asDouble()).isBetween(32768.0, 60000.0);
        });
        assertThat(performance.path("read_share").asDouble()).isBetween(0.5, 1.0);
        assertThat(all.path("phases").get(2).path("backup"))
                .hasSize(2)
                .allSatisfy(one -> assertThat(one.path("size_mb").asDouble()).isGreaterThan(35));
        assertThat(all.path("phases").get(3).path("recovery"))
                .hasSize(2)
                .allSatisfy(one ->
                        assertThat(one.path("log_mb_replayed").asDouble()).isGreaterThan(0.9));
        assertThat(all.path("phases").get(3).path("device_read_mb").asDouble(2)).isGreaterThan(1.8);
        // Past the page cache, so that it was read from the device.
        assertThat(all.path("phases").get(3).path("instances"))
                .allSatisfy(instance ->
                        assertThat(instance.path("log_reads_per_s").asDouble()).isPositive());
        assertThat(all.path("phases").get(4).path("checksum")).hasSize(2).allSatisfy(file -> {
            assertThat(file.path("blocks").asLong()).isGreaterThan(1000);
            assertThat(file.path("bad_blocks").asLong()).isZero();
        });
        assertThat(results.resolve("report.html")).isNotEmptyFile();
        assertThat(Files.readString(results.resolve("report.md")))
                .contains("Appendix A: Stress", "Appendix E: Checksum", "651.699");
        assertThat(DocumentFile.check(results, DocumentFile.read(results, Qualification.KIND))
                        .isClean())
                .isTrue();
        assertThat(databaseVolume).isEmptyDirectory();
        assertThat(logVolume).isEmptyDirectory();
    }

    /** Fills, keeps, and flips a bit of the largest file. */
    private Path flipped() throws Exception {
        QualifyRequest request =
                request(EnumSet.of(Phase.CHECKSUM), true, Duration.ofSeconds(2), 12_000_000);
        assertThat(run(request).findings().verdict()).isEqualTo("pass");
        Path table;
        try (Stream<Path> files = Files.walk(databaseVolume)) {
            table = files.filter(file -> file.toString().endsWith(".edb"))
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
        Document found = run(request);
        assertThat(found.findings().verdict()).isEqualTo("fail");
        assertThat(found.exitCode()).isEqualTo(3);
        assertThat(found.findings().reasons())
                .singleElement()
                .asString()
                .contains(table.toString())
                .contains("1 of ")
                .endsWith("blocks bad, none is allowed");
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Interrupts the performance phase; what was found then. */
    private Document interrupted(QualifyRequest longOne) throws Exception {
        CompletableFuture<Document> ended = new CompletableFuture<>();
        HurriedTime time = new HurriedTime();
        Thread runner = Thread.ofPlatform().start(() -> {
            try (QualifyStudy study = new QualifyStudy(longOne)) {
                ended.complete(TinyRequest.run(study, longOne, results, time, time::phase));
            } catch (IOException | InterruptedException | RuntimeException e) {
                ended.completeExceptionally(e);
            }
        });
        time.awaitCollecting();
        runner.interrupt();
        runner.join();
        assertThat(ended.get().exitCode()).isEqualTo(130);
        return DocumentFile.read(results, Qualification.KIND);
    }

    @Test
    void anInterruptedRunKeepsWhatItHasAndGoesOn() throws Exception {
        Set<Phase> phases = EnumSet.of(Phase.PERFORMANCE, Phase.BACKUP);
        Document partial = interrupted(request(phases, false, LONG, 12_000_000));
        assertThat(partial.findings().verdict()).isNull();
        assertThat(phase(partial, Phase.PERFORMANCE).name(PhaseFigures.STOPPED))
                .startsWith("interrupted after");
        assertThat(json().at("/phases/0/complete").asBoolean(true)).isFalse();
        assertThat(json().at("/phases/0/verdict").isNull()).isTrue();
        assertThat(json().at("/phases/0/reasons/0").asText()).startsWith("interrupted after");
        assertThat(Files.readString(results.resolve("report.md"))).contains("not judged");
        assertThat(databaseVolume).isEmptyDirectory();

        Document whole = run(request(phases, false, Duration.ofSeconds(2), 12_000_000));
        assertThat(whole.table(PhaseFigures.PHASES).rows()).hasSize(2);
        // Open loop: so much was asked for, and no more; two seconds scatter widely.
        assertThat(PhaseFigures.ACHIEVED.value(phase(whole, Phase.PERFORMANCE)))
                .isBetween(TARGET_IOPS / 2, TARGET_IOPS * 2);
    }

    /**
     * A phase that was finished is not run again where the one behind it was interrupted; but the databases
     * that it had loaded are gone, so that their checksums are not known.
     */
    @Test
    void aPhaseThatIsFinishedStandsAsItWas() throws Exception {
        Set<Phase> phases = EnumSet.of(Phase.PERFORMANCE, Phase.STRESS, Phase.CHECKSUM);
        QualifyRequest quick = request(phases, false, Duration.ofSeconds(2), 12_000_000);
        CompletableFuture<Document> ended = new CompletableFuture<>();
        CountDownLatch second = new CountDownLatch(2);
        Thread runner = Thread.ofPlatform().start(() -> {
            try (QualifyStudy study = new QualifyStudy(quick)) {
                ended.complete(
                        TinyRequest.run(study, quick, results, Clock.SYSTEM, (name, time) -> {
                            if (name.equals("Collecting")) {
                                second.countDown();
                            }
                        }));
            } catch (IOException | InterruptedException | RuntimeException e) {
                ended.completeExceptionally(e);
            }
        });
        second.await();
        runner.interrupt();
        runner.join();
        assertThat(ended.get().exitCode()).isEqualTo(130);
        Document partial = DocumentFile.read(results, Qualification.KIND);
        assertThat(phase(partial, Phase.STRESS).name(PhaseFigures.STOPPED))
                .startsWith("interrupted after");
        Document whole = run(quick);
        assertThat(whole.complete()).isTrue();
        assertThat(phase(whole, Phase.PERFORMANCE)).isEqualTo(phase(partial, Phase.PERFORMANCE));
        assertThat(phase(whole, Phase.STRESS).complete()).isTrue();
        assertThat(json().at("/phases/2/phase").asText()).isEqualTo("checksum");
        assertThat(json().at("/phases/2/verdict").isNull()).isTrue();
        assertThat(json().at("/phases/2/reasons/0").asText())
                .startsWith("the databases that a load had written were removed");
        assertThat(whole.findings().verdict()).isNotEqualTo("pass");
        assertThat(Files.readString(results.resolve("report.md")))
                .contains("| Were checksum errors found? | - |");
    }

    /** Cells that follow from others, one of each kind; where each is written, it is found changed. */
    @Test
    void aChangedCellIsFoundByTheSelfCheck() throws Exception {
        var unused = run(request(
                EnumSet.of(Phase.PERFORMANCE, Phase.BACKUP, Phase.RECOVERY),
                false,
                Duration.ofSeconds(2),
                12_000_000,
                false));
        Path file = results.resolve("qualification.json");
        String whole = Files.readString(file);
        Document read = DocumentFile.read(results, Qualification.KIND);
        for (String cell : List.of(
                "/phases/0/achieved_iops",
                "/phases/0/avg_db_read_latency_ms",
                "/phases/0/avg_db_read_latency_ms_weighted",
                "/phases/0/host/cpu_percent/avg",
                "/phases/0/instances/1/p99_db_read_latency_ms",
                "/phases/0/instances/1/total/db_reads_per_s",
                "/phases/0/instances/0/max_sample_db_read_latency_ms",
                "/phases/1/backup/1/mb_per_s",
                "/phases/2/recovery/0/s_per_mb")) {
            JsonNode changed = new ObjectMapper().readTree(whole);
            int slash = cell.lastIndexOf('/');
            String key = cell.substring(slash + 1);
            double value = changed.at(cell).asDouble();
            ((ObjectNode) changed.at(cell.substring(0, slash)))
                    .put(key, value + Math.copySign(Math.abs(value) / 100 + 1, value));
            Files.writeString(file, changed.toString());
            assertThat(DocumentFile.check(results, read).mismatches())
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
                .hasMessageContaining("is not a database of ours");
        assertThat(foreign).isEmptyDirectory();
        Files.delete(foreign);
        assertThat(databaseVolume).isEmptyDirectory();
        Path other = Files.createFile(logVolume.resolve("mail.txt"));
        assertThatThrownBy(() -> run(usual))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("volume " + logVolume + " is not empty");
        assertThat(other).exists();
        assertThat(databaseVolume).isEmptyDirectory();
    }

    @Test
    void volumesThatAreAbsentAreMadeAndTakenAway() throws Exception {
        Files.delete(databaseVolume);
        Document found =
                run(request(EnumSet.of(Phase.CHECKSUM), false, Duration.ofSeconds(2), 12_000_000));
        assertThat(found.findings().verdict()).isEqualTo("pass");
        assertThat(databaseVolume).doesNotExist();
        assertThat(logVolume).isEmptyDirectory();
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
                .hasMessageContaining("has results of qualify with other settings");
        try (Stream<Path> files = Files.list(results)) {
            assertThat(files).containsExactlyInAnyOrderElementsOf(before);
        }
    }
}
