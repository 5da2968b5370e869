package org.hubmark.bench.durability;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.durability.result.CrashResult;
import org.hubmark.bench.durability.soak.HistoryFile;
import org.hubmark.bench.durability.soak.HistoryLine;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Tool;
import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.machine.Machine;
import org.hubmark.bench.machine.folders.Folders;
import org.hubmark.bench.machine.folders.MadeFolder;
import org.hubmark.bench.machine.volumes.PreloadLibrary;
import org.hubmark.bench.machine.volumes.Volumes;
import org.hubmark.bench.measure.hub.Program;
import org.hubmark.core.Durability;
import org.hubmark.core.Durations;
import org.hubmark.queue.QueueStore;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;

/**
 * Histories of our own hub for hours, each with a seed that its folder has not had, some of them side by
 * side; what each came to is a line in the folder's file. Blocks; {@link #run} on one thread.
 */
public final class Soak {
    /** A line of simulated histories stands for so many, so that a million crashes are some hundred lines. */
    private static final int SIMULATED_IN_A_ROW = 100;

    /** After so many histories in a row that the test itself could not run, nothing is to be expected. */
    private static final int FAILURES_IN_A_ROW_MAX = 5;

    private static final Duration SAID_EVERY = Duration.ofMinutes(1);

    private final Request request;
    private final Campaign campaign;
    private final Tool tool;
    private final Consumer<String> notes;
    /** Held for reading by a history that others may run beside, for writing by one that runs alone. */
    private final ReadWriteLock machine = new ReentrantReadWriteLock(true);

    private final List<HistoryLine> lines = new ArrayList<>();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private volatile boolean stopping;
    private long deadlineNanos;
    private long startNanos;
    private long saidNanos;
    private int failuresInARow;

    /**
     * What is asked for.
     *
     * @param folder gets the file, and what is left of histories in which a promise was broken
     * @param classes durability classes
     * @param weighted whether the classes have the shares that they have by default; else the same
     * @param kinds of crashes, of which those are left out that can't be tested here
     * @param time after which no history is begun; null until the thread is interrupted
     * @param connections over which mail is sent at once
     * @param sideBySide how many real histories run at once at most
     */
    public record Request(
            Path folder,
            List<Durability> classes,
            boolean weighted,
            List<CrashKind> kinds,
            @Nullable Duration time,
            int connections,
            int sideBySide) {
        /** Copies. */
        public Request {
            classes = List.copyOf(classes);
            kinds = List.copyOf(kinds);
        }
    }

    /**
     * What came of it.
     *
     * @param lines that were added, the oldest first
     * @param earlier lines that the folder held before
     */
    public record Outcome(List<HistoryLine> lines, List<HistoryLine> earlier) {
        /** Copies. */
        public Outcome {
            lines = List.copyOf(lines);
            earlier = List.copyOf(earlier);
        }

        /** {@return whether a line was added that has a verdict} */
        public boolean isJudged() {
            return lines.stream().anyMatch(line -> line.verdict().promiseKept() != null);
        }

        /** {@return whether no line was added that says a promise was broken} */
        public boolean isKept() {
            return lines.stream()
                    .noneMatch(line -> Boolean.FALSE.equals(line.verdict().promiseKept()));
        }
    }

    /**
     * Prepares.
     *
     * @param program whose hubs are crashed
     * @param notes gets what is to be said meanwhile, a line each
     */
    public Soak(Request request, Program program, Consumer<String> notes) {
        this.request = request;
        this.tool = program.tool();
        this.notes = notes;
        this.campaign = new Campaign(
                new Campaign.Request(
                        request.classes(),
                        request.kinds(),
                        null,
                        1,
                        null,
                        0,
                        false,
                        request.connections(),
                        null,
                        null),
                program);
    }

    /** Runs to the end of its time, or until the thread is interrupted, which is an end like any other. */
    public Outcome run() throws IOException {
        try (HistoryFile file = HistoryFile.open(request.folder())) {
            HistoryFile.Contents earlier = file.earlier();
            String torn = earlier.torn(request.folder());
            if (torn != null) {
                notes.accept(torn);
            }
            List<CrashKind> able = able();
            PreloadLibrary library = able.stream().anyMatch(this::needsLibrary)
                    ? PreloadLibrary.in(request.folder())
                    : null;
            SoakPlan plan = new SoakPlan(
                    able,
                    request.classes(),
                    request.weighted(),
                    QueueStore.format(),
                    earlier.lines(),
                    new Random());
            startNanos = System.nanoTime();
            saidNanos = startNanos;
            Duration time = request.time();
            deadlineNanos = startNanos + (time == null ? Long.MAX_VALUE / 2 : time.toNanos());
            work(plan, file, library, host());
            return new Outcome(lines, earlier.lines());
        }
    }

    private List<CrashKind> able() throws IOException {
        List<CrashKind> able = new ArrayList<>();
        for (CrashKind kind : request.kinds()) {
            String obstacle = campaign.obstacle(kind);
            if (obstacle == null) {
                able.add(kind);
            } else {
                notes.accept("left out " + kind + ": " + obstacle);
            }
        }
        return able;
    }

    private boolean needsLibrary(CrashKind kind) {
        return InjectedFaults.needsLibrary(kind) || campaign.watches(kind);
    }

    private HistoryLine.Machine host() throws IOException {
        Environment here =
                Machine.inspect(List.of(Volumes.inspect("log", request.folder().toAbsolutePath())));
        return new HistoryLine.Machine(
                here.processor().cpuModel(),
                here.processor().logicalCores(),
                here.memoryBytes(),
                here.software().os(),
                here.software().kernel(),
                here.software().jdk(),
                here.volumes().getFirst().filesystem(),
                request.sideBySide());
    }

    private void work(
            SoakPlan plan,
            HistoryFile file,
            @Nullable PreloadLibrary library,
            HistoryLine.Machine host)
            throws IOException {
        List<Thread> threads = new ArrayList<>();
        int real = plan.has(false) ? request.sideBySide() : 0;
        // Beside real ones one processor is enough for those that need nothing else.
        int simulated =
                !plan.has(true) ? 0 : real > 0 ? 1 : Runtime.getRuntime().availableProcessors();
        for (int i = 0; i < real + simulated; i++) {
            boolean isSimulated = i >= real;
            threads.add(Thread.ofPlatform()
                    .name((isSimulated ? "soak-simulated-" : "soak-") + i)
                    .start(() -> work(plan, file, library, host, isSimulated)));
        }
        for (Thread thread : threads) {
            await(thread, threads);
        }
        switch (failure.get()) {
            case null -> {}
            case IOException e -> throw e;
            case Throwable e -> throw new IllegalStateException(e);
        }
    }

    /** When we are told to end meanwhile, all end at once, and what they had begun is dropped. */
    private void await(Thread thread, List<Thread> all) {
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                stop();
                all.forEach(Thread::interrupt);
            }
        }
    }

    private void stop() {
        stopping = true;
    }

    private void work(
            SoakPlan plan,
            HistoryFile file,
            @Nullable PreloadLibrary library,
            HistoryLine.Machine host,
            boolean simulated) {
        try {
            do {
                SoakPlan.Turn turn = plan.next(simulated, simulated ? SIMULATED_IN_A_ROW : 1);
                if (turn == null) {
                    return;
                }
                HistoryLine line = simulated ? simulate(turn, host) : history(turn, library, host);
                if (line != null) {
                    done(line, file);
                }
            } while (!isOver());
        } catch (InterruptedException e) {
            // We were told to end; what was begun is no history.
            return;
        } catch (IOException | RuntimeException | Error e) {
            failure.compareAndSet(null, e);
            stop();
        }
    }

    private boolean isOver() {
        return stopping || System.nanoTime() - deadlineNanos >= 0;
    }

    private HistoryLine history(
            SoakPlan.Turn turn, @Nullable PreloadLibrary library, HistoryLine.Machine host)
            throws IOException, InterruptedException {
        var held = SoakPlan.runsAlone(turn.kind()) ? machine.writeLock() : machine.readLock();
        held.lockInterruptibly();
        try {
            long beginNanos = System.nanoTime();
            Tally tally = new Tally("hubmark", turn.durability(), turn.kind());
            List<String> failures = new ArrayList<>();
            Boolean kept = one(tally, turn, turn.seed(), library, failures);
            return line(
                    turn,
                    turn.seed(),
                    tally,
                    beginNanos,
                    new HistoryLine.Verdict(kept, failures),
                    host);
        } finally {
            held.unlock();
        }
    }

    /** {@return those that came to their end; null where none did} */
    private @Nullable HistoryLine simulate(SoakPlan.Turn turn, HistoryLine.Machine host)
            throws IOException {
        long beginNanos = System.nanoTime();
        Tally all = new Tally("hubmark", turn.durability(), turn.kind());
        List<String> failures = new ArrayList<>();
        Boolean kept = true;
        long seed = turn.seed();
        try {
            do {
                Tally tally = all.fresh();
                kept = one(tally, turn, seed, null, failures);
                all.add(tally.counted());
                seed++;
            } while (seed < turn.seed() + turn.histories()
                    && Boolean.TRUE.equals(kept)
                    && !isOver());
        } catch (InterruptedException e) {
            // We were told to end; those before are whole.
            stop();
        }
        return seed == turn.seed()
                ? null
                : line(
                        turn,
                        seed - 1,
                        all,
                        beginNanos,
                        new HistoryLine.Verdict(kept, failures),
                        host);
    }

    /**
     * {@return whether the promise was kept; null where the test itself failed}
     *
     * @throws InterruptedException when we were told to end meanwhile, so that it is no history
     */
    private @Nullable Boolean one(
            Tally tally,
            SoakPlan.Turn turn,
            long seed,
            @Nullable PreloadLibrary library,
            List<String> failures)
            throws InterruptedException, IOException {
        String id = Campaign.id(tally, seed);
        Path home = MadeFolder.fresh(request.folder(), id).path();
        String what = null;
        Boolean kept = null;
        boolean told = false;
        try {
            History.Outcome outcome = campaign.history(tally, seed, turn.lives(), home, library);
            what = outcome.failure();
            kept = what == null;
        } catch (InterruptedException e) {
            told = true;
        } catch (IOException | RuntimeException e) {
            what = "the test could not go on: " + e;
        }
        // What was under way when we were told to end fails in many ways, each of no interest.
        if (told || stopping || Thread.interrupted()) {
            Folders.delete(home);
            throw new InterruptedException();
        }
        if (what == null) {
            return kept;
        }
        failures.add(turn.kind() + ", " + turn.durability() + ": "
                + what.lines().findFirst().orElse("") + "; again with --kinds " + turn.kind()
                + " --class " + turn.durability() + " --crashes " + turn.lives() + " --seed " + seed
                + "; kept in " + home.getFileName());
        return kept;
    }

    private HistoryLine line(
            SoakPlan.Turn turn,
            long seedLast,
            Tally tally,
            long beginNanos,
            HistoryLine.Verdict verdict,
            HistoryLine.Machine host) {
        Repeat counted = tally.counted();
        Histogram recoveries = counted.times(CrashResult.RECOVERY);
        double windowNanos = counted.count(CrashResult.LOSS_WINDOW_NS);
        boolean simulated = turn.kind() == CrashKind.SIMULATED;
        return new HistoryLine(
                HistoryLine.SCHEMA,
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                new HistoryLine.Build(tool.version(), tool.commit(), QueueStore.format()),
                host,
                turn.kind().toString(),
                turn.durability().toString(),
                new HistoryLine.Seeds(turn.seed(), seedLast, turn.lives()),
                new HistoryLine.Counts(
                        tally.crashes(),
                        tally.attempts(),
                        tally.count(CrashResult.ACKNOWLEDGED),
                        tally.count(CrashResult.LOST),
                        tally.count(CrashResult.DUPLICATED),
                        tally.count(CrashResult.REORDERED),
                        tally.count(CrashResult.CORRUPTED),
                        tally.count(CrashResult.IN_DOUBT),
                        tally.count(CrashResult.WITH_LOSS),
                        tally.count(CrashResult.REPORTED)),
                new HistoryLine.Times(
                        Double.isNaN(windowNanos) ? null : (Double) rounded(windowNanos / 1e6),
                        recoveries.getTotalCount() == 0
                                ? null
                                : (Double) rounded(recoveries.getMaxValue() / 1e6),
                        rounded((System.nanoTime() - beginNanos) / 1e9),
                        simulated ? null : phases(tally)),
                verdict);
    }

    private static HistoryLine.Phases phases(Tally tally) {
        return new HistoryLine.Phases(
                seconds(tally, Tally.Phase.DEVICES),
                seconds(tally, Tally.Phase.START),
                seconds(tally, Tally.Phase.LOAD),
                seconds(tally, Tally.Phase.COPY),
                seconds(tally, Tally.Phase.CHECK));
    }

    private static double seconds(Tally tally, Tally.Phase phase) {
        return rounded(tally.spentNanos(phase) / 1e9);
    }

    /** {@return to a thousandth, which is enough for a file that people read} */
    private static double rounded(double value) {
        return Math.round(value * 1e3) / 1e3;
    }

    private synchronized void done(HistoryLine line, HistoryFile file) throws IOException {
        file.append(line);
        lines.add(line);
        Boolean kept = line.verdict().promiseKept();
        failuresInARow = kept == null ? failuresInARow + 1 : 0;
        if (!Boolean.TRUE.equals(kept)) {
            String said = kept == null ? "NO VERDICT " : "BROKEN ";
            line.verdict().failures().forEach(what -> notes.accept(said + what));
        }
        if (failuresInARow >= FAILURES_IN_A_ROW_MAX) {
            throw new IOException(failuresInARow + " histories in a row could not be run: "
                    + line.verdict().failures().getLast());
        }
        long nanos = System.nanoTime();
        if (nanos - saidNanos >= SAID_EVERY.toNanos()) {
            saidNanos = nanos;
            notes.accept(standing(nanos));
        }
    }

    private String standing(long nanos) {
        long real = 0;
        long simulated = 0;
        long acknowledged = 0;
        for (HistoryLine line : lines) {
            if (line.kind().equals(CrashKind.SIMULATED.toString())) {
                simulated += line.counts().crashes();
            } else {
                real += line.counts().crashes();
            }
            acknowledged += line.counts().acknowledgedMsgs();
        }
        return Durations.format(Duration.ofSeconds((nanos - startNanos) / 1_000_000_000)) + ": "
                + real
                + " real and " + simulated + " simulated crashes, " + acknowledged
                + " acknowledged messages";
    }
}
