package org.hubmark.bench.qualify.phase;

import static org.hubmark.bench.qualify.phase.PhaseFigures.REFILLED;
import static org.hubmark.bench.qualify.phase.PhaseVerdict.when;
import static org.hubmark.bench.qualify.result.Figures.BAD_BLOCKS;
import static org.hubmark.bench.qualify.result.Figures.BLOCKS;
import static org.hubmark.bench.qualify.result.Figures.BYTES;
import static org.hubmark.bench.qualify.result.Figures.ELAPSED_NS;
import static org.hubmark.bench.qualify.result.Figures.ELAPSED_S;
import static org.hubmark.bench.qualify.result.Figures.FILE;
import static org.hubmark.bench.qualify.result.Figures.MB_PER_S;
import static org.hubmark.bench.qualify.result.Figures.figure;
import static org.hubmark.bench.qualify.result.Figures.mebibytes;
import static org.hubmark.bench.qualify.result.Figures.seconds;

import org.hubmark.bench.kit.document.Column;
import org.hubmark.bench.kit.document.Column.Better;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Form;
import org.hubmark.bench.kit.document.Name;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.qualify.phase.PhaseVerdict.Case;
import org.hubmark.bench.qualify.phase.TransactionalPhase.Collected;
import org.hubmark.bench.qualify.result.Fold;
import org.hubmark.bench.qualify.result.InstanceFigures;
import org.hubmark.bench.qualify.result.IoCounter;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The phases of a test, in the order in which they run. A phase stands here and nowhere else: what it does and
 * counts, by what it is judged, and what a report has of it. {@link PhaseFigures} is made of these constants:
 * their columns must not use it.
 */
@SuppressWarnings("ImmutableEnumChecker") // A form has nothing to change.
public enum Phase {
    PERFORMANCE("B: Performance"),
    STRESS("A: Stress"),
    /** Each database as it is at one moment. What is read goes nowhere, so that the volume is measured. */
    BACKUP(
            "C: Streaming backup",
            "Backup statistics",
            "Each database, read from one end to the other",
            InstanceFigures.INSTANCE,
            List.of(figure("size_mb", "Size (MB)", mebibytes(BYTES)), ELAPSED_S, MB_PER_S),
            part -> List.of(figure(
                    "backup_mb_per_s",
                    "MB/sec read per server",
                    Better.MORE,
                    Fold.SUM.over(part, MB_PER_S.asInput())))) {
        @Override
        public Collected run(PhaseContext context) throws IOException, InterruptedException {
            PhaseReport report = new PhaseReport(context);
            report.log("Backing up");
            return read(report, (place, operations) -> {
                try (ReadChannel channel =
                        new ReadChannel(place.pages(), operations, IoCounter.DB_READS)) {
                    channel.readAll();
                    return Repeat.counted().count(BYTES, channel.bytes());
                }
            });
        }
    },
    RECOVERY(
            "D: Soft recovery",
            "Soft recovery statistics",
            "The source replays files of 1 MB at 2.843 s each",
            InstanceFigures.INSTANCE,
            List.of(
                    figure("log_mb_replayed", "Log replayed (MB)", mebibytes(BYTES)),
                    ELAPSED_S,
                    figure(
                            "s_per_mb",
                            "Time per MB (sec)",
                            seconds(ELAPSED_NS).over(mebibytes(BYTES)))),
            // Times of databases side by side added up, as the source has it.
            part -> List.of(figure(
                    "recovery_s_per_mb",
                    "Average time to replay 1 MB of log (sec)",
                    Better.LESS,
                    Fold.SUM
                            .over(part, seconds(ELAPSED_NS))
                            .over(Fold.SUM.over(part, mebibytes(BYTES)))))) {
        @Override
        public Collected run(PhaseContext context) throws IOException, InterruptedException {
            return new Collected(RecoveryPhase.run(context, form()), null);
        }

        @Override
        long logBytes(QualifyRequest.Test test) {
            return test.recoveryLogBytes();
        }
    },
    CHECKSUM(
            "E: Checksum",
            "Checksum statistics",
            "The pages of each database",
            FILE,
            List.of(
                    Column.of(BYTES, "", "Length (bytes)"),
                    Column.of(BLOCKS, "", "Blocks seen"),
                    Column.of(BAD_BLOCKS, "", "Bad blocks"),
                    ELAPSED_S,
                    MB_PER_S),
            part -> List.of()) {
        @Override
        public Collected run(PhaseContext context) throws IOException, InterruptedException {
            PhaseReport report = new PhaseReport(context);
            report.found().count(REFILLED, context.refilled() ? 1 : 0);
            report.log("Checking every page");
            return read(report, (place, operations) -> {
                PageCheck.Found found = PageCheck.check(
                        place.pages(), operations, IoCounter.DB_READS, PageCheck.Pace.NONE);
                return Repeat.counted()
                        .name(FILE, place.pages().toString())
                        .count(BYTES, found.bytes())
                        .count(BLOCKS, found.pages())
                        .count(BAD_BLOCKS, found.badPages());
            });
        }

        @Override
        List<Case> cases() {
            return List.of(
                    new Case(
                            true,
                            (document, phase) -> phase.parts(form()).stream()
                                    .filter(file -> file.count(BAD_BLOCKS) > 0)
                                    .map(file -> file.name(FILE) + ": "
                                            + Math.round(file.count(BAD_BLOCKS))
                                            + " of " + Math.round(file.count(BLOCKS))
                                            + " blocks bad, none is allowed")
                                    .toList()),
                    new Case(
                            false,
                            (document, phase) -> when(
                                    phase.count(REFILLED) == 1,
                                    "the databases that a load had written were removed at an interruption, and"
                                            + " new ones were checked; with --keep they stay")));
        }
    };

    /** As the source. */
    private static final Duration READ_SAMPLE = Duration.ofSeconds(30);

    private final String title;
    private final @Nullable Part part;

    /**
     * What is counted of each database.
     *
     * @param title of its section
     * @param caption of its table there
     * @param totals figures of the phase that are made of them
     */
    public record Part(String title, String caption, Form form, List<Column> totals) {}

    /** A phase with transactions. */
    Phase(String title) {
        this.title = title;
        this.part = null;
    }

    /**
     * A phase that does something to each database, side by side, until that is done.
     *
     * @param row what tells the databases apart
     */
    Phase(
            String title,
            String section,
            String caption,
            Name row,
            List<Column> columns,
            Function<Form, List<Column>> totals) {
        this.title = title;
        Form form = Form.part(toString(), List.of(row), columns);
        this.part = new Part(section, caption, form, totals.apply(form));
    }

    /** {@return the name on the command line and in files} */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** {@return the letter of its appendix, and what the source calls it} */
    public String title() {
        return title;
    }

    /** {@return whether it has transactions, and lasts as long as it is told to} */
    public boolean hasTransactions() {
        return part == null;
    }

    /** {@return what it counts of each database; nothing for one with transactions} */
    public Stream<Part> part() {
        return Stream.ofNullable(part);
    }

    /** {@return what all phases count of each database} */
    public static List<Part> parts() {
        return Stream.of(values()).flatMap(Phase::part).toList();
    }

    /** {@return the form of what it counts of each database} */
    public Form form() {
        return Objects.requireNonNull(part, name()).form();
    }

    /**
     * Runs it.
     *
     * @throws InterruptedException for one without transactions that was interrupted
     */
    public Collected run(PhaseContext context) throws IOException, InterruptedException {
        Duration length = context.request().test().phases().getOrDefault(this, Duration.ZERO);
        return new TransactionalPhase(context, length).run();
    }

    /**
     * {@return what came of one that reads each database}
     *
     * @param work whose time is taken here
     */
    Collected read(PhaseReport report, PhaseReport.Work work)
            throws IOException, InterruptedException {
        report.work(READ_SAMPLE, form(), (place, operations) -> {
            long began = System.nanoTime();
            return work.run(place, operations).count(ELAPSED_NS, System.nanoTime() - began);
        });
        return new Collected(report.done(), null);
    }

    /** {@return by what it is judged; none where it is not} */
    List<Case> cases() {
        return hasTransactions() ? PhaseVerdict.OF_TRANSACTIONS : List.of();
    }

    /** {@return whether it judges databases as they are, so that none is filled or even opened for it} */
    public boolean isCheck() {
        return !hasTransactions() && !cases().isEmpty();
    }

    /** {@return how much it writes to the log of each database} */
    long logBytes(QualifyRequest.Test test) {
        return 0;
    }

    /** {@return the phase of a row; none where it has none of ours} */
    public static Optional<Phase> of(Row row) {
        return Stream.of(values())
                .filter(phase -> phase.toString().equals(row.name(PhaseFigures.PHASE)))
                .findFirst();
    }

    /** {@return it in a document; none where it was not run} */
    public Optional<Row> row(Document document) {
        return document.table(PhaseFigures.PHASES).rows().stream()
                .filter(row -> of(row).equals(Optional.of(this)))
                .findFirst();
    }

    /** {@return those of a document that have transactions, in their order} */
    public static List<Row> loads(Document document) {
        return Stream.of(values())
                .filter(Phase::hasTransactions)
                .flatMap(phase -> phase.row(document).stream())
                .toList();
    }
}
