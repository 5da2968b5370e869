package org.hubmark.bench.qualify;

import org.hubmark.bench.kit.document.Clock;
import org.hubmark.bench.qualify.pages.DatabasePlace;

import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * What every phase works with.
 *
 * @param places where the databases lie
 * @param others says which other runs measure now
 * @param time by which a phase waits and measures
 */
record PhaseContext(
        QualifyRequest request,
        List<DatabasePlace> places,
        Progress progress,
        Supplier<List<String>> others,
        Clock time) {
    /**
     * Receivers of the progress.
     *
     * @param phases gets what begins and how long it takes, zero where that isn't known
     * @param states gets how long that has taken, and what is seen meanwhile
     */
    record Progress(BiConsumer<String, Duration> phases, BiConsumer<Duration, String> states) {}

    /** {@return the same for another request} */
    PhaseContext of(QualifyRequest other) {
        return new PhaseContext(other, places, progress, others, time);
    }
}
