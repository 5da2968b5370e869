package org.hubmark.bench.qualify.phase;

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
 * @param refilled whether the databases are other ones than those that were loaded
 */
public record PhaseContext(
        QualifyRequest request,
        List<DatabasePlace> places,
        Progress progress,
        Supplier<List<String>> others,
        Clock time,
        boolean refilled) {
    /** {@return the same for another request} */
    public PhaseContext of(QualifyRequest other) {
        return new PhaseContext(other, places, progress, others, time, refilled);
    }
}
