package org.hubmark.bench.measure;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.kit.document.Formula;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.machine.statistics.Percentile;
import org.hubmark.bench.measure.hub.HubCounters;
import org.hubmark.bench.results.Counters;
import org.hubmark.bench.results.Figure;
import org.hubmark.core.OutputFile;
import org.jspecify.annotations.Nullable;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** samples.csv: a row for each second of each measured time. What isn't known is empty. One thread. */
public final class Samples implements AutoCloseable {
    private static final String HEAD = "scenario,repeat,time,elapsed_s,sent_msgs_per_s,"
            + "accepted_msgs_per_s,refused_msgs,failed_msgs,delivered_msgs_per_s,queue_msgs,queue_mb,"
            + "accept_p50_ms,accept_p99_ms,accept_max_ms,machine_cpu_percent,server_cpu_percent,"
            + "driver_cpu_percent,log_writes_per_s,queue_writes_per_s,avg_log_write_latency_ms,"
            + "avg_queue_write_latency_ms,step";

    /** What each row ends with: the growth of the counters since the measured time began, in full. */
    private static final String COUNTERS =
            Counters.SAMPLED.stream().map(Formula.Counter::key).collect(Collectors.joining(","));

    private final Path file;
    private final Writer out;

    /** Begins the file. */
    public Samples(Path file) throws IOException {
        this(file, (scenario, repeat) -> false);
    }

    /**
     * Begins the file, or goes on with it.
     *
     * @param kept tells of which repeats of which scenarios the rows stay
     */
    public Samples(Path file, BiPredicate<String, Integer> kept) throws IOException {
        List<String> before = Files.exists(file) ? Files.readAllLines(file) : List.of();
        this.file = file;
        out = new BufferedWriter(
                new OutputStreamWriter(OutputFile.begin(file), StandardCharsets.UTF_8));
        out.write(HEAD + "," + COUNTERS + "\n");
        for (String row : before.isEmpty() ? before : before.subList(1, before.size())) {
            String[] cells = row.split(",", 3);
            if (cells.length == 3 && kept.test(cells[0], Integer.valueOf(cells[1]))) {
                out.write(row + "\n");
            }
        }
        out.flush();
    }

    /**
     * Scenario, repeat and step of a row.
     *
     * @param scenario its id
     * @param repeat from 1
     * @param step of a rate that changes, from 1; 0 for others
     */
    record Place(String scenario, int repeat, int step) {}

    /**
     * Writes a row.
     *
     * @param start of the measured time
     * @param before the snapshot before
     * @param now the snapshot at the end of the second
     */
    void row(
            Place place,
            Snapshot start,
            Snapshot before,
            Snapshot now,
            Histogram latencies,
            int logicalCores)
            throws IOException {
        Window second = new Window(before, now, logicalCores);
        HubCounters hub = now.hub();
        HubCounters hubBefore = before.hub();
        Double delivered = hub == null || hubBefore == null
                ? null
                : hub.since(hubBefore, "hubmark_messages_delivered_total");
        Double bytes = hub == null ? null : hub.get("hubmark_queue_bytes");
        String numbers = Stream.of(
                        text((now.nanos() - start.nanos()) / 1e9),
                        text(second.get(Figure.SENT_MSGS_PER_S)),
                        text(second.get(Figure.THROUGHPUT_MSGS_PER_S)),
                        text((double) (now.load().refused() - before.load().refused())),
                        text((double) (now.load().failed() - before.load().failed())),
                        text(delivered == null ? null : delivered / second.seconds()),
                        text(hub == null ? null : hub.get("hubmark_queue_messages")),
                        text(bytes == null ? null : bytes / 1e6),
                        text(Percentile.millis(latencies, 50)),
                        text(Percentile.millis(latencies, 99)),
                        text(latencies.getTotalCount() == 0 ? null : latencies.getMaxValue() / 1e6),
                        text(second.get(Figure.MACHINE_CPU_PERCENT)),
                        text(second.serverCpuPercent()),
                        text(second.get(Figure.DRIVER_CPU_PERCENT)),
                        text(second.get(Figure.LOG_WRITES_PER_S)),
                        text(second.get(Figure.QUEUE_WRITES_PER_S)),
                        text(second.get(Figure.AVG_LOG_WRITE_LATENCY_MS)),
                        text(second.get(Figure.AVG_QUEUE_WRITE_LATENCY_MS)))
                .collect(Collectors.joining(","));
        Repeat grown = new Window(start, now, logicalCores).counted();
        String counters = Counters.SAMPLED.stream()
                .map(counter -> exact(grown.count(counter)))
                .collect(Collectors.joining(","));
        out.write(place.scenario + "," + place.repeat + "," + Instant.now() + "," + numbers + ","
                + (place.step == 0 ? "" : place.step) + "," + counters + "\n");
        out.flush();
    }

    /** {@return how long the file is, for {@link #cutTo}} */
    public long lengthBytes() throws IOException {
        out.flush();
        return Files.size(file);
    }

    /** Takes back the rows that were written since the file was so long. */
    public void cutTo(long lengthBytes) throws IOException {
        out.flush();
        OutputFile.cut(file, lengthBytes);
    }

    @Override
    public void close() throws IOException {
        out.close();
    }

    private static String text(@Nullable Double number) {
        return number == null ? "" : String.format(Locale.ROOT, "%.3f", number);
    }

    /** Whole numbers without a point; 15 digits of the others, so that a figure can be made again. */
    private static String exact(double number) {
        return Double.isNaN(number)
                ? ""
                : new BigDecimal(number)
                        .round(new MathContext(15))
                        .stripTrailingZeros()
                        .toPlainString();
    }
}
