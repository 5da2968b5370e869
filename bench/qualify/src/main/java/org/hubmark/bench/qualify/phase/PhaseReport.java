package org.hubmark.bench.qualify.phase;

import org.hubmark.bench.kit.document.Form;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.qualify.pages.DatabasePlace;
import org.hubmark.bench.qualify.pages.FileOperations;
import org.hubmark.bench.qualify.result.Figures;
import org.hubmark.bench.qualify.result.InstanceFigures;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** Takes down what a phase counts, as the phase goes on. One thread. */
final class PhaseReport {
    private final PhaseContext context;
    private final List<Repeat> log = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final Repeat.Builder found = Repeat.counted();

    PhaseReport(PhaseContext context) throws IOException {
        this.context = context;
        List<Repeat> places = context.places().stream()
                .map(place -> Repeat.counted()
                        .name(InstanceFigures.INSTANCE, place.instance())
                        .name(PhaseFigures.LOG, place.log().toString())
                        .name(PhaseFigures.DATABASE, place.database().toString())
                        .made())
                .toList();
        found.name(PhaseFigures.STARTED, now())
                .count(PhaseFigures.INITIAL_BYTES, DatabasePlace.bytes(context.places()))
                .parts(PhaseFigures.PLACES, places);
    }

    /** {@return the moment as files have it} */
    static String now() {
        return Instant.now().truncatedTo(ChronoUnit.MILLIS).toString();
    }

    /** Notes in the test log what begins or has been done, and says it at the terminal. */
    void log(String text) {
        log(text, Duration.ZERO);
    }

    /** The same, of what takes about so long. */
    void log(String text, Duration expected) {
        detail(text);
        context.progress().phase(text, expected);
    }

    /** Notes in the test log what a reader of the report wants to know, and who waits does not. */
    void detail(String text) {
        log.add(Repeat.counted()
                .name(PhaseFigures.AT, now())
                .name(PhaseFigures.TEXT, text)
                .made());
    }

    /** Says what to know of the figures that is no reason to fail; in the test log, too. */
    void note(String text) {
        notes.add(text);
        log("Note: " + text);
    }

    /** Takes down what else was found. */
    Repeat.Builder found() {
        return found;
    }

    /** What is done to a database that no other phase has open. */
    @FunctionalInterface
    interface Work {
        /** {@return what it counted, with the time that it took, but for the name of the database} */
        Repeat.Builder run(DatabasePlace place, FileOperations operations)
                throws IOException, InterruptedException;
    }

    /**
     * Does something to all databases side by side, samples meanwhile, and takes down what was counted of
     * each, and the times: from the begin to the end, and all added up.
     *
     * @param form of what is counted
     */
    void work(Duration sample, Form form, Work work) throws IOException, InterruptedException {
        List<FileOperations> instances = new ArrayList<>();
        List<Callable<Repeat>> tasks = new ArrayList<>();
        for (DatabasePlace place : context.places()) {
            FileOperations operations = new FileOperations(place.instance());
            instances.add(operations);
            tasks.add(() -> work.run(place, operations)
                    .name(InstanceFigures.INSTANCE, place.instance())
                    .made());
        }
        try (Sampling sampling = new Sampling(context, instances, found)) {
            long began = System.nanoTime();
            List<Repeat> all = SideBySide.run(tasks, sample, sampling::sample);
            found.parts(form, all)
                    .count(PhaseFigures.WALL_NS, System.nanoTime() - began)
                    .count(
                            Figures.ELAPSED_NS,
                            all.stream()
                                    .mapToDouble(one -> one.count(Figures.ELAPSED_NS))
                                    .sum());
            sampling.end();
        }
    }

    /** {@return what was found of one that has come to its end} */
    Repeat done() throws IOException {
        log("Done");
        found.count(PhaseFigures.FINAL_BYTES, DatabasePlace.bytes(context.places()))
                .count(PhaseFigures.FILES, context.places().size());
        return result();
    }

    /** {@return what was found of one that did not, and so is not judged} */
    Repeat stopped(String why) {
        found.complete(false).name(PhaseFigures.STOPPED, why);
        return result();
    }

    private Repeat result() {
        return found.name(PhaseFigures.FINISHED, now())
                .name(PhaseFigures.NOTES, notes)
                .parts(PhaseFigures.TEST_LOG, log)
                .made();
    }
}
