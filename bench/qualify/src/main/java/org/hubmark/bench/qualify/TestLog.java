package org.hubmark.bench.qualify;

import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.qualify.result.PhaseFigures;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** What happened when in a phase: the test log of the report, said at the terminal too. One thread. */
final class TestLog {
    private final PhaseContext.Progress progress;
    private final List<Repeat> lines = new ArrayList<>();

    TestLog(PhaseContext.Progress progress) {
        this.progress = progress;
    }

    /** {@return the moment as files have it} */
    static String now() {
        return Instant.now().truncatedTo(ChronoUnit.MILLIS).toString();
    }

    /** Notes what begins or has been done. */
    void add(String text) {
        add(text, Duration.ZERO);
    }

    /** The same, of what takes about so long. */
    void add(String text, Duration expected) {
        detail(text);
        progress.phases().accept(text, expected);
    }

    /** Notes what a reader of the report wants to know, and who waits does not. */
    void detail(String text) {
        lines.add(Repeat.counted()
                .name(PhaseFigures.AT, now())
                .name(PhaseFigures.TEXT, text)
                .made());
    }

    List<Repeat> lines() {
        return List.copyOf(lines);
    }
}
