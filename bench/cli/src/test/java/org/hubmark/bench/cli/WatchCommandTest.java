package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.cli.CommandProcess.Ended;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;

/** Proves that a watch says its counters until its input ends. */
@Timeout(240)
class WatchCommandTest {
    /** Of a server elsewhere: all but what only a hub of our own tells of itself. */
    static final List<String> FILLED =
            List.of(("throughput_msgs_per_s machine_cpu_percent cpu_percent"
                            + " cpu_clock_mhz cpu_cost_mcycles_per_msg cpu_cost_process_mcycles_per_msg"
                            + " cpu_cost_cycles_per_msg_byte server_cpu_us_per_msg driver_cpu_percent"
                            + " steal_percent log_writes_per_s log_reads_per_s log_writes_per_msg"
                            + " avg_log_write_latency_ms avg_log_disk_queue_length"
                            + " log_bytes_per_accepted_byte")
                    .split(" ", -1));

    @TempDir
    private Path folder;

    /** Nothing of it is left when its input ends. */
    @Test
    void endsWithItsInput() throws Exception {
        try (CommandProcess watch = CommandProcess.startUnder(
                List.of("sh", "-c", "echo | \"$@\"", "sh"), folder, "watch", "--stdio")) {
            Ended ended = watch.end();
            assertThat(ended.exitCode()).as("%s", ended).isZero();
            assertThat(ended.out()).hasSize(2).first().asString().startsWith("{\"watch\":");
            assertThat(ended.out().getLast()).startsWith("{\"monotonic_nanos\":");
        }
    }
}
