package org.hubmark.bench.qualify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import static java.util.Collections.singletonList;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.kit.document.JsonFile;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.qualify.pages.TransactionKind;
import org.hubmark.bench.qualify.phase.Phase;
import org.hubmark.bench.qualify.phase.PhaseFigures;
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
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * Proves with tiny databases that a qualification runs from the filling to the report, finds a flipped
 * bit, goes on where it was interrupted, and refuses what can't be done in one line, with nothing left
 * behind.
 */
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
class QualifyStudyTest {
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

    private TinyRequest request(Phase... phases) {
        return new TinyRequest(databaseVolume, logVolume, phases);
    }

    private static Repeat phase(Document found, Phase phase) {
        return phase.row(found).orElseThrow().repeat();
    }

    private JsonNode json() throws IOException {
        return JsonFile.read(results.resolve("qualification.json"));
    }

    private static void requirePositive(JsonNode object, String... keys) {
        for (String key : keys) {
            assertThat(object.path(key).asDouble()).as(key).isPositive();
        }
    }

    /** The phases of ESRP, their verdict and their form. */
    @Test
    @Tag("published")
    void allPhasesRunAndLeaveAVerdictAReportAndNoDatabase() throws Exception {
        TinyRequest request = request(Phase.values());
        // As fast as it goes, which is above the target on any machine.
        request.mix = READS;
        request.bytes = 40_000_000;
        Document found = request.run(results);
        // A test may wait for a processor, beside all else that runs on the machine.
        List<String> reasons = found.findings().reasons();
        assertThat(reasons).allMatch(reason -> reason.contains("the driver stood still"));
        assertThat(found.findings().verdict())
                .isIn(reasons.isEmpty() ? List.of("pass") : singletonList(null));
        assertThat(found.exitCode()).isEqualTo(reasons.isEmpty() ? 0 : 3);
        JsonNode phases = json().path("phases");
        assertThat(phases).hasSize(5).allSatisfy(phase -> {
            assertThat(phase.path("complete").asBoolean()).isTrue();
            assertThat(phase.path("instances")).hasSize(2);
        });
        JsonNode performance = phases.get(0);
        assertThat(performance.path("achieved_iops").asDouble())
                .isGreaterThanOrEqualTo(TinyRequest.TARGET_IOPS);
        assertThat(performance.path("read_share").asDouble()).isBetween(0.5, 1.0);
        assertThat(performance.path("instances")).allSatisfy(instance -> {
            requirePositive(
                    instance,
                    "maintenance_reads_per_s",
                    "db_reads_per_s",
                    "db_writes_per_s",
                    "log_writes_per_s",
                    "cache_hits_per_s");
            assertThat(instance.path("avg_db_read_bytes").asDouble()).isBetween(32768.0, 60000.0);
        });
        assertThat(phases.get(2).path("backup"))
                .hasSize(2)
                .allSatisfy(one -> assertThat(one.path("size_mb").asDouble()).isGreaterThan(35));
        JsonNode recovery = phases.get(3);
        assertThat(recovery.path("recovery"))
                .hasSize(2)
                .allSatisfy(one ->
                        assertThat(one.path("log_mb_replayed").asDouble()).isGreaterThan(0.9));
        // Past the page cache, so that it was read from the device.
        assertThat(recovery.path("device_read_mb").asDouble(2)).isGreaterThan(1.8);
        assertThat(recovery.path("instances"))
                .allSatisfy(instance -> requirePositive(instance, "log_reads_per_s"));
        assertThat(phases.get(4).path("checksum")).hasSize(2).allSatisfy(file -> {
            assertThat(file.path("blocks").asLong()).isGreaterThan(1000);
            assertThat(file.path("bad_blocks").asLong(1)).isZero();
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

    @Test
    void aFlippedBitEndsReadsInOneLineAndFailsTheChecksum() throws Exception {
        TinyRequest check = request(Phase.CHECKSUM);
        check.keep = true;
        assertThat(check.run(results).findings().verdict()).isEqualTo("pass");
        Path table;
        try (Stream<Path> files = Files.walk(databaseVolume)) {
            table = files.filter(file -> file.toString().endsWith(".edb"))
                    .max(Comparator.comparingLong(file -> file.toFile().length()))
                    .orElseThrow();
        }
        byte[] octets = Files.readAllBytes(table);
        octets[octets.length / 2] ^= 4;
        Files.write(table, octets);
        Path others = Files.createDirectory(folder.resolve("others"));
        TinyRequest reads = request(Phase.PERFORMANCE);
        reads.keep = true;
        reads.mix = READS;
        reads.duration = Duration.ofMinutes(2);
        assertThatThrownBy(() -> reads.run(others))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the database " + table.getParent())
                .hasMessageContaining("failed at a transaction")
                .hasMessageNotContaining("\n");
        assertThat(others).isEmptyDirectory();
        Document found = check.run(others);
        assertThat(found.findings().verdict()).isEqualTo("fail");
        assertThat(found.exitCode()).isEqualTo(3);
        assertThat(found.findings().reasons())
                .singleElement()
                .asString()
                .contains(table.toString(), "1 of ")
                .endsWith("blocks bad, none is allowed");
    }

    /**
     * A phase that was finished is not run again where the one behind it was interrupted; but the databases
     * that it had loaded are gone, so that their checksums are not known.
     */
    @Test
    void anInterruptedRunKeepsWhatItHasAndGoesOn() throws Exception {
        TinyRequest request = request(Phase.PERFORMANCE, Phase.STRESS, Phase.CHECKSUM);
        request.openLoop = true;
        AtomicInteger collected = new AtomicInteger();
        Thread runner = Thread.currentThread();
        Document stopped = request.run(results, () -> {
            if (collected.incrementAndGet() == 2) {
                runner.interrupt();
            }
        });
        assertThat(stopped.exitCode()).isEqualTo(130);
        assertThat(databaseVolume).isEmptyDirectory();
        Document partial = DocumentFile.read(results, Qualification.KIND);
        assertThat(partial.findings().verdict()).isNotEqualTo("pass");
        JsonNode stress = json().at("/phases/1");
        assertThat(stress.path("complete").asBoolean(true)).isFalse();
        assertThat(stress.path("verdict").isNull()).isTrue();
        assertThat(stress.at("/reasons/0").asText()).startsWith("interrupted after");
        assertThat(Files.readString(results.resolve("report.md"))).contains("not judged");

        Document whole = request.run(results);
        assertThat(whole.complete()).isTrue();
        assertThat(phase(whole, Phase.PERFORMANCE)).isEqualTo(phase(partial, Phase.PERFORMANCE));
        assertThat(phase(whole, Phase.STRESS).complete()).isTrue();
        // Open loop: so much was asked for, and no more; two seconds scatter widely.
        assertThat(PhaseFigures.ACHIEVED.value(phase(whole, Phase.PERFORMANCE)))
                .isBetween(TinyRequest.TARGET_IOPS / 2, TinyRequest.TARGET_IOPS * 2);
        JsonNode checksum = json().at("/phases/2");
        assertThat(checksum.path("verdict").isNull()).isTrue();
        assertThat(checksum.at("/reasons/0").asText())
                .startsWith("the databases that a load had written were removed");
        assertThat(whole.findings().verdict()).isNotEqualTo("pass");
        assertThat(Files.readString(results.resolve("report.md")))
                .contains("| Were checksum errors found? | - |");
    }

    @Test
    void refusesInOneLineAndLeavesNothingBehind() throws IOException {
        TinyRequest huge = request(Phase.PERFORMANCE);
        huge.bytes = 1L << 60;
        requireRefusal(huge, "free, and 2 databases of");
        TinyRequest usual = request(Phase.PERFORMANCE);
        Path foreign = Files.createDirectory(databaseVolume.resolve("hubmark-db1"));
        requireRefusal(usual, "is not a Hubmark database");
        assertThat(foreign).isEmptyDirectory();
        Files.delete(foreign);
        Path other = Files.createFile(logVolume.resolve("mail.txt"));
        requireRefusal(usual, "volume " + logVolume + " is not empty");
        assertThat(other).exists();
        assertThat(databaseVolume).isEmptyDirectory();
    }

    private void requireRefusal(TinyRequest request, String words) {
        assertThatThrownBy(() -> request.run(results))
                .isInstanceOf(UserError.class)
                .hasMessageContaining(words)
                .hasMessageNotContaining("\n");
    }

    /** A volume that was absent is made and taken away. */
    @Test
    void resultsOfAnotherQualificationAreNotMixed() throws Exception {
        Files.delete(databaseVolume);
        TinyRequest request = request(Phase.CHECKSUM);
        assertThat(request.run(results).findings().verdict()).isEqualTo("pass");
        assertThat(databaseVolume).doesNotExist();
        assertThat(logVolume).isEmptyDirectory();
        String[] before = results.toFile().list();
        request.bytes = 13_000_000;
        requireRefusal(request, "has results of qualify with other settings");
        assertThat(results.toFile().list()).containsExactlyInAnyOrder(before);
    }
}
