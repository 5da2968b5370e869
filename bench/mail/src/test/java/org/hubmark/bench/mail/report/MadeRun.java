package org.hubmark.bench.mail.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.hubmark.bench.kit.document.DocumentReport;
import org.hubmark.bench.kit.document.JsonFile;
import org.hubmark.bench.mail.document.MadeResults;
import org.hubmark.bench.mail.document.Results;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A folder as a matrix leaves it, made up so that every figure can be told by hand: messages cost
 * 2 + 0.5 x KB million cycles, on two cores of 2,000 MHz that are busy to 70 %; the second of two
 * repeats is a tenth faster. Of the configurations the one that is unsafe says so.
 */
final class MadeRun {
    private static final double SECONDS = 10;
    private static final double[] FACTORS = {1, 1.1};

    /** Quantile 97.5 % of Student's distribution with one degree of freedom, from a table. */
    private static final double T = 12.706204736;

    private final Path folder;
    private final StringBuilder samples =
            new StringBuilder("of,elapsed_s,sent_msgs_per_s,accepted_msgs_per_s,queue_msgs,"
                    + "accept_p50_ms,accept_p99_ms,machine_cpu_percent,server_cpu_percent,"
                    + "driver_cpu_percent,log_writes_per_s,measured_ns,accepted_msgs,accepted_bytes,"
                    + "machine_busy_ticks,machine_total_ticks,driver_cpu_ns,server_cpu_ns,log_writes,"
                    + "clock_mcycles,clock_ticks\n");

    private final HistogramLogWriter times;
    private int number;

    private MadeRun(Path folder) throws IOException {
        this.folder = folder;
        this.times = new HistogramLogWriter(folder.resolve("times.hlog").toFile());
        times.outputLogFormatVersion();
    }

    /** Writes results.json, series.csv and times.hlog. */
    static void write(Path folder, List<Integer> sizesKb) throws IOException {
        new MadeRun(folder).write(sizesKb);
    }

    static Results read(Path folder) throws IOException {
        return MadeResults.read(folder.resolve("results.json"));
    }

    /** Draws results as they are. */
    static void draw(Results results, Path folder) throws IOException {
        DocumentReport.write(results.document(), folder);
    }

    private void write(List<Integer> sizesKb) throws IOException {
        ObjectMapper mapper = new ObjectMapper();
        ObjectNode results;
        try (InputStream in = MadeRun.class.getResourceAsStream("results.json")) {
            results = (ObjectNode) mapper.readTree(in);
        }
        ObjectNode environment = (ObjectNode) results.path("environment");
        environment.put("logical_cores", 2).put("cpu_clock_mhz", 2000);
        results.put("schema", JsonFile.SCHEMA).put("kind", "mail");
        ((ObjectNode) results.path("settings")).put("layouts", "one,three");
        ArrayNode scenarios = results.putArray("scenarios");
        for (int size : sizesKb) {
            for (String layout : List.of("one", "three")) {
                for (String cache : List.of("off", "on")) {
                    scenario(scenarios.addObject(), size, layout, cache);
                }
            }
        }
        mapper.writeValue(folder.resolve("results.json").toFile(), results);
        Files.writeString(folder.resolve("series.csv"), samples);
        times.close();
    }

    private static String flush(String cache) {
        return cache.equals("on") ? "suppressed" : "sent";
    }

    private void scenario(ObjectNode scenario, int size, String layout, String cache)
            throws IOException {
        String id = size + "kb-" + layout + "-" + cache;
        boolean unsafe = cache.equals("on");
        double rate = 2800 / (2 + 0.5 * size) * (unsafe ? 4 : 1);
        scenario.put("id", id).put("message_size_kb", size).put("durability", "synced");
        scenario.put("intake", "store").put("layout", layout).put("flush", flush(cache));
        scenario.put("unsafe", unsafe).put("limiting_resource", "log_volume");
        if (unsafe) {
            scenario.put("unsafe_reason", "the write cache of the device is not protected");
        }
        number++;
        Histogram all = new Histogram(3);
        ArrayNode repeats = scenario.putArray("repeats");
        for (int i = 0; i < FACTORS.length; i++) {
            Histogram histogram = histogram(size, i, 1);
            times.outputIntervalHistogram(0, 0, tagged(histogram, tag(i) + ".latencies"));
            times.outputIntervalHistogram(
                    0, 0, tagged(histogram(size, i, 0.2), tag(i) + ".uncorrected_latencies"));
            all.add(histogram);
            ObjectNode repeat = repeats.addObject();
            repeat.put("repeat", i + 1)
                    .put("steady", true)
                    .put("started_at", "2026-11-20T14:00:00Z");
            figures(repeat, i, rate * FACTORS[i], size, unsafe ? 4 : 1);
            latency(repeat, histogram);
            repeat.put("valid", true).putArray("invalid_reasons");
        }
        double mean = rate * 1.05;
        double geometric = rate * Math.sqrt(1.1);
        double factor = Math.exp(T * (Math.log(1.1) / Math.sqrt(2)) / Math.sqrt(2));
        scenario.put("throughput_msgs_per_s", mean).put("measured_s", SECONDS);
        scenario.put("throughput_msgs_per_s_min", rate)
                .put("throughput_msgs_per_s_max", rate * 1.1);
        scenario.putObject("throughput_ci95_msgs_per_s")
                .put("low", geometric / factor)
                .put("high", geometric * factor);
        scenario.put("cpu_cost_mcycles_per_msg", 2 + 0.5 * size).put("log_writes_per_msg", 0.25);
        scenario.putObject("ceilings")
                .put("log_device_msgs_per_s", rate * 1.25 * 1.05)
                .put("log_device_percent", 80);
        for (String count : List.of("refused_msgs", "failed_msgs")) {
            scenario.put(count, 0);
        }
        scenario.putObject("counter_source").put("log", "device").putNull("queue");
        scenario.put("sent_msgs", 200).put("accepted_msgs", 200);
        latency(scenario, all);
        scenario.put("valid", true).putArray("invalid_reasons");
    }

    private void figures(ObjectNode repeat, int index, double rate, int size, int busier) {
        double percent = 70 * FACTORS[index];
        repeat.put("throughput_msgs_per_s", rate).put("measured_s", SECONDS);
        repeat.put("machine_cpu_percent", percent * busier + 5).put("driver_cpu_percent", 5);
        repeat.put("cpu_percent", percent * busier);
        repeat.put("cpu_cost_mcycles_per_msg", 2 + 0.5 * size).put("log_writes_per_msg", 0.25);
        repeat.putObject("counter_source").put("log", "device").putNull("queue");
        repeat.put("sent_msgs", 100).put("accepted_msgs", 100);
        repeat.put("refused_msgs", 0).put("failed_msgs", 0);
        List<String> row = new ArrayList<>();
        for (int second = 1; second <= SECONDS; second++) {
            row.clear();
            row.addAll(List.of(tag(index), String.valueOf(second)));
            double now = rate * (1 + 0.1 * Math.sin(second));
            row.addAll(numbers(now, now, 3 + second % 4, 3, 9 + second % 3, 75, 60, 5, now / 4));
            row.addAll(numbers(
                    second * 1e9,
                    rate * second,
                    rate * second * size * 1000,
                    percent * busier + 5,
                    100,
                    second * 1e8,
                    second * 1.2e9,
                    rate * second / 4,
                    second * 2000,
                    second * 100));
            samples.append(String.join(",", row)).append('\n');
        }
    }

    /** {@return whose a repeat of this scenario is} */
    private String tag(int repeat) {
        return "scenarios." + number + "." + (repeat + 1);
    }

    private static List<String> numbers(double... values) {
        List<String> texts = new ArrayList<>();
        for (double value : values) {
            texts.add(String.format(Locale.ROOT, "%.9f", value));
        }
        return texts;
    }

    private static Histogram histogram(int size, int index, double share) {
        Histogram histogram = new Histogram(3);
        for (int i = 1; i <= 2_000; i++) {
            double slow = i > 1_980 ? 200 : 1;
            histogram.recordValue((long)
                    ((1_000_000 + 2_000L * i + size * 20_000L) * (index + 1) * slow * share));
        }
        return histogram;
    }

    private static Histogram tagged(Histogram histogram, String tag) {
        Histogram copy = histogram.copy();
        copy.setTag(tag);
        return copy;
    }

    private static void latency(ObjectNode figures, Histogram histogram) {
        figures.putObject("accept_latency_ms")
                .put("mean", histogram.getMean() / 1e6)
                .put("p50", histogram.getValueAtPercentile(50) / 1e6)
                .put("p95", histogram.getValueAtPercentile(95) / 1e6)
                .put("p99", histogram.getValueAtPercentile(99) / 1e6)
                .put("p99_9", histogram.getValueAtPercentile(99.9) / 1e6)
                .put("max", histogram.getMaxValue() / 1e6);
    }
}
