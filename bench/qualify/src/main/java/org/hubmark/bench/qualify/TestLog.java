package org.hubmark.bench.qualify;

import org.hubmark.bench.measure.Progress;
import org.hubmark.bench.qualify.result.PhaseResult;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** What happened when in a phase: the test log of the report, said at the terminal too. One thread. */
final class TestLog {
    private final Progress progress;
    private final List<PhaseResult.LogLine> lines = new ArrayList<>();

    TestLog(Progress progress) {
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
        lines.add(new PhaseResult.LogLine(now(), text));
        progress.phase(text, expected);
    }

    List<PhaseResult.LogLine> lines() {
        return List.copyOf(lines);
    }
}
