package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.hubmark.bench.hub.DataFolders;
import org.hubmark.bench.hub.HubSpec;
import org.hubmark.bench.kit.document.Clock;
import org.hubmark.bench.kit.document.Context;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.DocumentReport;
import org.hubmark.bench.kit.document.Progress;
import org.hubmark.bench.kit.document.RawFile;
import org.hubmark.bench.kit.document.StudyRun;
import org.hubmark.bench.load.LoadPlan;
import org.hubmark.bench.load.MessageGenerator;
import org.hubmark.bench.load.MessageSet;
import org.hubmark.bench.load.Pace;
import org.hubmark.bench.load.Transfer;
import org.hubmark.bench.machine.Machine;
import org.hubmark.bench.machine.watch.TargetFacts;
import org.hubmark.bench.mail.document.Condition;
import org.hubmark.bench.mail.document.Conditions;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.LatencyAt;
import org.hubmark.bench.mail.document.Publication;
import org.hubmark.bench.mail.document.Results;
import org.hubmark.bench.mail.document.Safety;
import org.hubmark.bench.mail.document.Scenario;
import org.hubmark.bench.mail.meter.Measurement;
import org.hubmark.bench.mail.report.MailReport;
import org.hubmark.bench.mail.study.HubRequest;
import org.hubmark.bench.mail.study.MailSource;
import org.hubmark.bench.mail.study.MailStudy;
import org.hubmark.bench.mail.study.RunRequest;
import org.hubmark.bench.mail.study.ScenarioRequest;
import org.hubmark.hub.VolumeFolders;
import org.hubmark.hub.audit.AuditShare;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Proves that what is to be published is measured and judged, and that a result that breaks
 * rules is headed by them: by a hub in this JVM, with times below a second, which no rule allows.
 */
@Timeout(180)
class PublishTest {
    @TempDir(factory = MemoryFolder.class)
    Path folder;

    private final HubsInJvm hubs = new HubsInJvm();

    @Test
    void measuresAndJudges() throws Exception {
        Document written = measured("hold", 100_000, 8L << 20);
        Results results = MailReport.read(folder.resolve("out/results.json"));
        assertThat(results.publish()).isEqualTo(new Results(written).publish());
        assertThat(results.rawFiles()).isEqualTo(new Results(written).rawFiles());
        Publication publication = Objects.requireNonNull(results.publish());
        Scenario scenario = results.scenarios().getFirst();
        assertThat(scenario.repeats()).hasSize(2);
        assertThat(publication.publishable()).isFalse();
        assertThat(broken(publication)).contains("60 s or more each");
        assertThat(written.exitCode()).isEqualTo(Outcomes.INVALID);
        assertThat(Files.readString(folder.resolve("out/report.md")))
                // Beside other work on the machine it is not valid either.
                .containsPattern("\\*\\*Verdict: not (publishable|valid)\\*\\*")
                .contains("- run rule not kept, or not known to be: 60 s or more each: ")
                .contains("## Run rules")
                .contains(" 0 differ");
        assertThat(Files.readString(folder.resolve("out/report.html")))
                .containsPattern("<h2>Verdict: not (publishable|valid)</h2>");
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        DocumentReport.printAll(
                results.document(), new PrintStream(said, true, StandardCharsets.UTF_8));
        assertThat(said.toString(StandardCharsets.UTF_8))
                .contains("run rule not kept, or not known to be: 60 s or more each");
        assertThat(folder.resolve("log")).doesNotExist();
    }

    @Test
    void showsTheLatencyAtARateBesideAndTheSumsOfRawFiles() throws Exception {
        Results results = new Results(measured("discard", 4_000, 512L << 20));
        Scenario scenario = results.scenarios().getFirst();
        LatencyAt latency = Objects.requireNonNull(scenario.latencyAt());
        double rate = Objects.requireNonNull(scenario.get(Figure.THROUGHPUT_MSGS_PER_S));
        assertThat(latency.percent()).isEqualTo(70);
        assertThat(latency.rateMsgsPerS()).isCloseTo(0.7 * rate, within(1e-6 * rate));
        assertThat(latency.acceptLatencyMs()).isNotNull();
        assertThat(Objects.requireNonNull(latency.audit()).share()).isEqualTo("all");
        assertThat(latency.lostMsgs()).isZero();
        assertThat(scenario.repeats()).hasSize(2);
        assertThat(results.rawFiles())
                .extracting(RawFile::file)
                .contains("machine.txt", "series.csv", "times.hlog");
        String report = Files.readString(folder.resolve("out/report.md"));
        assertThat(report)
                .contains(
                        latency.validity().valid()
                                ? "**Latency at a share of the rate**"
                                : "there is no latency at a lower rate")
                .contains(" 0 differ");

        // Drawn again: nothing has changed.
        Path out = folder.resolve("out");
        assertThat(Main.execute("report", out.toString())).isZero();
        Path samples = out.resolve("series.csv");
        Files.writeString(samples, Files.readString(samples) + "\n");
        assertThat(Main.execute("report", out.toString())).isEqualTo(1);
        assertThat(Files.readString(out.resolve("report.md")))
                .contains("**Changed: these files differ from those that were written**")
                .contains("- series.csv");
        assertThat(Main.execute("compare", out.toString(), out.toString())).isEqualTo(3);
    }

    private static List<String> broken(Publication publication) {
        return publication.broken().stream().map(Publication.Rule::rule).toList();
    }

    private Document measured(String deliver, int sizeBytes, long depthBytes) throws Exception {
        Path out = Files.createDirectory(folder.resolve("out"));
        VolumeFolders volumes = VolumeFolders.below(folder);
        try (Interruption interruption = new Interruption();
                DataFolders folders = new DataFolders(volumes)) {
            MailStudy study = new MailStudy(
                    request(deliver, sizeBytes, depthBytes, folders), interruption::awaitDone);
            Document found = StudyRun.of(
                    study,
                    new Context.Request(
                            out,
                            hubs.program().tool(),
                            "./hubmark test",
                            Map.of("latency-limit", "250ms", "shared-machine", false),
                            Machine.inspect(List.of()),
                            Clock.SYSTEM,
                            Progress.SILENT,
                            List::of));
            assertThat(study.failure()).isNull();
            return found;
        }
    }

    private RunRequest request(
            String deliver, int sizeBytes, long depthBytes, DataFolders folders) {
        HubSpec spec =
                new HubSpec(deliver, "synced", depthBytes, true, Map.of()).audited(AuditShare.ALL);
        LoadPlan load = LoadPlan.of(
                InetSocketAddress.createUnresolved("localhost", 0),
                4,
                new Pace.ClosedLoop(),
                Transfer.DATA,
                "from@example.test",
                "to@example.test");
        MailSource source = new MailSource(
                load,
                Duration.ZERO,
                (plan, server, at) -> MessageSet.generate(
                        sizeBytes,
                        new MessageGenerator(1, at, "from@example.test", "to@example.test"),
                        plan,
                        server));
        Conditions conditions = Conditions.UNKNOWN
                .with(Condition.DURABILITY, "synced")
                .with(Condition.ASKED_RATE, "max")
                .with(Safety.UNCHALLENGED);
        return new RunRequest(
                hubs.program(),
                List.of(new ScenarioRequest(
                        "mail",
                        "mail",
                        source,
                        new HubRequest(folders, spec, Map.of(), null),
                        conditions,
                        null)),
                new RunRequest.Repeats(2, 1),
                new Measurement.LoadTimes(
                        Duration.ofMillis(100), Duration.ofMillis(100), Duration.ofMillis(500)),
                TargetFacts.UNKNOWN,
                false,
                new RunRequest.Extras(false, 70, true),
                null);
    }
}
