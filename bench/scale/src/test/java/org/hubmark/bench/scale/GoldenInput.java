package org.hubmark.bench.scale;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.machine.Environment;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counters that nobody measured: what the golden files of this module are made of. */
final class GoldenInput {
    static final Environment MACHINE = new Environment(
            new Environment.Processor("Made CPU", 4, 4, 2100.0, "made"),
            8_000_000_000L,
            new Environment.Software("os", "6.1", "25", null),
            List.of(),
            null);
    static final Map<String, Object> SETTINGS = new TreeMap<>(Map.of("runs", 5, "size", "4KB"));
    static final String FROM = "2026-01-01T00:00:00Z";
    static final String TO = "2026-01-01T00:10:00Z";
    static final int RUNS = 5;

    private GoldenInput() {}

    /**
     * What a host's counters grew by in a run.
     */
    record Host(
            long acceptedMsgs,
            long elapsedNanos,
            long hubNanos,
            long brokerNanos,
            long bookieNanos,
            long throttledNanos) {}

    /** What was counted in a run with so many hosts. */
    record Run(
            int hosts,
            int run,
            long elapsedNanos,
            long refusedMsgs,
            long busyTicks,
            long totalTicks,
            Histogram sendNanos,
            List<Host> hostsOf) {}

    static List<Run> runs(int hosts) {
        List<Run> runs = new ArrayList<>();
        for (int run = 1; run <= RUNS; run++) {
            List<Host> each = new ArrayList<>();
            for (int host = 1; host <= hosts; host++) {
                long accepted = 10_000 - 700L * hosts + 130L * run * run - 50L * host;
                each.add(new Host(
                        accepted,
                        10_000_000_000L + 1_000_003L * run,
                        accepted * (41_000 + 900L * hosts + 77L * run),
                        accepted * (52_000 + 1100L * host + 31L * run),
                        accepted * (61_000 + 300L * hosts),
                        100_000_000L * run + 7L * host));
            }
            runs.add(new Run(
                    hosts,
                    run,
                    10_000_000_000L + 900_001L * run,
                    hosts == 2 && run == 3 ? 2 : 0,
                    3000L + 11L * run,
                    4000,
                    histogram(hosts, run, 3_000_000),
                    each));
        }
        return runs;
    }

    static Histogram histogram(int hosts, int run, long nanos) {
        Histogram made = new Histogram(3);
        for (int i = 0; i < 400; i++) {
            made.recordValue(
                    nanos * hosts + 100_003L * run * (i % 37) + (i == 399 ? 5 * nanos : 0));
        }
        return made;
    }
}
