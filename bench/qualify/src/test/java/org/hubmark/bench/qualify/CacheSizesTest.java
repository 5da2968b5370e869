package org.hubmark.bench.qualify;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.document.Table;
import org.hubmark.bench.qualify.report.Qualification;
import org.hubmark.bench.qualify.result.CacheFigures;
import org.hubmark.bench.qualify.result.ProfileFigures;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Proves that caches of other sizes have about what the profile of one predicts. */
@Timeout(180)
@Execution(ExecutionMode.CONCURRENT)
class CacheSizesTest {
    private static final long MIB = 1 << 20;
    /** Of 100: the blocks are few, and so are the reads of a second. */
    private static final double ERROR_POINTS = 10;

    @TempDir
    private Path folder;

    @Test
    void sizesHaveWhatWasPredicted() throws Exception {
        Path results = Files.createDirectory(folder.resolve("results"));
        QualifyRequest request = TinyRequest.of(
                Files.createDirectories(folder.resolve("db")),
                Files.createDirectories(folder.resolve("log")),
                Set.of(),
                false,
                Duration.ofSeconds(1),
                16_000_000,
                false,
                TransactionMix.parse("insert=10,delete=5,read=85"),
                List.of(CacheMode.ALL),
                List.of(8 * MIB, 16 * MIB, 64 * MIB));
        Document found = TinyRequest.run(request, results);
        assertThat(DocumentFile.check(results, DocumentFile.read(results, Qualification.KIND))
                        .isClean())
                .isTrue();
        List<Row> caches = found.table(CacheFigures.CACHES).rows();
        assertThat(caches)
                .extracting(row -> row.name(CacheFigures.CACHE))
                .containsExactly("8MiB", "16MiB", "64MiB");
        Table sizes = found.table(CacheFigures.SIZES);
        assertThat(sizes.rows()).hasSize(3);
        double before = 0;
        for (Row size : sizes.rows()) {
            assertThat(size.number(CacheFigures.PREDICTED_FROM)).isEqualTo(8 * MIB);
            assertThat(size.repeats()).hasSize(CacheComparison.ROUNDS);
            assertThat(sizes.estimate(size, CacheFigures.OF_SIZE.get(4)).value())
                    .as("%s", size)
                    .isBetween(-ERROR_POINTS, ERROR_POINTS);
            double ratio = sizes.estimate(size, CacheFigures.OF_SIZE.getFirst()).value();
            assertThat(ratio).isGreaterThan(before);
            before = ratio;
        }
        assertThat(Files.readString(results.resolve("report.md")))
                .startsWith("# Cache sizes compared\n")
                .contains("predicted for it in the same round during the first")
                .contains("Predicted for other sizes of the cache");
        Repeat first = caches.getFirst().repeats().getFirst();
        assertThat(first.count(ProfileFigures.CACHE_BYTES)).isEqualTo(8 * MIB);
        // Which blocks they were is known of nearly all, with every size of the cache too.
        assertThat(unknownPercent(List.of(first))).isLessThan(5);
        assertThat(unknownPercent(
                        caches.stream().flatMap(row -> row.repeats().stream()).toList()))
                .isLessThan(3);
        assertThat(first.count(ProfileFigures.WORKING_SET_BYTES))
                .isBetween(1.0 * MIB, 2 * first.count(ProfileFigures.DATA_BYTES));
    }

    private static double unknownPercent(List<Repeat> blocks) {
        double reads = 0;
        double unknown = 0;
        for (Repeat block : blocks) {
            reads += block.count(ProfileFigures.CACHED_READS);
            reads += block.count(ProfileFigures.STORED_READS);
            unknown += block.count(ProfileFigures.UNKNOWN_READS);
        }
        assertThat(reads).isPositive();
        return 100.0 * unknown / reads;
    }
}
