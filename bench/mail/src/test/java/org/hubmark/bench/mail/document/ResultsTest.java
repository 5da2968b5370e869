package org.hubmark.bench.mail.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;

import org.HdrHistogram.Histogram;
import org.hubmark.bench.hub.LogGroups;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.DocumentFile;
import org.hubmark.bench.kit.document.Provenance;
import org.hubmark.bench.kit.document.RawFile;
import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.kit.document.Tool;
import org.hubmark.bench.kit.statistics.Interval;
import org.hubmark.bench.load.Audit;
import org.hubmark.bench.machine.Disclosure;
import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.machine.Platform;
import org.hubmark.bench.machine.ResourceLimits;
import org.hubmark.bench.machine.volumes.Storage;
import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.hubmark.bench.mail.report.MailReport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Proves that results.json has the promised names, flat, and reads back as what was written. */
class ResultsTest {
    private static final LatencyAt BESIDE = new LatencyAt(
            70,
            700.35,
            700.0,
            Map.of("mean", 1.0, "p50", 2.0, "p95", 3.0, "p99", 4.0, "p99_9", 5.0, "max", 6.0),
            1L,
            new Audit("all", 9L, 0L, 0L, 0L, 0L, 0L),
            Validity.of(List.of(new Reason(Case.MAIL, "1 message lost"))));

    private static final Publication PUBLICATION = new Publication(
            false,
            List.of(
                    new Publication.Rule("Safe", true, "durability synced"),
                    new Publication.Rule("Steady before the measured time", null, "too short")));

    private static final SustainedRate SUSTAINED =
            new SustainedRate(1000, "25 % more was too much");

    @TempDir
    Path folder;

    /** As in the results of all studies. */
    @Test
    void theHeadSaysWhatItIsAndWhetherItIsValid() throws IOException {
        JsonNode tree = new ObjectMapper().readTree(DocumentFile.json(document()));
        assertThat(tree.properties().stream().map(Map.Entry::getKey).limit(12))
                .containsExactly(
                        "schema",
                        "kind",
                        "tool",
                        "started_at",
                        "finished_at",
                        "command",
                        "environment",
                        "settings",
                        "complete",
                        "verdict",
                        "reasons",
                        "warnings");
        assertThat(tree.path("kind").asText()).isEqualTo("mail");
        assertThat(tree.path("verdict").asText()).isEqualTo("not valid");
        assertThat(tree.path("reasons").toString()).contains("latency at a rate: 1 message lost");
        assertThat(tree.path("warnings").toString()).contains("not steady");
        assertThat(tree.at("/scenarios/0/repeats/0/counters").toString())
                .contains("\"measured_ns\":10000000000");
    }

    @Test
    void readsBackWhatWasWritten() throws IOException {
        Document document = document();
        Document written = DocumentFile.write(document, folder);
        Document read = DocumentFile.read(folder, MailReport.KIND);
        assertThat(DocumentFile.json(read)).isEqualTo(DocumentFile.json(written));
        assertThat(DocumentFile.check(folder, read).mismatches()).isEmpty();
        Scenario.Repeat repeat =
                new Results(read).scenarios().getFirst().repeats().getFirst();
        assertThat(repeat.warmUp()).isEqualTo(WARM_UP);
        assertThat(repeat.counted().name(MailDocument.SUSTAINED_RATE, SustainedRate.class))
                .isEqualTo(SUSTAINED);
        assertThat(new Results(read).scenarios().getFirst().latencyAt()).isEqualTo(BESIDE);
        assertThat(new Results(read).scenarios().getFirst().conditions()).isEqualTo(conditions());
    }

    @Test
    void whatWasAuditedIsSummedUp() {
        Audit audit = new Audit("sampled", 7, 1, 2L, 3, 4, 5L);
        Repeat plain = MadeResults.repeat(1).made();
        Repeat audited = plain.named(MailDocument.AUDIT, audit);
        assertThat(scenario(List.of(plain, audited, audited)).audit())
                .isEqualTo(new Audit("sampled", 14, 2, 4L, 6, 8, 10L));
        assertThat(scenario(List.of(plain, plain)).audit()).isNull();
    }

    private static Scenario scenario(List<Repeat> repeats) {
        return MadeResults.scenario("57kb", 57, conditions(), repeats);
    }

    @Test
    void namesStandFlatAndUnknownIsNull() throws IOException {
        Path file = folder.resolve("results.json");
        Files.writeString(file, DocumentFile.json(document()));
        JsonNode scenario =
                new ObjectMapper().readTree(file.toFile()).get("scenarios").get(0);
        String names = "id message_size_kb durability intake limiting_resource machine_cpu_percent"
                + " driver_cpu_percent cpu_cost_process_mcycles_per_msg server_cpu_us_per_msg"
                + " log_bytes_per_accepted_byte queue_bytes_per_accepted_byte syncs_per_msg"
                + " msgs_per_group_mean counter_source accept_latency_ms queue_residence_ms"
                + " sent_msgs accepted_msgs refused_msgs failed_msgs delivered_msgs"
                + " left_in_queue_msgs lost_msgs throughput_msgs_per_s_min"
                + " throughput_msgs_per_s_max repeats valid invalid_reasons"
                + " layout device_profile flush sustained_rate checkpoint_depth_mb connections"
                + " asked_rate unsafe unsafe_reason limiting_reason limiting_lift"
                + " throughput_ci95_msgs_per_s"
                + " ceilings"
                + " accept_latency_uncorrected_ms driver_lateness_ms";
        for (String name : names.split(" ", -1)) {
            assertThat(scenario.has(name)).as(name).isTrue();
        }
        assertThat(scenario.get("accept_latency_ms").get("p99_9").asDouble())
                .isEqualTo(5, within(0.01));
        assertThat(scenario.get("queue_reads_per_s").isNull()).isTrue();
        JsonNode repeat = scenario.get("repeats").get(0);
        for (String name : names.substring(0, names.indexOf(" repeats")).split(" ", -1)) {
            assertThat(repeat.has(name)).as(name).isTrue();
        }
        assertThat(repeat.get("id")).isEqualTo(scenario.get("id"));
        assertThat(repeat.get("throughput_msgs_per_s_min").asDouble()).isEqualTo(1000.5);
        String ofRepeats = "warmup_s steady steady_reason rate_drift accept_latency_uncorrected_ms";
        for (String name : ofRepeats.split(" ", -1)) {
            assertThat(scenario.get("repeats").get(0).has(name)).as(name).isTrue();
        }
        assertThat(scenario.get("repeats").get(0).get("throughput_msgs_per_s").asDouble())
                .isEqualTo(1000.5);
    }

    @Test
    @Tag("published")
    void hasEveryRowOfThePublishedTable() throws IOException {
        JsonNode rows;
        try (InputStream table =
                Results.class.getResourceAsStream("/reference/hub-study-2007sp1.yaml")) {
            rows = new ObjectMapper(new YAMLFactory()).readTree(table).get("table_rows");
        }
        JsonNode scenario = new ObjectMapper()
                .readTree(DocumentFile.json(document()))
                .get("scenarios")
                .get(0);
        assertThat(rows).hasSize(18);
        for (JsonNode row : rows) {
            String name = row.get("field").asText();
            assertThat(scenario.has(name)).as(name).isTrue();
            assertThat(scenario.get("repeats").get(0).has(name)).as(name).isTrue();
        }
    }

    @Test
    void refusesWhatIsNoMadeResults() throws IOException {
        Path file = Files.writeString(folder.resolve("results.json"), "{\"schema\": ");
        assertThatThrownBy(() -> MailReport.read(file))
                .hasMessageContaining("results.json is not JSON");
        Files.writeString(
                file,
                DocumentFile.json(document()).replaceFirst("\"schema\" : 2", "\"schema\" : 9"));
        assertThatThrownBy(() -> MailReport.read(file))
                .hasMessageContaining("has schema 9; this version reads 2: measure again");
    }

    private static Conditions conditions() {
        return Conditions.UNKNOWN
                .with(Condition.DURABILITY, "none")
                .with(Condition.INTAKE, "store")
                .with(Condition.LAYOUT, "apart")
                .with(Condition.DEVICE_PROFILE, "sata-7200")
                .with(Condition.FLUSH, "sent")
                .with(Condition.CHECKPOINT_DEPTH_MB, 128.0)
                .with(Condition.CONNECTIONS, 32)
                .with(Condition.ASKED_RATE, "max")
                .with(Condition.TLS, false)
                .with(new Safety(true, List.of("durability none")));
    }

    private static final Disclosure DISCLOSURE = new Disclosure(
            true,
            new ResourceLimits("0-1", 1.5),
            null,
            List.of("-Xmx1g"),
            null,
            new Platform("Maker", "Server 1", "Maker", "1.2", "01/02/2026", null));

    private static final WarmUp WARM_UP =
            new WarmUp(5.0, false, "it drifted", new WarmUp.Drift(20.5, 3.5, 13.5));

    private static Histogram times() {
        Histogram times = new Histogram(3);
        times.recordValueWithCount(1_000_000, 9_900);
        times.recordValueWithCount(5_000_000, 100);
        return times;
    }

    private static Document document() {
        Repeat.Builder counted = Repeat.counted()
                .name(MailDocument.REPEAT, 1)
                .name(MailDocument.STARTED_AT, "2026-01-01T00:00:00Z")
                .name(MailDocument.COUNTER_SOURCE, new CounterSource("device", "engine"))
                .name(MailDocument.GROUPS, List.of(new LogGroups(65536, 10, 12, 600_000, 20)))
                .name(MailDocument.AUDIT, new Audit("all", 9L, 1L, 1L, 2L, 0L, 3L))
                .name(MailDocument.SUSTAINED_RATE, SUSTAINED)
                .count(Counters.MEASURED_NS, 1e10)
                .count(Counters.ACCEPTED_MSGS, 10_005)
                .count(Counters.LOG_WRITE_MS, 0.5)
                .count(Counters.QUEUE_MAX_MSGS, 358)
                .count(Counters.ALL_SENT_MSGS, 10)
                .times(Figure.ACCEPT, times())
                .times(Figure.UNCORRECTED, times())
                .times(Figure.IN_QUEUE, times())
                .times(Figure.LATE, times());
        MadeResults.name(
                counted, WARM_UP, new Limiting("cpu", "busy", "more cores"), Validity.FULL);
        Scenario.Repeat repeat = new Scenario.Repeat(counted.made())
                .noted(List.of("the hub was under back pressure"))
                .disturbed("the hypervisor took 2.1% of it")
                .of("57kb", 57, conditions());
        Scenario scenario = MadeResults.with(
                MadeResults.with(
                        scenario(List.of(repeat.counted())), MailDocument.LATENCY_AT, BESIDE),
                MailDocument.LOG_DEVICE,
                4000.0);
        FactorEffect effect = new FactorEffect(
                "rate",
                "layout",
                "one volume",
                "log apart",
                1.1,
                new Interval(1.05, 1.15),
                0.99,
                4,
                "faster");
        return MadeResults.results(
                        new Provenance(
                                new Tool("0.1", null),
                                "2026-01-01T00:00:00Z",
                                "2026-01-01T00:01:00Z",
                                "run --sizes 57KB",
                                Map.of("connections", 32),
                                new Environment(
                                        new Environment.Processor(
                                                "cpu", 2, 1, 2596.1, "/proc/cpuinfo"),
                                        1L << 34,
                                        new Environment.Software("os", "6", "25", null),
                                        List.of(new VolumeDisclosure(
                                                "log",
                                                "/l",
                                                "vda",
                                                "ext4",
                                                "rw",
                                                new VolumeDisclosure.Disk(
                                                        "write back", true, "none"),
                                                1L,
                                                null,
                                                new VolumeDisclosure.Sync("safe", "It is."),
                                                new Storage(
                                                        "raid1",
                                                        List.of("md0 (raid1)", "sda (Maker Disk)"),
                                                        1L << 40,
                                                        12.5,
                                                        List.of(new Storage.Disk(
                                                                "sda",
                                                                "Maker Disk",
                                                                "1.0",
                                                                1L << 41,
                                                                "6.0 Gbps",
                                                                "write back",
                                                                true,
                                                                "none",
                                                                32,
                                                                "virtio",
                                                                "virtio_blk"))))),
                                        DISCLOSURE)),
                        List.of(scenario))
                .document()
                .with(MailDocument.EFFECTS, List.of(effect))
                .with(MailDocument.PUBLISH, PUBLICATION)
                .with(List.of(new RawFile("samples.csv", "00ff", 7)));
    }
}
