package org.hubmark.bench.machine;

import org.hubmark.bench.machine.volumes.SystemTool;
import org.jspecify.annotations.Nullable;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Cycles that the hardware counted on all cores, told by {@code perf stat} five times a second, each
 * time beside the busy time until then. perf ends when this process does: the command that it watches
 * is a {@code cat} that reads from here.
 */
final class CountedCycles implements CycleSource {
    private static final List<String> EVENT =
            List.of("perf", "stat", "--all-cpus", "--event", "cycles", "--field-separator", ",");

    /** Each line is time, count, unit, event, and more; perf-stat(1), CSV FORMAT. */
    static final List<String> COMMAND = command("--interval-print", "200", "--", "cat");

    private static final List<String> TRIAL = command("--", "true");

    private final HostFiles host;
    private final Process perf;
    private String begun = "";
    private long ticks;
    private BusyCycles total = BusyCycles.NONE;

    private CountedCycles(HostFiles host, Process perf) {
        this.host = host;
        this.perf = perf;
    }

    private static List<String> command(String... more) {
        List<String> command = new ArrayList<>(EVENT);
        command.addAll(List.of(more));
        return List.copyOf(command);
    }

    /** {@return whether perf is there, may count on all cores, and counts} */
    static boolean available() {
        try {
            return counts(SystemTool.run(TRIAL));
        } catch (IOException e) {
            // No perf, or kernel.perf_event_paranoid is in its way.
            return false;
        }
    }

    /** {@return whether each event of a whole perf stat was counted} */
    static boolean counts(String output) {
        List<String> lines =
                output.lines().filter(line -> line.contains("cycles")).toList();
        return !lines.isEmpty()
                && lines.stream().allMatch(line -> line.matches("\\d+(\\.\\d+)?,.*"));
    }

    static CountedCycles start(List<String> command, HostFiles host) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("LC_ALL", "C");
        CountedCycles cycles = new CountedCycles(host, builder.start());
        Thread.ofPlatform().daemon().name("perf-output").start(cycles::follow);
        return cycles;
    }

    private void follow() {
        try (BufferedReader lines = new BufferedReader(
                new InputStreamReader(perf.getErrorStream(), StandardCharsets.US_ASCII))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                add(line);
            }
        } catch (IOException e) {
            // It was ended; what it had counted stays.
            return;
        }
    }

    /** The first interval began before this process looked at the time. */
    private synchronized void add(String line) {
        String[] fields = line.strip().split(",", -1);
        Double count = count(fields);
        if (count == null) {
            return;
        }
        long now = CoreTicks.sum(host);
        if (begun.isEmpty()) {
            begun = fields[0];
        } else if (!fields[0].equals(begun)) {
            total = total.plus(count / 1e6, (double) (now - ticks));
        }
        ticks = now;
    }

    /** {@return null for a line that has no count: a comment, or <not counted>} */
    private static @Nullable Double count(String[] fields) {
        return fields.length > 3
                        && fields[3].contains("cycles")
                        && fields[1].matches("\\d+(\\.\\d+)?")
                ? Double.valueOf(fields[1])
                : null;
    }

    /** {@return whether an interval is over} */
    synchronized boolean hasBegun() {
        return !begun.isEmpty();
    }

    @Override
    public synchronized BusyCycles read() {
        return total;
    }

    @Override
    public String words() {
        return "CPU time x cycles counted by the hardware (perf stat, all cores) / busy time";
    }

    /** Ends perf. */
    @Override
    public void close() {
        try {
            perf.getOutputStream().close();
        } catch (IOException e) {
            // It has ended already.
            return;
        } finally {
            perf.destroy();
            perf.onExit().join();
        }
    }
}
