package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.hubmark.bench.cli.CommandProcess.Ended;
import org.hubmark.bench.load.SinkServer;
import org.hubmark.bench.machine.CycleSource;
import org.hubmark.bench.machine.LocalMachine;
import org.hubmark.bench.machine.Machine;
import org.hubmark.bench.machine.MachineSource;
import org.hubmark.bench.measure.run.DataFolders;
import org.hubmark.bench.measure.run.HubStarter;
import org.hubmark.bench.measure.watch.WatchServer;
import org.hubmark.bench.measure.watch.WatchToken;
import org.hubmark.hub.VolumeFolders;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/**
 * Proves that the hubs which a watch starts are accounted for as those of a run here are, and that what is
 * wrong is said in a line: by a watch and hubs in this JVM.
 */
@Timeout(240)
class WatchCommandTest {
    /** Of a server elsewhere: all but what only a hub of our own tells of itself. */
    static final List<String> FILLED = List.of(
            "throughput_msgs_per_s",
            "machine_cpu_percent",
            "cpu_percent",
            "cpu_clock_mhz",
            "cpu_cost_mcycles_per_msg",
            "cpu_cost_process_mcycles_per_msg",
            "cpu_cost_cycles_per_msg_byte",
            "server_cpu_us_per_msg",
            "driver_cpu_percent",
            "steal_percent",
            "log_writes_per_s",
            "log_reads_per_s",
            "log_writes_per_msg",
            "avg_log_write_latency_ms",
            "avg_log_disk_queue_length",
            "log_bytes_per_accepted_byte");

    private static final InetSocketAddress ANY =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    @TempDir(factory = MemoryFolder.class)
    private Path folder;

    private final HubsInJvm hubs = new HubsInJvm();
    private Path token;

    @BeforeEach
    void makeToken() throws IOException {
        token = secret("token", "a-secret\n");
    }

    /** A watch as {@code watch} starts it. */
    private final class Watch implements AutoCloseable {
        private final CycleSource cycles = CycleSource.open();
        private final MachineSource source;
        private final WatchServer server;

        private Watch(boolean startsHubs) throws IOException {
            HubStarter starter = startsHubs ? starter() : null;
            source = starter == null ? new LocalMachine(null, cycles, List.of()) : starter;
            server = WatchServer.start(
                    ANY,
                    WatchToken.read(token, "--token-file"),
                    new WatchServer.Watched(
                            Main.version(),
                            startsHubs,
                            cycles.words(),
                            source,
                            Machine.inspect(List.of()),
                            starter));
        }

        private HubStarter starter() throws IOException {
            DataFolders folders = new DataFolders(new VolumeFolders(
                    folder.resolve("log"), folder.resolve("queue"), folder.resolve("tracking")));
            folders.claim();
            return new HubStarter(
                    hubs.program(), folders, "127.0.0.1:0", "127.0.0.0/8", cycles, List.of());
        }

        private String address() {
            return "127.0.0.1:" + server.address().getPort();
        }

        @Override
        public void close() throws IOException {
            server.close();
            source.close();
            cycles.close();
        }
    }

    private Ended measured(Watch watch, String command, String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                command,
                "--hub-on=" + watch.address(),
                "--hub-on-token-file=" + token,
                "--shared-machine",
                "--sizes=4KB",
                "--connections=2",
                "--driver-warmup=0s",
                "--warmup=300ms",
                "--warmup-max=300ms",
                "--duration=400ms",
                "--output=" + folder.resolve("out")));
        arguments.addAll(List.of(more));
        return hubs.run(arguments.toArray(String[]::new));
    }

    private JsonNode results() throws IOException {
        return new ObjectMapper().readTree(folder.resolve("out/results.json").toFile());
    }

    @Test
    void accountsForTheHubsThatItStarts() throws Exception {
        try (Watch watch = new Watch(true)) {
            Ended ended = measured(watch, "run", "--repeat=2");
            assertThat(ended.exitCode()).as("%s", ended).isIn(0, 3);
            // The last one for the latency at a part of the rate.
            assertThat(hubs.started()).isEqualTo(3);
            assertThat(hubs.running()).isZero();
            assertThat(results().at("/scenarios/0/repeats")).hasSize(2);
            for (JsonNode repeat : results().at("/scenarios/0/repeats")) {
                assertThat(repeat.path("accepted_msgs").asLong()).isPositive();
                assertThat(repeat.path("delivered_msgs")).isEqualTo(repeat.path("accepted_msgs"));
                assertThat(repeat.path("lost_msgs").asLong(-1)).isZero();
                assertThat(repeat.path("syncs_per_msg").isNumber()).isTrue();
            }
            assertThat(results().at("/scenarios/0/latency_at/lost_msgs").asLong(-1))
                    .isZero();
            assertThat(results().at("/scenarios/0/durability").asText()).isEqualTo("synced");
            assertThat(results().at("/settings/smtp.relay-from").asText()).isEqualTo("127.0.0.0/8");
            assertThat(results().at("/server_environment/volumes")).hasSize(3);
            assertThat(results()
                            .at("/server_environment/volumes/0/sync_verdict")
                            .isTextual())
                    .isTrue();
            refused(
                    1,
                    "is not for a hub that is started from elsewhere",
                    "run",
                    "--quiet",
                    "--driver-warmup=0s",
                    "--hub-on=" + watch.address(),
                    "--hub-on-token-file=" + token,
                    "--set=smtp.tls-key=" + folder.resolve("key.pem"),
                    "--set=smtp.tls-certificate=" + folder.resolve("certificate.pem"));
            refused(
                    1,
                    "delivers to discard or hold only",
                    "run",
                    "--quiet",
                    "--driver-warmup=0s",
                    "--hub-on=" + watch.address(),
                    "--hub-on-token-file=" + token,
                    "--deliver=directory:/tmp/mail");
        }
        assertThat(folder.resolve("log")).doesNotExist();
    }

    /** Each cell by hubs of its own settings, on the volumes that the watch was told. */
    @Test
    void aMatrixOfHubsElsewhereVariesWhatNeedsNoOtherVolumes() throws Exception {
        try (Watch watch = new Watch(true)) {
            Ended ended = measured(
                    watch, "matrix", "--durability=synced,none", "--repeat=1", "--latency-at=off");
            assertThat(ended.exitCode()).as("%s", ended).isIn(0, 3);
        }
        assertThat(results().path("scenarios"))
                .extracting(scenario -> scenario.path("id").asText())
                .containsExactly("4kb_synced_depth-512mib_2c", "4kb_none_depth-512mib_2c");
        for (JsonNode scenario : results().path("scenarios")) {
            assertThat(scenario.at("/repeats/0/lost_msgs").asLong(-1)).isZero();
        }
        assertThat(results().at("/scenarios/0/syncs_per_msg").asDouble()).isPositive();
        assertThat(results().at("/scenarios/1/syncs_per_msg").asDouble(-1)).isZero();
        assertThat(results().path("effects").findValuesAsText("factor")).contains("durability");
        refused(2, "doesn't go with --hub-on", "matrix", "--hub-on=127.0.0.1:1", "--layouts=one");
        refused(1, "can't be reached", "matrix", "--hub-on=127.0.0.1:1");
    }

    @Test
    void saysWhatIsWrongInALine() throws Exception {
        refused(2, "needs a --token-file", "watch", "--listen=0.0.0.0:0");
        refused(
                2,
                "--processes no-such-program-runs: no such process runs",
                "watch",
                "--listen=127.0.0.1:0",
                "--processes=no-such-program-runs");
        refused(
                2,
                "--volume log=/no/such/folder is not a folder",
                "watch",
                "--listen=127.0.0.1:0",
                "--volume=log=/no/such/folder");
        refused(
                2,
                "a role is log, queue, tracking or mailboxes",
                "watch",
                "--listen=127.0.0.1:0",
                "--volume=mail=" + folder);
        refused(2, "exclude each other", "watch", "--processes=java", "--cgroup=x");
        refused(2, "don't go with --stdio", "watch", "--stdio", "--listen=127.0.0.1:0");
        refused(2, "don't go with --stdio", "watch", "--stdio", "--token-file=" + token);
        refused(2, "are for a --target", "run", "--target-watch=127.0.0.1:1");
        refused(2, "exclude each other", "run", "--hub-on=127.0.0.1:1", "--target=127.0.0.1:2");
        refused(
                2,
                "needs a --token-file",
                "watch",
                "--listen=127.0.0.1:0",
                "--start-hubs=127.0.0.0/8",
                "--volume=log=" + folder);
        refused(
                2,
                "--layouts is for hubs of its own",
                "matrix",
                "--target=127.0.0.1:1",
                "--layouts=one");
        try (SinkServer sink = SinkServer.start(ANY, SinkServer.Behaviour.willing());
                Watch watch = new Watch(false)) {
            refused(
                    1,
                    "this watch starts no hubs",
                    "run",
                    "--quiet",
                    "--driver-warmup=0s",
                    "--hub-on=" + watch.address(),
                    "--hub-on-token-file=" + token);
            String target = "--target=127.0.0.1:" + sink.address().getPort();
            refused(1, "can't be reached", "load", target, "--target-watch=127.0.0.1:1");
            refused(
                    2,
                    "exclude each other",
                    "load",
                    target,
                    "--target-watch=127.0.0.1:1",
                    "--target-host=ssh:mx1");
            refused(
                    2,
                    "is not a destination",
                    "load",
                    target,
                    "--target-host=ssh:-oProxyCommand=x");
            Path wrong = secret("wrong", "no-secret\n");
            refused(
                    1,
                    "the token is not that of this watch",
                    "load",
                    target,
                    "--target-watch=" + watch.address(),
                    "--target-watch-token-file=" + wrong);
        }
    }

    /** A file that its owner alone can read: a command warns of any other. */
    private Path secret(String name, String text) throws IOException {
        Path file = Files.createFile(
                folder.resolve(name),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        return Files.writeString(file, text);
    }

    private void refused(int exitCode, String words, String... arguments) {
        Ended ended = hubs.run(arguments);
        assertThat(ended.exitCode()).as("%s", ended).isEqualTo(exitCode);
        assertThat(ended.errors()).hasSize(1);
        assertThat(ended.errors().getFirst()).startsWith("hubmark: ").contains(words);
    }
}
