package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.cli.CommandProcess.Ended;
import org.hubmark.bench.load.SinkServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;

/** Proves that what is wrong with a watch is said in a line. */
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

    @TempDir(factory = MemoryFolder.class)
    private Path folder;

    private final HubsInJvm hubs = new HubsInJvm();

    @Test
    void saysWhatIsWrongInALine() throws Exception {
        refused(2, "--stdio", "watch", "--processes=java");
        refused(
                2,
                "--processes no-such-program-runs: no such process runs",
                "watch",
                "--stdio",
                "--processes=no-such-program-runs");
        refused(
                2,
                "--volume /no/such/folder is not a folder",
                "watch",
                "--stdio",
                "--volume=log=/no/such/folder");
        refused(2, "a role is a word", "watch", "--stdio", "--volume=mail_1=" + folder);
        refused(2, "are mutually exclusive", "watch", "--stdio", "--processes=java", "--cgroup=x");
        refused(2, "are for a --target", "run", "--target-watch=exit 3");
        try (SinkServer sink = SinkServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                SinkServer.Behaviour.willing())) {
            String target = "--target=127.0.0.1:" + sink.address().getPort();
            refused(
                    1,
                    "--target-watch 'exit 3': it ended with exit code 3 before a line of counters"
                            + " came",
                    "load",
                    target,
                    "--target-watch=exit 3");
            refused(
                    2,
                    "are mutually exclusive",
                    "load",
                    target,
                    "--target-watch=exit 3",
                    "--target-processes=java");
        }
    }

    private void refused(int exitCode, String words, String... arguments) {
        Ended ended = hubs.run(arguments);
        assertThat(ended.exitCode()).as("%s", ended).isEqualTo(exitCode);
        assertThat(ended.errors()).hasSize(1);
        assertThat(ended.errors().getFirst()).startsWith("hubmark: ").contains(words);
    }
}
