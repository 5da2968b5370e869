package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.hubmark.bench.hub.HubJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Proves that a hub keeps its promise when it is crashed, and that a server that does not is found out.
 * The short form: the kinds that find most, once or twice each, with a seed of its own each time, which
 * a failure prints.
 */
@Timeout(600)
class DurabilityCampaignTest {
    @TempDir
    Path folder;

    @Test
    void aHubKeepsItsPromise() throws Exception {
        run("--kinds=kill,torn,eio", "--class=synced", "--crashes=2", "--seed=random");
        DurabilityCommandTest.requireKept(folder.resolve("out"), 3, 2);
    }

    @Test
    void aHubKeepsItsPromiseWhenThePowerGoes() throws Exception {
        onDevices(0, "--kinds=power", "--class=synced", "--crashes=2", "--seed=random");
    }

    @Test
    void aDeviceThatIgnoresFlushesLosesMailAndIsConvicted() throws Exception {
        // Of that seed, ext4 on one device: what is lost is mail, and not the order between two
        // devices.
        CommandProcess.Ended ended = onDevices(
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
    private CommandProcess.Ended onDevices(int expected, String... arguments) throws Exception {
        boolean possible = Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0)
                && Files.exists(Path.of("/dev/fuse"))
                && Files.exists(Path.of("/dev/loop-control"));
        CommandProcess.Ended ended = campaign("out", arguments);
        if (ended.errors().stream().anyMatch(line -> line.contains("nothing was acknowledged"))) {
            // One seed in sixty cuts before the first message, and then nothing is at stake.
            ended = campaign("again", arguments);
        }
        assertThat(ended.exitCode())
                .as("%s%n%s", ended.out(), ended.errors())
                .isEqualTo(possible ? expected : 3);
        if (!possible) {
            assertThat(ended.errors())
                    .anyMatch(line ->
                            line.matches("skipped [a-z-]+: (not root|the kernel has no).*"));
        }
        assertThat(Files.readString(Path.of("/proc/mounts"))).doesNotContain(folder.toString());
        return ended;
    }

    private CommandProcess.Ended campaign(String output, String... arguments) throws Exception {
        List<String> all = new ArrayList<>(List.of("durability", "--output=" + output));
        all.addAll(List.of(arguments));
        try (CommandProcess command = CommandProcess.start(folder, all.toArray(String[]::new))) {
            // Making file systems takes its time where others build too.
            return command.end(Duration.ofMinutes(5));
        }
    }

    @Test
    void aServerThatACommandStartsIsTestedLikewise() throws Exception {
        String volumes = " --log-volume {data}/log --queue-volume {data}/queue";
        CommandProcess.Ended ended = CommandProcess.run(
                folder,
                "durability",
                "--output=out",
                "--kinds=kill",
                "--class=synced",
                "--crashes=1",
                "--server=" + java() + " serve --listen 127.0.0.1:{port}" + volumes
                        + " --tracking-volume {data}/tracking",
                "--read-back=" + java() + " queue export --to {to}" + volumes
                        + " && rm -f {to}/*.json");
        assertThat(ended.exitCode()).as("%s%n%s", ended.out(), ended.errors()).isZero();
        JsonNode verdict = new ObjectMapper()
                .readTree(folder.resolve("out/durability.json").toFile())
                .at("/verdicts/0");
        assertThat(verdict.get("server").asText()).contains(" serve --listen ");
        assertThat(verdict.get("lost_msgs").asInt()).isZero();
    }

    @Test
    void aServerThatKeepsNothingIsFoundOut() throws Exception {
        CommandProcess.Ended ended = CommandProcess.run(
                folder,
                "durability",
                "--output=out",
                "--kinds=kill",
                "--class=none",
                "--crashes=1",
                "--seed=3",
                "--server=env DATA={data} " + java() + " sink --listen 127.0.0.1:{port}",
                "--read-back=ls {data} {to}");
        assertThat(ended.exitCode()).isEqualTo(1);
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
        CommandProcess.Ended ended = CommandProcess.run(
                folder,
                "durability",
                "--output=out",
                "--kinds=eio",
                "--class=none",
                "--crashes=1",
                "--server=env -u LD_PRELOAD DATA={data} " + java()
                        + " sink --listen 127.0.0.1:{port}",
                "--read-back=ls {data} {to}");
        assertThat(ended.exitCode()).as("%s", ended.errors()).isEqualTo(3);
        JsonNode results = new ObjectMapper()
                .readTree(folder.resolve("out/durability.json").toFile());
        assertThat(results.get("verdicts")).isEmpty();
        assertThat(results.at("/skipped/0").asText())
                .startsWith("eio, none: never felt, in 4 attempts: no write of the server below");
        assertThat(ended.errors())
                .contains("hubmark: no verdict: " + results.at("/skipped/0").asText());
    }

    @Test
    void anInterruptedCampaignJudgesOnlyWhatWasTried() throws Exception {
        try (CommandProcess command = CommandProcess.start(
                folder,
                "durability",
                "--output=out",
                "--kinds=kill,torn,stop",
                "--class=synced",
                "--crashes=100000")) {
            // A line of progress says that the first kind has had its turn.
            command.awaitError(line -> line.startsWith("kill-synced-"));
            command.terminate();
            CommandProcess.Ended ended = command.end();
            assertThat(ended.exitCode()).as("%s", ended.errors()).isEqualTo(130);
            assertThat(ended.out())
                    .anyMatch(line -> line.matches(" *Kind +kill.*"))
                    .noneMatch(line -> line.matches(" *Kind .*stop.*"))
                    .contains("warning: skipped stop, synced: not tried before the end");
        }
        JsonNode results = new ObjectMapper()
                .readTree(folder.resolve("out/durability.json").toFile());
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
        try (CommandProcess campaign = CommandProcess.start(
                folder, "durability", "--output=out", "--crashes=24", "--seed=random")) {
            CommandProcess.Ended ended = campaign.end(Duration.ofMinutes(55));
            assertThat(ended.exitCode())
                    .as("%s%n%s", ended.out(), ended.errors())
                    .isZero();
        }
    }

    private void run(String... arguments) throws Exception {
        List<String> all = new ArrayList<>(List.of("durability", "--output=out"));
        all.addAll(List.of(arguments));
        CommandProcess.Ended ended = CommandProcess.run(folder, all.toArray(String[]::new));
        assertThat(ended.exitCode()).as("%s%n%s", ended.out(), ended.errors()).isZero();
    }
}
