package org.hubmark.bench.qualify;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.hubmark.bench.kit.document.JsonFile;
import org.hubmark.bench.measure.Progress;
import org.hubmark.bench.measure.TimeSource;
import org.hubmark.bench.qualify.report.QualificationReport;
import org.hubmark.bench.qualify.result.PhaseResult;
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
import java.util.EnumSet;
import java.util.List;
import java.util.SplittableRandom;

/** Proves that a cache which does not get full in time is said, and one that does is not. */
@Timeout(120)
@Execution(ExecutionMode.CONCURRENT)
class WarmUpTest {
    @TempDir
    Path folder;

    private Path results;
    private PhaseContext context;

    @BeforeEach
    void fill() throws Exception {
        Path database = Files.createDirectory(folder.resolve("db"));
        Path log = Files.createDirectory(folder.resolve("log"));
        results = Files.createDirectory(folder.resolve("results"));
        QualifyRequest request = TinyRequest.of(
                database,
                log,
                EnumSet.of(Phase.PERFORMANCE),
                false,
                Duration.ofSeconds(1),
                12_000_000,
                false,
                TransactionMix.parse("read=100"));
        List<DatabasePlace> places = DatabasePlace.deal(
                request.databaseVolumes(), request.logVolumes(), request.databases());
        Progress progress = new Progress(System.err, true);
        try (OpenDatabases databases = OpenDatabases.open(request, places)) {
            assertThat(new Filling(request, places, progress).fill(databases.all()))
                    .hasSize(request.databases());
        }
        context = new PhaseContext(request, places, results, progress, TimeSource.SYSTEM);
    }

    @Test
    void aCacheThatIsNotFullInTimeIsNotedInTheTestLogTheResultsAndTheReport() throws Exception {
        PhaseResult result =
                new TransactionalPhase(context, Phase.PERFORMANCE, Duration.ZERO).run();
        String wanted = "of the 3,774,873 bytes asked for after 0ms, when the wait for it ended";
        assertThat(result.notes()).singleElement().asString().contains(wanted);
        assertThat(result.log().stream().map(PhaseResult.LogLine::text))
                .contains("Note: " + result.notes().getFirst());
        assertThat(result.complete()).isTrue();
        assertThat(result.reasons()).isEmpty();
        assertThat(report(result)).contains(wanted);
    }

    @Test
    void oneThatIsFullIsNot() throws Exception {
        PhaseResult result = new TransactionalPhase(context, Phase.PERFORMANCE).run();
        assertThat(result.notes()).isEmpty();
        assertThat(report(result)).doesNotContain("when the wait for it ended");
    }

    /** Their contents stay in the tables until these are put together, and nothing reads them. */
    @Test
    void contentsOfMessagesThatAreDeletedAreNotWaitedFor() throws Exception {
        QualifyRequest large = context.request()
                .block(
                        new QualifyRequest.CacheKind("64MiB", CacheMode.ALL, 61L << 20, 64L << 20),
                        2,
                        context.request().collection(),
                        1);
        try (OpenDatabases databases = OpenDatabases.open(large, context.places())) {
            SplittableRandom random = new SplittableRandom(1);
            MessageSizes sizes = new MessageSizes(random.split());
            for (MailboxDatabase database : databases.all()) {
                for (long left = database.messages() / 3; left > 0; left--) {
                    assertThat(database.run(TransactionKind.DELETE, sizes, random, false))
                            .isNotNegative();
                }
            }
        }
        PhaseResult result = new TransactionalPhase(
                        new PhaseContext(
                                large,
                                context.places(),
                                results,
                                context.progress(),
                                TimeSource.SYSTEM),
                        Phase.PERFORMANCE,
                        Duration.ofSeconds(90))
                .run();
        assertThat(result.notes()).isEmpty();
        assertThat(result.log().stream().map(PhaseResult.LogLine::text))
                .anySatisfy(line -> assertThat(line)
                        .startsWith("Prerequisites: database cache size ")
                        .endsWith(" bytes, or all that is read: it has all"));
    }

    private String report(PhaseResult result) throws IOException {
        ObjectNode all = JsonNodeFactory.instance.objectNode();
        all.putArray("phases").add(JsonFile.tree(result));
        QualificationReport.write(all, results);
        return Files.readString(results.resolve("report.md"));
    }
}
