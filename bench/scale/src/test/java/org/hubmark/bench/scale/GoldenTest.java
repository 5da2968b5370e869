package org.hubmark.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hubmark.golden.GoldenFiles.requireSame;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import org.hubmark.bench.kit.check.MachineMeter;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.kit.document.DocumentReport;
import org.hubmark.bench.kit.document.Formula;
import org.hubmark.bench.kit.document.JsonFile;
import org.hubmark.bench.kit.document.Kind;
import org.hubmark.bench.kit.document.Provenance;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Row;
import org.hubmark.bench.kit.document.Table;
import org.hubmark.bench.kit.document.Tool;
import org.hubmark.bench.kit.document.TreeComparison;
import org.hubmark.bench.scale.result.PublishedPoint;
import org.hubmark.bench.scale.result.ScaleOut;
import org.hubmark.golden.GoldenFiles;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What is written of counters that stay the same stays the same: each value under golden, which was
 * recorded before these files had the form of all documents, stands there still, or under a new key that
 * is named here.
 */
class GoldenTest {
    private static final double NEAR = 1e-9;

    @TempDir
    Path folder;

    @Test
    void scaleOut() throws IOException {
        List<Row> rows = new ArrayList<>();
        for (int hosts = 1; hosts <= 3; hosts++) {
            Map<String, @Nullable Object> names = new LinkedHashMap<>();
            names.put(ScaleOut.HOSTS.key(), hosts);
            names.put(ScaleOut.USERS.key(), null);
            names.put(ScaleOut.CORES.key(), 0.3 * hosts);
            names.put(ScaleOut.COPIES.key(), Math.min(2, hosts));
            names.put(ScaleOut.SYNCED_COPIES.key(), Math.min(2, hosts));
            names.put(ScaleOut.OFFERED.key(), null);
            names.put(ScaleOut.PUBLISHED.key(), PublishedPoint.of(hosts));
            rows.add(new Row(
                    names, GoldenInput.runs(hosts).stream().map(GoldenTest::run).toList()));
        }
        Map<String, @Nullable Object> facts = new LinkedHashMap<>();
        facts.put(ScaleOut.SCALING.key(), "weak");
        JsonNode written = written(
                ScaleOut.KIND, "./hubmark scale-out", facts, new Table(ScaleOut.POINTS, rows));
        ObjectNode golden = golden("scale-out.json");
        verdict(golden);
        // Settings have the first two, and the caption of the table has the third.
        golden.remove(List.of("users", "host_cores", "rule"));
        for (JsonNode point : golden.get("points")) {
            // Each figure has its interval under a key that is made of its own.
            rename(point, "throughput_ci95", "throughput_msgs_per_s_ci95");
            // In users, arrival is what a mailbox shows.
            rename(point, "arrival_latency_ms", "delivery_latency_ms");
            point.get("runs")
                    .forEach(run -> rename(run, "arrival_latency_ms", "delivery_latency_ms"));
            // How many they are stands in the row that the run is of.
            point.get("runs").forEach(run -> ((ObjectNode) run).remove("hosts"));
        }
        assertThat(differences(written, golden)).isEmpty();
        requireSame("scale-out.md", report());
    }

    /** All documents have one form, a verdict in words and its reasons. */
    private static void verdict(ObjectNode golden) {
        golden.put("schema", JsonFile.SCHEMA);
        golden.put("verdict", golden.remove("valid").asBoolean() ? "valid" : "not valid");
        rename(golden, "invalid_reasons", "reasons");
    }

    private static void rename(JsonNode object, String before, String now) {
        JsonNode value = ((ObjectNode) object).remove(before);
        ((ObjectNode) object).set(now, value);
    }

    private static List<String> differences(JsonNode written, JsonNode golden) {
        TreeComparison comparison = new TreeComparison(NEAR);
        comparison.compare("golden", written, golden);
        return comparison.mismatches();
    }

    private JsonNode written(
            Kind kind, String command, Map<String, @Nullable Object> facts, Table table)
            throws IOException {
        Document document = new Document(
                kind,
                new Provenance(
                        new Tool("0.1", "abc"),
                        GoldenInput.FROM,
                        GoldenInput.TO,
                        command,
                        GoldenInput.SETTINGS,
                        GoldenInput.MACHINE),
                true,
                facts,
                List.of(table),
                List.of());
        DocumentReport.write(document, folder);
        return new ObjectMapper().readTree(DocumentFile.json(document));
    }

    /** {@return the report, which has had this form from the first document on} */
    private String report() throws IOException {
        return Files.readString(folder.resolve("report.md"));
    }

    private static Repeat run(GoldenInput.Run run) {
        List<Repeat> hosts = new ArrayList<>();
        for (GoldenInput.Host host : run.hostsOf()) {
            Map<Formula.Counter, @Nullable Long> grown = new LinkedHashMap<>();
            grown.put(ScaleOut.MEASURED_NS, host.elapsedNanos());
            grown.put(ScaleOut.HUB_CPU_NS, host.hubNanos());
            grown.put(ScaleOut.BROKER_CPU_NS, host.brokerNanos());
            grown.put(ScaleOut.BOOKIE_CPU_NS, host.bookieNanos());
            grown.put(ScaleOut.THROTTLED_NS, host.throttledNanos());
            grown.put(ScaleOut.WRITTEN_BYTES, host.writtenBytes());
            grown.put(ScaleOut.SENT_BYTES, host.sentBytes());
            grown.put(ScaleOut.RECEIVED_BYTES, host.receivedBytes());
            Map<Formula.Counter, @Nullable Long> begun = new LinkedHashMap<>();
            grown.keySet().forEach(counter -> begun.put(counter, 0L));
            hosts.add(new HostReading(grown, 1_500_000_000L)
                    .since(new HostReading(begun, null), hosts.size() + 1, host.acceptedMsgs(), 4));
        }
        return RunMeter.run(Repeat.counted(), run.run(), Instant.parse(GoldenInput.FROM), hosts)
                .name(ScaleOut.REFUSAL, run.refusedMsgs() > 0 ? "452 full" : null)
                .count(ScaleOut.MEASURED_NS, run.elapsedNanos())
                .count(ScaleOut.REFUSED, run.refusedMsgs())
                .count(ScaleOut.FAILED, 0)
                .count(ScaleOut.DRIVER_CPU_NS, run.driverNanos())
                .count(MachineMeter.BUSY_TICKS, run.busyTicks())
                .count(MachineMeter.TOTAL_TICKS, run.totalTicks())
                .count(ScaleOut.START_NS, run.startNanos())
                .times(ScaleOut.SEND, run.sendNanos())
                .times(ScaleOut.DELIVERY, run.arrivalNanos())
                .made();
    }

    private static ObjectNode golden(String name) throws IOException {
        return (ObjectNode)
                new ObjectMapper().readTree(GoldenFiles.FOLDER.resolve(name).toFile());
    }
}
