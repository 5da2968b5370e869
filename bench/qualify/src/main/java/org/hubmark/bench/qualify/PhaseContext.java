package org.hubmark.bench.qualify;

import org.hubmark.bench.kit.document.Clock;
import org.hubmark.bench.kit.document.Progress;
import org.hubmark.bench.qualify.pages.DatabasePlace;

import java.util.List;
import java.util.function.Supplier;

/**
 * What every phase works with.
 *
 * @param places where the databases lie
 * @param progress is told what begins, and what is seen meanwhile
 * @param others says which other runs measure now
 * @param time by which a phase waits and measures
 */
record PhaseContext(
        QualifyRequest request,
        List<DatabasePlace> places,
        Progress progress,
        Supplier<List<String>> others,
        Clock time) {
    /** {@return the same for another request} */
    PhaseContext of(QualifyRequest other) {
        return new PhaseContext(other, places, progress, others, time);
    }
}
