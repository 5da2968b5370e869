package org.hubmark.bench.scale.result;

import org.hubmark.bench.kit.document.JsonFile;
import org.hubmark.bench.kit.document.Tool;
import org.hubmark.bench.kit.statistics.Inference;
import org.hubmark.bench.machine.Environment;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * price.json.
 *
 * @param schema the form of the file
 * @param settings every option with the value that was in force
 * @param complete false when it was interrupted
 * @param valid whether each run accepted mail, and all that was sent
 * @param invalidReasons why not
 * @param rows a queue with a size each, by size
 * @param runs each queue with each size in each round
 */
public record PriceResults(
        int schema,
        Tool tool,
        String startedAt,
        String finishedAt,
        Environment environment,
        String command,
        Map<String, Object> settings,
        boolean complete,
        boolean valid,
        List<String> invalidReasons,
        List<Row> rows,
        List<PriceRun> runs) {
    /** The form that is written. */
    public static final int SCHEMA = 1;

    private static final String FILE = "price.json";

    /** Copies. */
    public PriceResults {
        invalidReasons = List.copyOf(invalidReasons);
        rows = List.copyOf(rows);
        runs = List.copyOf(runs);
    }

    /**
     * A figure over the rounds; null where none knows it.
     *
     * @param min the least
     * @param max the largest
     */
    public record Spread(double median, double min, double max) {
        private static @Nullable Spread of(
                List<PriceRun> runs, Function<PriceRun, @Nullable Double> figure) {
            double[] known = runs.stream()
                    .map(figure)
                    .filter(Objects::nonNull)
                    .mapToDouble(Double::doubleValue)
                    .sorted()
                    .toArray();
            return known.length == 0
                    ? null
                    : new Spread(Inference.median(known), known[0], known[known.length - 1]);
        }
    }

    /** A queue with messages of a size, over the rounds; the figures are those of {@link PriceRun}. */
    public record Row(
            PricedQueue queue,
            int sizeBytes,
            @Nullable Spread throughputMsgsPerS,
            @Nullable Spread sendLatencyP50Ms,
            @Nullable Spread sendLatencyP99Ms,
            @Nullable Spread hubCpuUsPerMsg,
            @Nullable Spread brokerCpuUsPerMsg,
            @Nullable Spread bookieCpuUsPerMsg,
            @Nullable Spread writtenPerOctet,
            @Nullable Spread sentPerOctet) {
        private static Row of(PricedQueue queue, int sizeBytes, List<PriceRun> runs) {
            return new Row(
                    queue,
                    sizeBytes,
                    Spread.of(runs, PriceRun::throughputMsgsPerS),
                    Spread.of(runs, run -> latency(run, Latencies::p50)),
                    Spread.of(runs, run -> latency(run, Latencies::p99)),
                    Spread.of(runs, PriceRun::hubCpuUsPerMsg),
                    Spread.of(runs, PriceRun::brokerCpuUsPerMsg),
                    Spread.of(runs, PriceRun::bookieCpuUsPerMsg),
                    Spread.of(runs, PriceRun::writtenPerOctet),
                    Spread.of(runs, PriceRun::sentPerOctet));
        }

        private static @Nullable Double latency(PriceRun run, Function<Latencies, Double> figure) {
            Latencies latencies = run.sendLatencyMs();
            return latencies == null ? null : figure.apply(latencies);
        }
    }

    /** {@return all of it, judged} */
    public static PriceResults of(
            Tool tool,
            String startedAt,
            String finishedAt,
            Environment environment,
            String command,
            Map<String, Object> settings,
            boolean complete,
            List<PriceRun> runs) {
        List<String> reasons =
                runs.stream().flatMap(run -> faults(run).stream()).toList();
        return new PriceResults(
                SCHEMA,
                tool,
                startedAt,
                finishedAt,
                environment,
                command,
                settings,
                complete,
                reasons.isEmpty(),
                reasons,
                rows(runs),
                runs);
    }

    private static List<Row> rows(List<PriceRun> runs) {
        List<Row> rows = new ArrayList<>();
        for (int size :
                runs.stream().map(PriceRun::sizeBytes).sorted().distinct().toList()) {
            for (PricedQueue queue : PricedQueue.values()) {
                List<PriceRun> own = runs.stream()
                        .filter(run -> run.sizeBytes() == size && run.queue() == queue)
                        .toList();
                if (!own.isEmpty()) {
                    rows.add(Row.of(queue, size, own));
                }
            }
        }
        return rows;
    }

    private static List<String> faults(PriceRun run) {
        List<String> faults = new ArrayList<>();
        String where = run.queue().text() + ", " + run.sizeBytes() + " octets, round " + run.round()
                + ": ";
        if (run.acceptedMsgs() == 0) {
            faults.add(where + "nothing was accepted");
        }
        if (run.refusedMsgs() > 0) {
            faults.add(where + run.refusedMsgs() + " messages were refused"
                    + (run.firstRefusal() == null
                            ? ""
                            : ", the first with: " + run.firstRefusal()));
        }
        if (run.failedMsgs() > 0) {
            faults.add(where + run.failedMsgs() + " messages were not answered");
        }
        return faults;
    }

    /** {@return the content of the file} */
    public String json() {
        return JsonFile.text(this);
    }

    /** Writes price.json; one that is there is replaced. */
    public void write(Path folder) throws IOException {
        JsonFile.write(this, folder.resolve(FILE));
    }
}
