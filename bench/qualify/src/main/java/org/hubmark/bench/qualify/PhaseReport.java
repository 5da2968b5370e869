package org.hubmark.bench.qualify;

import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.machine.KernelMessages;
import org.hubmark.bench.qualify.result.InstanceFigures;
import org.hubmark.bench.qualify.result.PhaseFigures;
import org.hubmark.bench.qualify.result.VolumeFigures;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Takes down what a phase counts, as the phase goes on. One thread. */
final class PhaseReport {
    private final PhaseContext context;
    private final TestLog log;
    private final List<String> notes = new ArrayList<>();
    private final Repeat.Builder found = Repeat.counted();
    private final @Nullable KernelMessages kernelBefore = KernelMessages.look();
    private boolean hasTransactions;

    PhaseReport(PhaseContext context, TestLog log) {
        this.context = context;
        this.log = log;
        found.name(PhaseFigures.STARTED, TestLog.now())
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

    void sizeBefore() throws IOException {
        found.count(PhaseFigures.INITIAL_BYTES, context.databaseBytes());
    }

    void sizeAfter() throws IOException {
        found.count(PhaseFigures.FINAL_BYTES, context.databaseBytes())
                .count(PhaseFigures.FILES, context.databaseFiles());
        if (hasTransactions) {
            found.parts(VolumeFigures.VOLUMES, new DatabaseFileSystems(context.places()).counted());
        }
    }

    void load(String kindOfLoop, int threadsPerDatabase, List<Repeat> steps) {
        hasTransactions = true;
        found.name(PhaseFigures.LOOP, kindOfLoop)
                .count(PhaseFigures.THREADS, threadsPerDatabase)
                .parts(PhaseFigures.THREAD_STEPS, steps);
    }

    void collectionBegins(Duration sample) {
        found.name(PhaseFigures.COLLECTION_STARTED, TestLog.now())
                .count(PhaseFigures.INTERVAL_NS, sample.toNanos());
    }

    void collectionEnds(Sampling all, List<Repeat> devices) {
        found.name(PhaseFigures.COLLECTION_FINISHED, TestLog.now())
                .name(PhaseFigures.OTHER_RUNS, context.others().get())
                .count(InstanceFigures.COLLECTION_NS, all.nanos())
                .samples(all.host())
                .parts(InstanceFigures.INSTANCES, all.instances())
                .parts(PhaseFigures.DEVICES, devices);
        if (hasTransactions) {
            found.parts(PhaseFigures.HOURS, all.hours());
        }
    }

    /** Takes down what caches of other sizes would have had. */
    Repeat.Builder found() {
        return found;
    }

    /** Says what to know of the figures that is no reason to fail; in the test log, too. */
    void note(String text) {
        notes.add(text);
        log.add("Note: " + text);
    }

    /** It is not judged, since it did not come to its end. */
    void interrupted(String why) {
        found.complete(false).name(PhaseFigures.STOPPED, why);
    }

    /** Takes down the times of what was done side by side: till now, and all added up. */
    void elapsed(long beganNanos, List<Repeat> all) {
        found.count(PhaseFigures.WALL_NS, System.nanoTime() - beganNanos)
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
            messages = now.since(
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

    Repeat result() {
        kernelMessages();
        return found.name(PhaseFigures.FINISHED, TestLog.now())
                .name(PhaseFigures.NOTES, notes)
                .parts(PhaseFigures.TEST_LOG, log.lines())
                .made();
    }
}
