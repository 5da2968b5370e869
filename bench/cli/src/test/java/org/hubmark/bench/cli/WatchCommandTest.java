package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.cli.CommandProcess.Ended;
import org.hubmark.bench.load.SinkServer;
import org.hubmark.bench.machine.CycleSource;
import org.hubmark.bench.machine.LocalMachine;
import org.hubmark.bench.machine.Machine;
import org.hubmark.bench.machine.MachineSource;
import org.hubmark.bench.measure.watch.WatchServer;
import org.hubmark.bench.measure.watch.WatchToken;
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
import java.util.List;

/**
 * Proves that what is wrong is said in a line: by a watch in this JVM.
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

        private Watch() throws IOException {
            source = new LocalMachine(null, cycles, List.of());
            server = WatchServer.start(
                    ANY,
                    WatchToken.read(token, "--token-file"),
                    new WatchServer.Watched(
                            Main.version(),
                            false,
                            cycles.words(),
                            source,
                            Machine.inspect(List.of())));
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
        try (SinkServer sink = SinkServer.start(ANY, SinkServer.Behaviour.willing());
                Watch watch = new Watch()) {
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
