package org.hubmark.bench.measure.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.netty.handler.codec.http.HttpResponseStatus;

import org.hubmark.bench.machine.BusyCycles;
import org.hubmark.bench.machine.DiskCounters;
import org.hubmark.bench.machine.MachineCpu;
import org.hubmark.bench.machine.MachineReading;
import org.hubmark.core.UserError;
import org.hubmark.hub.admin.AdminServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Map;

/** Proves on what Debian's prometheus-node-exporter 1.5 said that its counters are read right. */
@Timeout(60)
class NodeExporterTest {
    private static final String RECORDED = """
            # HELP node_cpu_seconds_total Seconds the CPUs spent in each mode.
            # TYPE node_cpu_seconds_total counter
            node_cpu_guest_seconds_total{cpu="0",mode="user"} 7
            node_cpu_seconds_total{cpu="0",mode="idle"} 11503.68
            node_cpu_seconds_total{cpu="0",mode="iowait"} 836.11
            node_cpu_seconds_total{cpu="0",mode="irq"} 0
            node_cpu_seconds_total{cpu="0",mode="nice"} 11294.95
            node_cpu_seconds_total{cpu="0",mode="softirq"} 626.48
            node_cpu_seconds_total{cpu="0",mode="steal"} 48.94
            node_cpu_seconds_total{cpu="0",mode="system"} 5087.8
            node_cpu_seconds_total{cpu="0",mode="user"} 33456.7
            node_cpu_seconds_total{cpu="1",mode="idle"} 11259.92
            node_cpu_seconds_total{cpu="1",mode="iowait"} 798.95
            node_cpu_seconds_total{cpu="1",mode="irq"} 0
            node_cpu_seconds_total{cpu="1",mode="nice"} 11185.25
            node_cpu_seconds_total{cpu="1",mode="softirq"} 824.53
            node_cpu_seconds_total{cpu="1",mode="steal"} 49.11
            node_cpu_seconds_total{cpu="1",mode="system"} 5235.36
            node_cpu_seconds_total{cpu="1",mode="user"} 33499.41
            node_disk_flush_requests_time_seconds_total{device="vda"} 1355.731
            node_disk_flush_requests_total{device="vda"} 1.2330496e+07
            node_disk_io_time_seconds_total{device="vda"} 5236.84
            node_disk_io_time_weighted_seconds_total{device="vda"} 14746.168
            node_disk_read_bytes_total{device="vda"} 5.7934848e+10
            node_disk_read_time_seconds_total{device="vda"} 1074.316
            node_disk_reads_completed_total{device="vda"} 2.358241e+06
            node_disk_write_time_seconds_total{device="vda"} 12287.259
            node_disk_writes_completed_total{device="vda"} 3.5538282e+07
            node_disk_writes_completed_total{device="zram0"} 0
            node_disk_written_bytes_total{device="vda"} 5.654509472768e+12
            node_filesystem_size_bytes{device="/dev/vda",fstype="ext4",mountpoint="/"} 2.70553174016e+11
            node_filesystem_size_bytes{device="tmpfs",fstype="tmpfs",mountpoint="/run"} 5.065056256e+09
            node_memory_MemTotal_bytes 2.5325268992e+10
            node_os_info{build_id="",id="debian",name="Debian GNU/Linux",pretty_name="Debian GNU/Linux 12 (bookworm)",version="12 (bookworm)"} 1
            node_time_seconds 1.7953718285872364e+09
            node_uname_info{domainname="(none)",machine="x86_64",nodename="vm",release="6.1.0-13-amd64",sysname="Linux",version="#1 SMP"} 1
            process_cpu_seconds_total 0.25
            """;

    /** Another second, a core of which ran at 3 GHz and one at 1, by cpufreq. */
    private static final String SCALING = """
            node_cpu_scaling_frequency_hertz{cpu="0"} 3e+09
            node_cpu_scaling_frequency_hertz{cpu="1"} 1e+09
            """;

    /** Says what it is told to. */
    private static final class Recorded implements AdminServer.Pages {
        private volatile String text = RECORDED;

        @Override
        public AdminServer.Page get(String path) {
            return path.equals("/metrics")
                    ? AdminServer.Page.text(HttpResponseStatus.OK, text)
                    : AdminServer.Page.text(HttpResponseStatus.NOT_FOUND, "");
        }

        @Override
        public AdminServer.Page post(String path, String body) {
            return get("");
        }
    }

    private final Recorded recorded = new Recorded();

    private AdminServer start() throws IOException {
        return AdminServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                "a test",
                4,
                fields -> null,
                recorded);
    }

    private static URI url(AdminServer server, String path) {
        return URI.create("http://127.0.0.1:" + server.address().getPort() + path);
    }

    @Test
    void readsTheMachineAndItsDevices() throws IOException {
        try (AdminServer server = start();
                WatchedMachine watched =
                        NodeExporter.open(url(server, "/metrics"), "/var/spool/postfix")) {
            assertThat(watched.environment().logicalCores()).isEqualTo(2);
            assertThat(watched.environment().memoryBytes()).isEqualTo(25_325_268_992L);
            assertThat(watched.environment().kernel()).isEqualTo("6.1.0-13-amd64");
            assertThat(watched.environment().os()).isEqualTo("Debian GNU/Linux 12 (bookworm)");
            assertThat(watched.environment().volumes().getFirst().device()).isEqualTo("vda");
            MachineReading reading = watched.read();
            long idle = 1_150_368 + 83_611 + 1_125_992 + 79_895;
            long busy = 1_129_495 + 62_648 + 4_894 + 508_780 + 3_345_670 + 1_118_525 + 82_453
                    + 4_911 + 523_536 + 3_349_941;
            assertThat(reading.cpu())
                    .isEqualTo(new MachineCpu(
                            busy,
                            busy + idle,
                            4_894 + 4_911,
                            62_648 + 82_453,
                            Map.of(0, 5_046_593L, 1, 5_074_455L)));
            assertThat(reading.disks().get("vda"))
                    .isEqualTo(new DiskCounters(
                            2_358_241,
                            57_934_848_000L,
                            1_074_316,
                            35_538_282,
                            5_654_509_472_768L,
                            12_287_259,
                            5_236_840,
                            14_746_168,
                            12_330_496L,
                            1_355_731L));
            assertThat(reading.realMillis()).isEqualTo(1_795_371_828_587L);
            assertThat(reading.readerCpuNanos()).isEqualTo(250_000_000);
            // It knows no process, and here no clock.
            assertThat(reading.serverCpuNanos()).isNull();
            assertThat(reading.kernelThreadNanos()).isNull();
            assertThat(reading.cycles()).isNull();
            assertThat(watched.account().counts()).isEqualTo("machine");
            assertThat(watched.account().source()).isEqualTo("node_exporter");
        }
    }

    @Test
    void cyclesAreBusyTimeTimesTheClockOfTheCore() throws IOException {
        recorded.text = RECORDED + SCALING;
        try (AdminServer server = start();
                WatchedMachine watched = NodeExporter.open(url(server, "/metrics"), null)) {
            // In 0.5 s of user time on one core and 0.25 s of system time on the other.
            recorded.text = recorded.text
                    .replace("33456.7\n", "33457.2\n")
                    .replace("5235.36\n", "5235.61\n")
                    .replace("1.7953718285872364e+09", "1.7953718295872364e+09");
            BusyCycles cycles = watched.read().cycles();
            assertThat(cycles).isNotNull();
            assertThat(cycles.megacycles()).isCloseTo(1_750, within(1e-3));
            assertThat(cycles.ticks()).isCloseTo(75, within(1e-6));
        }
    }

    @Test
    void whatItDoesNotKnowIsSaid() throws IOException {
        try (AdminServer server = start()) {
            assertThatThrownBy(() -> NodeExporter.open(url(server, "/other"), null))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("can't be read (it answers 404)");
            assertThatThrownBy(() -> NodeExporter.open(url(server, "/metrics"), "/run/mail"))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("--target-volume /run/mail lies on no device");
            recorded.text = "up 1\n";
            assertThatThrownBy(() -> NodeExporter.open(url(server, "/metrics"), null))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("is no node_exporter");
        }
    }
}
