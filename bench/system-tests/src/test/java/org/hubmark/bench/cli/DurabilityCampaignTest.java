package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;

import org.hubmark.bench.cli.CommandProcess.Ended;
import org.hubmark.bench.hub.HubJvm;
import org.hubmark.bench.machine.folders.Folders;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/**
 * Proves that a hub keeps its promise when it is crashed, and that a server that does not is found out.
 * The short form: the kinds that find most, once or twice each, with a seed of its own each time, which
 * a failure prints.
 */
class DurabilityCampaignTest {
    /** Making file systems takes its time where others build too. */
    private static final Duration LONG = Duration.ofMinutes(5);

    @TempDir
    Path folder;

    @Test
    void aHubKeepsItsPromise() throws Exception {
        campaign(0, "--kinds=kill,torn,eio", "--class=synced", "--crashes=2", CommandProcess.SEED);
        DurabilityCommandTest.requireKept(folder.resolve("out"), 3, 2);
    }

    @Test
    void aHubKeepsItsPromiseWhenThePowerGoes() throws Exception {
        onDevices(0, "--kinds=power", "--class=synced", "--crashes=2", CommandProcess.SEED);
    }

    @Test
    void aDeviceThatIgnoresFlushesLosesMailAndIsConvicted() throws Exception {
        // Of that seed, ext4 on one device: what is lost is mail, and not the order between two
        // devices.
        Ended ended = onDevices(
                1,
                "--kinds=power",
                "--class=synced",
                "--crashes=8",
                "--seed=104",
                "--ignore-flushes");
        if (ended.exitCode() == 1) {
            assertThat(ended.errors())
                    .anyMatch(line -> line.startsWith("hubmark: promise broken: power, synced: ")
                            && line.contains(" acknowledged messages lost")
                            && line.contains(" --ignore-flushes; kept in "));
        }
    }

    /** Where there are no devices it must say that it was skipped, and why, with exit code 3. */
    private Ended onDevices(int expected, String... arguments) throws Exception {
        boolean possible = Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0)
                && Files.exists(Path.of("/dev/fuse"))
                && Files.exists(Path.of("/dev/loop-control"));
        if (!possible) {
            Ended skipped = campaign(3, arguments);
            assertThat(skipped.errors())
                    .anyMatch(line ->
                            line.matches("skipped [a-z-]+: (not root|the kernel has no).*"));
            return skipped;
        }
        Ended ended = run(LONG, arguments);
        if (ended.errors().stream().anyMatch(line -> line.contains("nothing was acknowledged"))) {
            // One seed in sixty cuts before the first message, and then nothing is at stake.
            Folders.delete(folder.resolve("out"));
            ended = run(LONG, arguments);
        }
        assertThat(ended.exitCode()).as("%s", ended).isEqualTo(expected);
        assertThat(Files.readString(Path.of("/proc/mounts"))).doesNotContain(folder.toString());
        return ended;
    }

    /** {@return how a campaign ended, which must be so} */
    private Ended campaign(int expected, String... arguments) throws Exception {
        Ended ended = run(CommandProcess.WAIT, arguments);
        assertThat(ended.exitCode()).as("%s", ended).isEqualTo(expected);
        return ended;
    }

    private Ended run(Duration max, String... arguments) throws Exception {
        try (CommandProcess command = start(arguments)) {
            return command.end(max);
        }
    }

    private CommandProcess start(String... arguments) throws IOException {
        return CommandProcess.start(
                folder,
                Stream.concat(Stream.of("durability", "--output=out"), Stream.of(arguments))
                        .toArray(String[]::new));
    }

    private JsonNode results() throws IOException {
        return new RunFolder(folder).json("durability.json");
    }

    @Test
    void aServerThatACommandStartsIsTestedLikewise() throws Exception {
        String volumes = " --log-volume {data}/log --queue-volume {data}/queue";
        campaign(
                0,
                "--kinds=kill",
                "--class=synced",
                "--crashes=1",
                "--server=" + java() + " serve --listen 127.0.0.1:{port}" + volumes
                        + " --tracking-volume {data}/tracking",
                "--read-back=" + java() + " queue export --to {to}" + volumes
                        + " && rm -f {to}/*.json");
        JsonNode verdict = results().at("/verdicts/0");
        assertThat(verdict.get("server").asText()).contains(" serve --listen ");
        assertThat(verdict.get("lost_msgs").asInt()).isZero();
    }

    @Test
    void aServerThatKeepsNothingIsFoundOut() throws Exception {
        Ended ended = campaign(
                1,
                "--kinds=kill",
                "--class=none",
                "--crashes=1",
                "--seed=3",
                "--server=env DATA={data} " + java() + " sink --listen 127.0.0.1:{port}",
                "--read-back=ls {data} {to}");
        assertThat(ended.errors())
                .anyMatch(line -> line.startsWith("hubmark: promise broken: kill, none: ")
                        && line.contains("acknowledged messages lost")
                        && line.contains("--kinds kill --class none --crashes 1 --seed 3"));
        assertThat(folder.resolve("out/kill-none-3/ledger.csv"))
                .content()
                .contains(",acknowledged,");
    }

    @Test
    void aFaultThatNeverReachesAServerHasNoVerdict() throws Exception {
        Ended ended = campaign(
                3,
                "--kinds=eio",
                "--class=none",
                "--crashes=1",
                "--server=env -u LD_PRELOAD DATA={data} " + java()
                        + " sink --listen 127.0.0.1:{port}",
                "--read-back=ls {data} {to}");
        JsonNode results = results();
        assertThat(results.get("verdicts")).isEmpty();
        assertThat(results.at("/skipped/0").asText())
                .startsWith("eio, none: never felt, in 4 attempts: no write of the server below");
        assertThat(ended.errors())
                .contains("hubmark: no verdict: " + results.at("/skipped/0").asText());
    }

    @Test
    void anInterruptedCampaignJudgesOnlyWhatWasTried() throws Exception {
        try (CommandProcess command =
                start("--kinds=kill,torn,stop", "--class=synced", "--crashes=100000")) {
            // A line of progress says that the first kind has had its turn.
            command.awaitError(line -> line.startsWith("kill-synced-"));
            assertThat(RunFolder.terminated(command).out())
                    .anyMatch(line -> line.matches(" *Kind +kill.*"))
                    .noneMatch(line -> line.matches(" *Kind .*stop.*"))
                    .contains("warning: skipped stop, synced: not tried before the end");
        }
        JsonNode results = results();
        assertThat(results.at("/verdicts/0/kind").asText()).isEqualTo("kill");
        for (JsonNode verdict : results.get("verdicts")) {
            assertThat(verdict.get("crashes").asInt()).isPositive();
        }
        assertThat(results.get("skipped"))
                .anyMatch(line -> line.asText().equals("stop, synced: not tried before the end"));
    }

    private static String java() throws IOException {
        return String.join(" ", HubJvm.plainCommand()) + " -cp "
                + System.getProperty("java.class.path") + " org.hubmark.bench.cli.Main";
    }

    @Test
    @Tag("long")
    @Timeout(3_600)
    void everyKindInEveryClass() throws Exception {
        Ended ended = run(Duration.ofMinutes(55), "--crashes=24", "--seed=random");
        assertThat(ended.exitCode()).as("%s", ended).isZero();
    }
}
