package org.hubmark.bench.qualify.phase;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.kit.document.Clock;
import org.hubmark.bench.kit.document.Progress;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.qualify.TinyRequest;
import org.hubmark.bench.qualify.pages.CacheMode;
import org.hubmark.bench.qualify.pages.DatabasePlace;
import org.hubmark.bench.qualify.pages.MailboxDatabase;
import org.hubmark.bench.qualify.pages.MessageSizes;
import org.hubmark.bench.qualify.pages.TransactionKind;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Proves that a cache which does not get full in time is said, and one that does is not. */
@Timeout(120)
@Execution(ExecutionMode.CONCURRENT)
class WarmUpTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    @TempDir
    Path folder;

    private PhaseContext context;

    @BeforeEach
    void fill() throws Exception {
        Path database = Files.createDirectory(folder.resolve("db"));
        Path log = Files.createDirectory(folder.resolve("log"));
        TinyRequest tiny = new TinyRequest(database, log, Phase.PERFORMANCE);
        tiny.mix = new TransactionMix(Map.of(TransactionKind.READ, 100));
        QualifyRequest request = tiny.made();
        List<DatabasePlace> places = DatabasePlace.deal(
                request.databases().volumes(),
                request.databases().logVolumes(),
                request.databases().count());
        try (OpenDatabases databases = new OpenDatabases(request, places)) {
            assertThat(new Filling(request, places, Progress.SILENT).fill(databases.all()))
                    .hasSize(request.databases().count());
        }
        context = new PhaseContext(request, places, Progress.SILENT, List::of, Clock.SYSTEM, false);
    }

    @Test
    void aCacheThatIsNotFullInTimeIsNotedInTheTestLogAndTheResults() throws Exception {
        String wanted = "of the 15,099,494 bytes asked for after 0ms, when the wait for it ended";
        Repeat cold =
                new TransactionalPhase(context, SECOND, Duration.ZERO).run().whole();
        assertThat(cold.name(PhaseFigures.NOTES)).contains(wanted);
        assertThat(log(cold))
                .anySatisfy(line -> assertThat(line).startsWith("Note: ").contains(wanted));
        Repeat warm = new TransactionalPhase(context, SECOND).run().whole();
        assertThat(warm.name(PhaseFigures.NOTES)).isEqualTo("[]");
        assertThat(log(warm)).noneMatch(line -> line.startsWith("Note: "));
    }

    /** Their pages stay in the file, and nothing reads them. */
    @Test
    void contentsOfMessagesThatAreDeletedAreNotWaitedFor() throws Exception {
        QualifyRequest request = context.request();
        QualifyRequest large = new QualifyRequest(
                request.databases(),
                new QualifyRequest.Caches(List.of(CacheMode.ALL), 61L << 20, 64L << 20),
                request.load(),
                request.test(),
                request.limits());
        try (OpenDatabases databases = new OpenDatabases(large, context.places())) {
            SplittableRandom random = new SplittableRandom(1);
            MessageSizes sizes = new MessageSizes(random.split());
            for (MailboxDatabase database : databases.all()) {
                long before = database.messages();
                for (long left = before / 3; left > 0; left--) {
                    var unused = database.run(TransactionKind.DELETE, sizes, random, false);
                }
                assertThat(database.messages()).isLessThan(before);
            }
        }
        Repeat result = new TransactionalPhase(context.of(large), SECOND, Duration.ofSeconds(90))
                .run()
                .whole();
        assertThat(result.name(PhaseFigures.NOTES)).isEqualTo("[]");
        assertThat(log(result))
                .anySatisfy(line -> assertThat(line)
                        .startsWith("Prerequisites: database cache size ")
                        .endsWith(" bytes, or all that is read: it has all"));
    }

    private static List<String> log(Repeat phase) {
        return phase.parts(PhaseFigures.TEST_LOG).stream()
                .map(line -> line.name(PhaseFigures.TEXT))
                .toList();
    }
}
