package org.hubmark.bench.qualify.report;

import com.fasterxml.jackson.databind.JsonNode;

import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.hubmark.bench.kit.check.MachineMeter;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Form;
import org.hubmark.bench.kit.document.Formula.Counter;
import org.hubmark.bench.kit.document.JsonFile;
import org.hubmark.bench.kit.document.Name;
import org.hubmark.bench.kit.document.Provenance;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.document.Table;
import org.hubmark.bench.kit.document.Times;
import org.hubmark.bench.kit.document.Tool;
import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.machine.kernel.DiskCounter;
import org.hubmark.bench.qualify.phase.CacheFigures;
import org.hubmark.bench.qualify.phase.Phase;
import org.hubmark.bench.qualify.phase.PhaseFigures;
import org.hubmark.bench.qualify.result.Figures;
import org.hubmark.bench.qualify.result.HostFigures;
import org.hubmark.bench.qualify.result.InstanceFigures;
import org.hubmark.bench.qualify.result.IoCounter;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * Counters of a qualification that was recorded before its file had the form of all documents: those of
 * instances from its samples and histograms, others from the figures that were made of them. Of the host
 * average, least and largest value are left; samples are made that have them.
 */
final class GoldenInput {
    private static final double SECOND = 1e9;
    private static final double MEBIBYTE = 1 << 20;

    private final JsonNode recorded;
    private final Path folder;

    GoldenInput(JsonNode recorded, Path folder) {
        this.recorded = recorded;
        this.folder = folder;
    }

    /** {@return what qualify would have written} */
    Document document() throws IOException {
        List<Row> phases = new ArrayList<>();
        for (JsonNode phase : recorded.path("phases")) {
            phases.add(row(PhaseFigures.PHASE, phase.path("phase"), phase(phase, folder)));
        }
        Map<String, List<Repeat>> caches = new LinkedHashMap<>();
        JsonNode cache = recorded.path("cache");
        cache.path("modes").forEach(mode -> caches.put(mode.asText(), new ArrayList<>()));
        for (JsonNode block : cache.path("blocks")) {
            List<Repeat> rounds =
                    caches.computeIfAbsent(block.path("mode").asText(), mode -> new ArrayList<>());
            rounds.add(phase(
                            block.path("performance"),
                            folder.resolve(block.path("folder").asText()))
                    .named(CacheFigures.ROUND, block.path("round").asInt()));
        }
        List<Row> compared = new ArrayList<>();
        caches.forEach((mode, rounds) ->
                compared.add(new Row(Map.of(CacheFigures.CACHE.key(), mode), rounds)));
        Map<String, @Nullable Object> facts = new LinkedHashMap<>();
        for (Name name : Qualification.KIND.facts()) {
            JsonNode fact = recorded.at("/" + name.key().replace('.', '/'));
            // Limits that there were not when it was recorded are not asked for.
            if (fact.isNumber()) {
                facts.put(name.key(), fact.asDouble());
            }
        }
        Map<String, @Nullable Object> settings = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> one : recorded.path("settings").properties()) {
            settings.put(one.getKey(), JsonFile.read(one.getValue(), Object.class));
        }
        settings.put("shared-machine", true);
        return new Document(
                Qualification.KIND,
                new Provenance(
                        JsonFile.read(recorded.path("tool"), Tool.class),
                        "2026-11-26T20:52:52Z",
                        "2026-11-26T20:53:52Z",
                        recorded.path("command").asText(),
                        settings,
                        JsonFile.read(recorded.path("environment"), Environment.class)),
                true,
                facts,
                List.of(
                        new Table(PhaseFigures.PHASES, phases),
                        new Table(CacheFigures.CACHES, compared)),
                List.of());
    }

    private static Row row(Name name, JsonNode value, Repeat repeat) {
        return new Row(Map.of(name.key(), value.asText()), List.of(repeat));
    }

    private Repeat phase(JsonNode phase, Path raw) throws IOException {
        String name = phase.path("phase").asText();
        double seconds = phase.path("collection_s").asDouble();
        Repeat.Builder found = Repeat.counted();
        for (Name one : List.of(
                PhaseFigures.STARTED,
                PhaseFigures.FINISHED,
                PhaseFigures.COLLECTION_STARTED,
                PhaseFigures.COLLECTION_FINISHED,
                PhaseFigures.LOOP,
                PhaseFigures.NOTES)) {
            found.name(one, JsonFile.read(phase.path(one.key()), Object.class));
        }
        found.name(PhaseFigures.OTHER_RUNS, List.of())
                .count(InstanceFigures.COLLECTION_NS, seconds * SECOND)
                .samples(host(phase.path("host")));
        for (Counter counter : List.of(
                MachineMeter.CORES_NS,
                MachineMeter.TOTAL_TICKS,
                MachineMeter.STEAL_TICKS,
                MachineMeter.PROCESSES_NS,
                MachineMeter.BUSY_TICKS,
                MachineMeter.TOOL_NS)) {
            found.count(
                    counter,
                    host(phase.path("host")).stream()
                            .mapToDouble(sample -> sample.count(counter))
                            .sum());
        }
        for (Counter counter : List.of(
                PhaseFigures.INITIAL_BYTES,
                PhaseFigures.FINAL_BYTES,
                PhaseFigures.FILES,
                PhaseFigures.THREADS)) {
            found.count(counter, number(phase.path(counter.key())));
        }
        found.count(PhaseFigures.WALL_NS, scaled(phase.at("/elapsed/wall_s"), SECOND))
                .count(Figures.ELAPSED_NS, scaled(phase.at("/elapsed/sum_s"), SECOND));
        instances(phase, name, raw, found);
        parts(phase, "databases", PhaseFigures.PLACES, found, (from, to) -> {});
        parts(phase, "thread_steps", PhaseFigures.THREAD_STEPS, found, (step, to) -> {
            double reads = step.path("iops").asDouble() * step.path("seconds").asDouble();
            to.count(IoCounter.DB_READS.counter(), reads)
                    .count(IoCounter.DB_WRITES.counter(), 0)
                    .count(
                            IoCounter.DB_READ_NS.counter(),
                            step.path("db_read_latency_ms").asDouble() * 1e6 * reads)
                    .count(InstanceFigures.COLLECTION_NS, step.path("seconds").asDouble() * SECOND);
        });
        parts(phase, "devices", PhaseFigures.DEVICES, found, GoldenInput::device);
        parts(phase, "backup", Phase.BACKUP.form(), found, (one, to) -> {
            to.count(Figures.BYTES, one.path("size_mb").asDouble() * MEBIBYTE)
                    .count(Figures.ELAPSED_NS, one.path("elapsed_s").asDouble() * SECOND);
        });
        parts(phase, "recovery", Phase.RECOVERY.form(), found, (one, to) -> {
            to.count(Figures.BYTES, one.path("log_mb_replayed").asDouble() * MEBIBYTE)
                    .count(Figures.ELAPSED_NS, one.path("elapsed_s").asDouble() * SECOND);
        });
        parts(phase, "checksum", Phase.CHECKSUM.form(), found, (one, to) -> {
            for (Counter counter : List.of(Figures.BYTES, Figures.BLOCKS, Figures.BAD_BLOCKS)) {
                to.count(counter, number(one.path(counter.key())));
            }
            to.count(Figures.ELAPSED_NS, one.path("elapsed_s").asDouble() * SECOND);
        });
        parts(phase, "log", PhaseFigures.TEST_LOG, found, (from, to) -> {});
        return found.made();
    }

    private static void parts(
            JsonNode phase,
            String key,
            Form form,
            Repeat.Builder into,
            BiConsumer<JsonNode, Repeat.Builder> counters)
            throws IOException {
        List<Repeat> all = new ArrayList<>();
        for (JsonNode one : phase.path(key)) {
            Repeat.Builder part = Repeat.counted();
            for (Name name : form.names()) {
                part.name(name, JsonFile.read(one.path(name.key()), Object.class));
            }
            counters.accept(one, part);
            all.add(part.made());
        }
        into.parts(form, all);
    }

    private static void device(JsonNode device, Repeat.Builder to) {
        double reads = device.path("reads_per_s").asDouble();
        double writes = device.path("writes_per_s").asDouble();
        to.count(InstanceFigures.COLLECTION_NS, SECOND)
                .count(new Counter(DiskCounter.READS.key()), reads)
                .count(new Counter(DiskCounter.WRITES.key()), writes)
                .count(
                        new Counter(DiskCounter.READ_MS.key()),
                        device.path("avg_read_latency_ms").asDouble() * reads)
                .count(
                        new Counter(DiskCounter.WRITE_MS.key()),
                        device.path("avg_write_latency_ms").asDouble() * writes)
                .count(PhaseFigures.READ_BYTES, device.path("avg_read_bytes").asDouble() * reads)
                .count(
                        new Counter(DiskCounter.WRITTEN_BYTES.key()),
                        device.path("avg_write_bytes").asDouble() * writes)
                .count(PhaseFigures.BUSY_MS, device.path("busy_percent").asDouble() * 10);
    }

    private static @Nullable Double number(JsonNode value) {
        return scaled(value, 1);
    }

    private static @Nullable Double scaled(JsonNode value, double by) {
        return value.isNumber() ? (Double) (value.asDouble() * by) : null;
    }

    /** Four samples: the least, the largest, and two between that make the average. */
    private static List<Repeat> host(JsonNode host) {
        List<Repeat> samples = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Repeat.Builder sample = Repeat.counted()
                    .count(HostFigures.SAMPLE_NS, SECOND)
                    .count(MachineMeter.CORES_NS, 2 * SECOND)
                    .count(MachineMeter.TOTAL_TICKS, 100)
                    .count(MachineMeter.STEAL_TICKS, 0)
                    .count(MachineMeter.PROCESSES_NS, SECOND)
                    .count(MachineMeter.BUSY_TICKS, value(host, "cpu_percent", i, 1))
                    .count(HostFigures.AVAILABLE_BYTES, value(host, "available_mb", i, MEBIBYTE))
                    .count(HostFigures.PAGE_TABLES_BYTES, value(host, "page_tables_bytes", i, 1))
                    .count(HostFigures.PAGES_RECLAIMED, value(host, "pages_reclaimed_per_s", i, 1))
                    .count(
                            HostFigures.UNRECLAIMABLE_BYTES,
                            value(host, "kernel_unreclaimable_bytes", i, 1))
                    .count(
                            HostFigures.RECLAIMABLE_BYTES,
                            value(host, "kernel_reclaimable_bytes", i, 1))
                    .count(HostFigures.STALLS, value(host, "stalls_per_s", i, 1))
                    .count(
                            MachineMeter.TOOL_NS,
                            value(host, "tool_cpu_percent_of_a_core", i, SECOND / 100));
            samples.add(sample.made());
        }
        return samples;
    }

    private static @Nullable Double value(JsonNode host, String key, int place, double by) {
        JsonNode range = host.path(key);
        if (!range.path("avg").isNumber()) {
            return null;
        }
        double least = range.path("min").asDouble();
        double largest = range.path("max").asDouble();
        return by
                * switch (place) {
                    case 0 -> least;
                    case 1 -> largest;
                    default -> (4 * range.path("avg").asDouble() - least - largest) / 2;
                };
    }

    private void instances(JsonNode phase, String name, Path raw, Repeat.Builder into)
            throws IOException {
        boolean isRecovery = name.equals("recovery");
        SortedMap<String, List<Repeat>> samples = samples(raw.resolve(name + "-samples.csv"));
        Map<String, Histogram> reads = new TreeMap<>();
        Map<String, Histogram> writes = new TreeMap<>();
        histograms(raw.resolve(name + "-db_read.hlog"), reads);
        histograms(raw.resolve(name + "-log_write.hlog"), writes);
        List<Repeat> all = new ArrayList<>();
        for (JsonNode instance : phase.path("instances")) {
            String its = instance.path("instance").asText();
            Repeat.Builder one = Repeat.counted()
                    .name(InstanceFigures.INSTANCE, its)
                    .count(
                            InstanceFigures.COLLECTION_NS,
                            phase.path("collection_s").asDouble() * SECOND)
                    .samples(samples.getOrDefault(its, List.of()));
            for (IoCounter counter : IoCounter.values()) {
                String key = counter.counter().key();
                if (!isRecovery || !key.startsWith("log_read")) {
                    one.count(counter.counter(), instance.at("/counters/" + key).asLong());
                }
            }
            times(one, InstanceFigures.READ_TIMES, reads.get(its));
            times(one, InstanceFigures.LOG_TIMES, writes.get(its));
            all.add(one.made());
        }
        into.parts(InstanceFigures.INSTANCES, all);
    }

    private static void times(Repeat.Builder into, Times times, @Nullable Histogram nanos) {
        if (nanos != null && nanos.getTotalCount() > 0) {
            into.times(times, nanos);
        }
    }

    private static SortedMap<String, List<Repeat>> samples(Path csv) throws IOException {
        SortedMap<String, List<Repeat>> samples = new TreeMap<>();
        List<String> lines = Files.readAllLines(csv);
        String[] heads = lines.getFirst().split(",", -1);
        for (String line : lines.subList(1, lines.size())) {
            String[] cells = line.split(",", -1);
            Repeat.Builder sample = Repeat.counted()
                    .count(InstanceFigures.AT_NS, Double.parseDouble(cells[1]) * SECOND)
                    .count(HostFigures.SAMPLE_NS, Double.parseDouble(cells[2]) * SECOND);
            for (int i = 3; i < cells.length; i++) {
                sample.count(new Counter(heads[i]), Long.valueOf(cells[i]));
            }
            samples.computeIfAbsent(cells[0], its -> new ArrayList<>()).add(sample.made());
        }
        return samples;
    }

    private static void histograms(Path hlog, Map<String, Histogram> byInstance)
            throws IOException {
        try (HistogramLogReader reader = new HistogramLogReader(hlog.toFile())) {
            for (EncodableHistogram next = reader.nextIntervalHistogram();
                    next != null;
                    next = reader.nextIntervalHistogram()) {
                Histogram nanos = (Histogram) next;
                byInstance
                        .computeIfAbsent(nanos.getTag(), its -> new Histogram(3))
                        .add(nanos);
            }
        }
    }
}
