package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.hub.DataFolders;
import org.hubmark.bench.hub.HubSpec;
import org.hubmark.bench.kit.document.Clock;
import org.hubmark.bench.kit.document.Context;
import org.hubmark.bench.kit.document.Document;
import org.hubmark.bench.kit.document.StudyRun;
import org.hubmark.bench.load.Arrivals;
import org.hubmark.bench.load.LoadPlan;
import org.hubmark.bench.load.MessageGenerator;
import org.hubmark.bench.load.MessageSet;
import org.hubmark.bench.load.Pace;
import org.hubmark.bench.load.SizeMix;
import org.hubmark.bench.load.Transfer;
import org.hubmark.bench.machine.Machine;
import org.hubmark.bench.machine.watch.TargetFacts;
import org.hubmark.bench.mail.document.CheckpointCycles;
import org.hubmark.bench.mail.document.Condition;
import org.hubmark.bench.mail.document.Conditions;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.MailDocument;
import org.hubmark.bench.mail.document.Publication;
import org.hubmark.bench.mail.document.Results;
import org.hubmark.bench.mail.document.Safety;
import org.hubmark.bench.mail.document.Scenario;
import org.hubmark.bench.mail.meter.Measurement;
import org.hubmark.bench.mail.meter.Progress;
import org.hubmark.bench.mail.report.TerminalTable;
import org.hubmark.bench.mail.study.HubRequest;
import org.hubmark.bench.mail.study.Interruption;
import org.hubmark.bench.mail.study.LatencyRequest;
import org.hubmark.bench.mail.study.MailSource;
import org.hubmark.bench.mail.study.MailStudy;
import org.hubmark.bench.mail.study.PublishRequest;
import org.hubmark.bench.mail.study.RunRequest;
import org.hubmark.bench.mail.study.ScenarioRequest;
import org.hubmark.hub.VolumeFolders;
import org.hubmark.hub.audit.AuditShare;
import org.junit.jupiter.api.Tag;
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
 * rules is headed by them: the whole way with hubs in processes of their own and times of a second, which
 * no rule allows.
 */
@Timeout(180)
class PublishProcessTest {
    @TempDir
    Path folder;

    @Test
    void measuresAndJudges() throws Exception {
        // A log of 8 MB with mail of 100 KB that stays in the queue: there are checkpoints.
        Document written = measured();
        Results results = MailDocument.read(folder.resolve("out/results.json"));
        assertThat(results.publish()).isEqualTo(new Results(written).publish());
        assertThat(results.rawFiles()).isEqualTo(new Results(written).rawFiles());
        Publication publication = Objects.requireNonNull(results.publish());
        Scenario scenario = results.scenarios().getFirst();
        assertThat(scenario.repeats()).hasSize(2).allSatisfy(repeat -> {
            CheckpointCycles cycles = Objects.requireNonNull(repeat.checkpointCycles());
            double checkpoints = Objects.requireNonNull(repeat.get(Figure.CHECKPOINTS));
            if (cycles.whole()) {
                assertThat(checkpoints).isPositive();
                assertThat(cycles.found()).endsWith("from the end of one to the end of another");
            }
        });
        assertThat(publication.publishable()).isFalse();
        assertThat(broken(publication))
                .contains("60 s or more each")
                .doesNotContain(
                        "The machine disclosed",
                        "Raw files kept, with their SHA-256",
                        "Figures follow from the raw files");
        assertThat(written.exitCode()).isEqualTo(Outcomes.INVALID);
        assertThat(Files.readString(folder.resolve("out/report.md")))
                .contains("**Not publishable: these run rules are not kept")
                .contains("- 60 s or more each: ")
                .contains("## Run rules")
                .contains(" 0 differ");
        assertThat(Files.readString(folder.resolve("out/report.html")))
                .contains("<h2>Not publishable: these run rules are not kept");
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        TerminalTable.print(results, new PrintStream(said, true, StandardCharsets.UTF_8));
        assertThat(said.toString(StandardCharsets.UTF_8))
                .contains("Not publishable: these run rules are not kept");
        assertThat(folder.resolve("log")).doesNotExist();
    }

    /** The real thing, at a rate that is fixed since a search takes long: a quarter of an hour. */
    @Test
    @Tag("long")
    @Timeout(3_600)
    void keepsTheRulesThatItCanKeepByItself() throws Exception {
        Path out = folder.resolve("out");
        int code = Main.execute(
                "run",
                "--publish",
                "--sizes=57KB",
                "--rate=200",
                "--checkpoint-depth=64MiB",
                "--no-ceilings",
                "--quiet",
                "--output=" + out);
        Results results = MailDocument.read(out.resolve("results.json"));
        Publication publication = Objects.requireNonNull(results.publish());
        assertThat(code).isEqualTo(publication.publishable() ? 0 : 3);
        assertThat(results.provenance().settings())
                .containsEntry("audit", "all")
                .containsEntry("duration", "1m")
                .containsEntry("repeat", 5);
        // The others are up to the machine of the test, its other load, and the state of the
        // sources.
        assertThat(broken(publication))
                .doesNotContain(
                        "Five repeats or more, each with a hub of its own, in random blocks",
                        "60 s or more each",
                        "Whole checkpoint cycles",
                        "Every message audited",
                        "Safe",
                        "The machine disclosed",
                        "Raw files kept, with their SHA-256",
                        "Figures follow from the raw files");
        assertThat(sha256sum()).isZero();
    }

    private static List<String> broken(Publication publication) {
        return publication.broken().stream().map(Publication.Rule::rule).toList();
    }

    private int sha256sum() throws Exception {
        return new ProcessBuilder("sha256sum", "--quiet", "-c", "SHA256SUMS")
                .directory(folder.resolve("out").toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }

    private Document measured() throws Exception {
        Path out = Files.createDirectory(folder.resolve("out"));
        VolumeFolders volumes = VolumeFolders.below(folder);
        Progress progress = new Progress(System.err, true);
        try (Interruption interruption = new Interruption();
                DataFolders folders = new DataFolders(volumes)) {
            MailStudy study = new MailStudy(request(folders), interruption, progress);
            Document found = StudyRun.of(
                    study,
                    new Context.Request(
                            out,
                            Main.PROGRAM.tool(),
                            "./hubmark test",
                            Map.of("latency-limit", "250ms", "shared-machine", false),
                            Machine.inspect(List.of()),
                            Clock.SYSTEM,
                            progress::phase,
                            progress::note));
            assertThat(study.failure()).isNull();
            return found;
        }
    }

    private static RunRequest request(DataFolders folders) {
        HubSpec spec =
                new HubSpec("hold", "synced", 8L << 20, true, Map.of()).audited(AuditShare.ALL);
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
                        SizeMix.of(100_000),
                        new MessageGenerator(1, at, "from@example.test", "to@example.test"),
                        plan,
                        server));
        Conditions conditions = Conditions.UNKNOWN
                .with(Condition.DURABILITY, "synced")
                .with(Condition.ASKED_RATE, "max")
                .with(Safety.UNCHALLENGED);
        return new RunRequest(
                Main.PROGRAM,
                List.of(new ScenarioRequest(
                        "mail",
                        "mail",
                        source,
                        new HubRequest(folders, spec, Map.of()),
                        conditions)),
                new RunRequest.Repeats(2, 1),
                new Measurement.LoadTimes(
                        Duration.ofMillis(200), Duration.ofMillis(200), Duration.ofSeconds(1)),
                TargetFacts.UNKNOWN,
                false,
                new RunRequest.Extras(
                        false,
                        new LatencyRequest(70, Arrivals.FIXED),
                        new PublishRequest("short", Duration.ofSeconds(3))));
    }
}
