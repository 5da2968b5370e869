package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.hubmark.bench.cli.CommandProcess.Ended;
import org.hubmark.bench.hub.DataFolders;
import org.hubmark.bench.hub.HubSpec;
import org.hubmark.bench.kit.document.Clock;
import org.hubmark.bench.kit.document.Context;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.Progress;
import org.hubmark.bench.kit.document.RawFile;
import org.hubmark.bench.kit.document.StudyRun;
import org.hubmark.bench.load.Audit;
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

import java.net.InetSocketAddress;
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
        Document written = measured();
        Results results = MailReport.read(folder.resolve("out/results.json"));
        assertThat(results.publish()).isEqualTo(new Results(written).publish());
        assertThat(results.rawFiles()).isEqualTo(new Results(written).rawFiles());
        assertThat(results.rawFiles())
                .extracting(RawFile::file)
                .contains("machine.txt", "series.csv", "times.hlog");
        Publication publication = Objects.requireNonNull(results.publish());
        assertThat(publication.publishable()).isFalse();
        assertThat(publication.broken())
                .extracting(Publication.Rule::rule)
                .contains("60 s or more each");
        assertThat(written.exitCode()).isEqualTo(Outcomes.INVALID);
        Scenario scenario = results.scenarios().getFirst();
        assertThat(scenario.repeats()).hasSize(2);
        long accepted = Math.round(Objects.requireNonNull(scenario.get(Figure.ACCEPTED)));
        assertThat(scenario.audit()).isEqualTo(new Audit("all", accepted, 0, 0L, 0, 0, 0L));
        LatencyAt latency = Objects.requireNonNull(scenario.latencyAt());
        double rate = Objects.requireNonNull(scenario.get(Figure.THROUGHPUT_MSGS_PER_S));
        assertThat(latency.percent()).isEqualTo(70);
        assertThat(latency.rateMsgsPerS()).isCloseTo(0.7 * rate, within(1e-6 * rate));
        assertThat(latency.acceptLatencyMs()).isNotNull();
        assertThat(Objects.requireNonNull(latency.audit()).share()).isEqualTo("all");
        assertThat(latency.lostMsgs()).isZero();
        Path out = folder.resolve("out");
        assertThat(Files.readString(out.resolve("report.md")))
                // Beside other work on the machine it is not valid either.
                .containsPattern("\\*\\*Verdict: not (publishable|valid)\\*\\*")
                .contains("- run rule not kept, or not known to be: 60 s or more each: ")
                .contains("## Run rules")
                .contains(
                        latency.validity().valid()
                                ? "**Latency at a share of the rate**"
                                : "there is no latency at a lower rate")
                .contains(" 0 differ");
        assertThat(Files.readString(out.resolve("report.html")))
                .containsPattern("<h2>Verdict: not (publishable|valid)</h2>");
        assertThat(folder.resolve("log")).doesNotExist();

        // Drawn again: nothing has changed, until a raw file has.
        Ended again = CommandInJvm.run("report", "--full", out.toString());
        assertThat(again.exitCode()).as("%s", again).isZero();
        assertThat(again.printed())
                .contains("run rule not kept, or not known to be: 60 s or more each");
        Path samples = out.resolve("series.csv");
        Files.writeString(samples, Files.readString(samples) + "\n");
        assertThat(CommandInJvm.run("report", out.toString()).exitCode()).isEqualTo(1);
        assertThat(Files.readString(out.resolve("report.md")))
                .contains("**Changed: these files differ from those that were written**")
                .contains("- series.csv");
        assertThat(CommandInJvm.run("compare", out.toString(), out.toString()).exitCode())
                .isEqualTo(3);
    }

    private Document measured() throws Exception {
        Path out = Files.createDirectory(folder.resolve("out"));
        VolumeFolders volumes = VolumeFolders.below(folder);
        try (Interruption interruption = new Interruption();
                DataFolders folders = new DataFolders(volumes)) {
            MailStudy study = new MailStudy(request(folders), interruption::awaitDone);
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

    private RunRequest request(DataFolders folders) {
        HubSpec spec = new HubSpec("discard", "synced", 512L << 20, true, Map.of())
                .audited(AuditShare.ALL);
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
                        4_000,
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
