package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.hubmark.bench.cli.CommandProcess.Ended;
import org.hubmark.bench.hub.LogGroups;
import org.hubmark.bench.load.SinkServer;
import org.hubmark.bench.machine.Disclosure;
import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.machine.ResourceLimits;
import org.hubmark.bench.machine.volumes.SystemTool;
import org.hubmark.bench.mail.document.Figure;
import org.hubmark.bench.mail.document.MailDocument;
import org.hubmark.bench.mail.document.Publication;
import org.hubmark.bench.mail.document.Scenario;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Proves what only a run in a process with a hub in another one can show: what its devices and its JVM have
 * done, and that a signal or the end of the hub leaves results. RunTest has what else there is to a run.
 */
class RunProcessTest {
    private static final String[] PUBLISHED = {
        "run",
        "--publish",
        "--sizes=57KB",
        "--rate=200",
        "--checkpoint-depth=64MiB",
        "--no-ceilings",
        "--quiet",
        "--output=out"
    };

    @TempDir
    Path folder;

    @Test
    void measuresWhatTheLogDeviceHoldsByItself() throws Exception {
        RunFolder runs = new RunFolder(folder);
        runs.measure("run", "--rate=max", "--log-volume=log");
        Scenario scenario = runs.scenario();
        assertThat(scenario.get(Figure.LOG_WRITES_PER_MSG)).isPositive();
        double log = scenario.row().number(MailDocument.LOG_DEVICE);
        assertThat(log).isPositive();
        List<LogGroups> groups = Objects.requireNonNull(scenario.groups());
        assertThat(groups.stream().mapToLong(LogGroups::syncs).sum()).isPositive();
        double rate = Objects.requireNonNull(scenario.get(Figure.THROUGHPUT_MSGS_PER_S));
        assertThat(scenario.logDevicePercent()).isEqualTo(100 * rate / log, within(1e-6));
        // With everything that the writer and the hub left there.
        assertThat(folder.resolve("log")).doesNotExist();
    }

    @Test
    void optionsForTheJvmReachTheHub() throws Exception {
        RunFolder runs = new RunFolder(folder);
        try (CommandProcess command = CommandProcess.startUnder(
                List.of("env", "HUBMARK_JAVA_OPTS=-Xmx300m -Dhubmark.mark=yes"),
                folder,
                runs.arguments("run", "--no-ceilings"))) {
            runs.measured(command);
        }
        Disclosure told =
                Objects.requireNonNull(runs.results().provenance().environment().disclosure());
        // Behind the heap that a hub has else, so that it is in force.
        assertThat(told.serverJvmOptions())
                .containsSubsequence("-Xmx256m", "-Xmx300m", "-Dhubmark.mark=yes");
        assertThat(told.serverOnThisMachine()).isTrue();
        assertThat(runs.file("machine.txt")).content().contains("==> /proc/cpuinfo <==");
    }

    /** The self-check makes the shares anew, by the cores that the environment has. */
    @Test
    void aDriverThatIsHeldToOneCoreTellsSharesOfTheWholeMachine() throws Exception {
        int cores = Runtime.getRuntime().availableProcessors();
        assumeTrue(cores > 1 && SystemTool.exists("taskset"), "one core, or no taskset");
        Set<Integer> allowed = ResourceLimits.of(ProcessHandle.current().pid()).cores();
        RunFolder runs = new RunFolder(folder);
        try (SinkServer sink = SinkServer.start(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        SinkServer.Behaviour.willing());
                CommandProcess command = CommandProcess.startUnder(
                        List.of("taskset", "--cpu-list", "" + allowed.iterator().next()),
                        folder,
                        runs.arguments(
                                "load", "--target=127.0.0.1:" + sink.address().getPort()))) {
            runs.measured(command);
        }
        Environment machine = runs.results().provenance().environment();
        assertThat(machine.processor().usableCores()).isEqualTo(1);
        assertThat(machine.processor().logicalCores()).isGreaterThanOrEqualTo(cores);
        assertThat(runs.file("report.md")).content().contains(" 0 differ");
    }

    @Test
    void saysThatTheHubWasKilled() throws Exception {
        RunFolder runs = new RunFolder(folder);
        try (CommandProcess run = runs.start("run", "--quiet", "--no-ceilings", "--duration=10m")) {
            runs.awaitSamples("out", 2);
            ProcessHandle driver = ProcessHandle.of(run.processId()).orElseThrow();
            List<ProcessHandle> hubs = driver.children().toList();
            assertThat(hubs).hasSize(1);
            hubs.getFirst().destroyForcibly();
            Ended ended = run.end();
            assertThat(ended.exitCode()).as("%s", ended).isEqualTo(1);
            assertThat(ended.errors())
                    .containsExactly("hubmark: the hub was ended by signal 9: it printed nothing");
        }
        requireWritten(runs, "repeat 1: the hub was ended by signal 9: it printed nothing");
    }

    @Test
    void aRunToldToEndWritesWhatItHas() throws Exception {
        RunFolder runs = new RunFolder(folder);
        try (CommandProcess run = runs.start("run", "--no-ceilings", "--duration=10m")) {
            runs.interrupt(run, "out");
        }
        requireWritten(runs, "repeat 1: interrupted");
    }

    private static void requireWritten(RunFolder runs, String reason) throws Exception {
        Scenario scenario = runs.scenario();
        assertThat(scenario.validity().reasons()).contains(reason);
        assertThat(scenario.get(Figure.ACCEPTED)).isPositive();
        assertThat(scenario.get(Figure.THROUGHPUT_MSGS_PER_S)).isPositive();
        assertThat(runs.file("report.html")).isNotEmptyFile();
    }

    /**
     * The real thing, at a rate that is fixed since a search takes long: a quarter of an hour. PublishTest has a
     * short form, with times that no rule allows.
     */
    @Test
    @Tag("long")
    @Timeout(3_600)
    void whatIsToBePublishedKeepsTheRulesThatItCanKeepByItself() throws Exception {
        RunFolder runs = new RunFolder(folder);
        try (CommandProcess run = CommandProcess.start(folder, PUBLISHED)) {
            Ended ended = run.end(Duration.ofMinutes(50));
            Publication publication = Objects.requireNonNull(runs.results().publish());
            assertThat(ended.exitCode()).isEqualTo(publication.publishable() ? 0 : 3);
            // The others are up to the machine, its other load, and the state of the sources.
            assertThat(publication.broken())
                    .extracting(Publication.Rule::rule)
                    .doesNotContain(
                            "Five repeats or more, each with a hub of its own, in random blocks",
                            "60 s or more each",
                            "Every message audited",
                            "Safe");
        }
        assertThat(runs.results().provenance().settings())
                .containsEntry("audit", "all")
                .containsEntry("duration", "1m")
                .containsEntry("repeat", 5);
    }
}
