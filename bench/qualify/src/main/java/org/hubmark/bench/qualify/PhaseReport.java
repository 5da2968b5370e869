package org.hubmark.bench.qualify;

import org.hubmark.bench.kit.document.Form;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.machine.KernelMessages;
import org.hubmark.bench.qualify.pages.DatabasePlace;
import org.hubmark.bench.qualify.result.InstanceFigures;
import org.hubmark.bench.qualify.result.PhaseFigures;
import org.hubmark.bench.qualify.result.VolumeFigures;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** Takes down what a phase counts, as the phase goes on. One thread. */
final class PhaseReport {
    private final PhaseContext context;
    private final List<Repeat> log = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final Repeat.Builder found = Repeat.counted();
    private final @Nullable KernelMessages kernelBefore = KernelMessages.look();
    private boolean hasTransactions;

    PhaseReport(PhaseContext context) throws IOException {
        this.context = context;
        found.name(PhaseFigures.STARTED, now())
                .count(PhaseFigures.INITIAL_BYTES, DatabasePlace.bytes(context.places()))
                .parts(
                        PhaseFigures.PLACES,
                        context.places().stream()
                                .map(place -> Repeat.counted()
                                        .name(InstanceFigures.INSTANCE, place.instance())
                                        .name(PhaseFigures.LOG, place.log().toString())
                                        .name(
                                                PhaseFigures.DATABASE,
                                                place.database().toString())
                                        .made())
                                .toList());
    }

    /** {@return the moment as files have it} */
    private static String now() {
        return Instant.now().truncatedTo(ChronoUnit.MILLIS).toString();
    }

    /** Notes in the test log what begins or has been done, and says it at the terminal. */
    void log(String text) {
        log(text, Duration.ZERO);
    }

    /** The same, of what takes about so long. */
    void log(String text, Duration expected) {
        detail(text);
        context.progress().phases().accept(text, expected);
    }

    /** Notes in the test log what a reader of the report wants to know, and who waits does not. */
    void detail(String text) {
        log.add(Repeat.counted()
                .name(PhaseFigures.AT, now())
                .name(PhaseFigures.TEXT, text)
                .made());
    }

    /** Takes down what else was found. */
    Repeat.Builder found() {
        return found;
    }

    void load(String kindOfLoop, ThreadSearch.Found threads) {
        hasTransactions = true;
        found.name(PhaseFigures.LOOP, kindOfLoop)
                .count(PhaseFigures.THREADS, threads.threads())
                .parts(PhaseFigures.THREAD_STEPS, threads.steps());
    }

    void collectionBegins(Duration sample) {
        found.name(PhaseFigures.COLLECTION_STARTED, now())
                .count(PhaseFigures.INTERVAL_NS, sample.toNanos());
    }

    void collectionEnds(Sampling all, List<Repeat> devices) {
        found.name(PhaseFigures.COLLECTION_FINISHED, now())
                .name(PhaseFigures.OTHER_RUNS, context.others().get())
                .count(InstanceFigures.COLLECTION_NS, all.nanos())
                .samples(all.host())
                .parts(InstanceFigures.INSTANCES, all.instances())
                .parts(PhaseFigures.DEVICES, devices);
    }

    /** Says what to know of the figures that is no reason to fail; in the test log, too. */
    void note(String text) {
        notes.add(text);
        log("Note: " + text);
    }

    /** Takes down what was done side by side, and the times of that: from begin to end, and all added up. */
    void elapsed(long nanos, Form form, List<Repeat> all) {
        found.parts(form, all)
                .count(PhaseFigures.WALL_NS, nanos)
                .count(
                        PhaseFigures.ELAPSED_NS,
                        all.stream()
                                .mapToDouble(one -> one.count(PhaseFigures.ELAPSED_NS))
                                .sum());
    }

    /** Takes down what the kernel has said of the devices since the beginning, where its log may be read. */
    private void kernelMessages() {
        KernelMessages now = KernelMessages.look();
        if (now == null || kernelBefore == null) {
            return;
        }
        long messages;
        try {
            messages = now.warnings(
                    kernelBefore,
                    KernelMessages.devices(context.request().databases().allVolumes()));
        } catch (IOException e) {
            // What can't be read is not known.
            return;
        }
        found.count(PhaseFigures.KERNEL_MESSAGES, messages);
        if (messages > 0) {
            note("the kernel gave " + messages + " warnings and errors of the devices: see dmesg");
        }
    }

    /** {@return what was found of one that has come to its end} */
    Repeat done(Phase phase) throws IOException {
        found.count(PhaseFigures.FINAL_BYTES, DatabasePlace.bytes(context.places()))
                .count(PhaseFigures.FILES, context.places().size());
        if (hasTransactions) {
            found.parts(VolumeFigures.VOLUMES, new FileSystems(context.places()).counted());
        }
        log(phase + " is done");
        return result();
    }

    /** {@return what was found of one that did not, and so is not judged} */
    Repeat stopped(String why) {
        found.complete(false).name(PhaseFigures.STOPPED, why);
        return result();
    }

    private Repeat result() {
        kernelMessages();
        return found.name(PhaseFigures.FINISHED, now())
                .name(PhaseFigures.NOTES, notes)
                .parts(PhaseFigures.TEST_LOG, log)
                .made();
    }
}
