package org.hubmark.bench.durability.soak;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** Lines of soaks for tests. */
public final class Lines {
    private static final HistoryLine.Machine MACHINE =
            new HistoryLine.Machine("a CPU", 2, 8_000_000_000L, "an OS", "6.1", "a JDK", "ext4", 2);

    private Lines() {}

    /** {@return one in which so many crashes each acknowledged ten messages and lost none} */
    public static HistoryLine kept(
            String format, String kind, String durability, long seed, int crashes) {
        return line(format, kind, durability, seed, seed, crashes, 0, true, List.of());
    }

    static HistoryLine line(
            String format,
            String kind,
            String durability,
            long seedFirst,
            long seedLast,
            int crashes,
            int lost,
            @Nullable Boolean kept,
            List<String> failures) {
        return new HistoryLine(
                HistoryLine.SCHEMA,
                "2026-11-27T17:10:0" + seedFirst % 10 + "Z",
                new HistoryLine.Build("1", "0123456789abcdef0123", format),
                MACHINE,
                kind,
                durability,
                new HistoryLine.Seeds(seedFirst, seedLast, 4),
                new HistoryLine.Counts(
                        crashes, crashes + 1, crashes * 10L, lost, 2, 1, 0, 3, lost > 0 ? 1 : 0, 0),
                new HistoryLine.Times(
                        lost > 0 ? 1.5 : null,
                        60.25,
                        8.5,
                        kind.equals(HistoryLine.SIMULATED)
                                ? null
                                : new HistoryLine.Phases(0.5, 3, 2, 1, 1.5)),
                new HistoryLine.Verdict(kept, failures));
    }
}
