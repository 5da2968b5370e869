package org.hubmark.bench.machine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Proves on recorded files of two machines, and on this one, that what has to be disclosed is read, and
 * that what the kernel doesn't say is unknown.
 */
class DisclosureTest {
    private static final String CPU = "sys/devices/system/cpu/";

    @TempDir
    Path root;

    @Test
    void readsAServersProcessor() throws IOException {
        file("proc/cpuinfo", "flags\t\t: fpu vme sse2\nmicrocode\t: 0xd0003b9\n");
        file(CPU + "smt/control", "on\n");
        file(CPU + "intel_pstate/no_turbo", "1\n");
        file(CPU + "isolated", "\n");
        file(CPU + "vulnerabilities/meltdown", "Not affected\n");
        file(CPU + "vulnerabilities/retbleed", "Mitigation: Enhanced IBRS\n");
        for (int core = 0; core < 12; core++) {
            String governor = core == 11 ? "powersave" : "performance";
            file(CPU + "cpu" + core + "/cpufreq/scaling_governor", governor + "\n");
        }
        file(CPU + "cpu0/cpufreq/scaling_driver", "intel_pstate\n");
        file("sys/devices/system/node/node0/cpulist", "0-5\n");
        file("sys/devices/system/node/node1/cpulist", "6-11\n");
        assertThat(ProcessorSettings.of(HostFiles.at(root)))
                .isEqualTo(new ProcessorSettings(
                        "none",
                        "0xd0003b9",
                        Map.of("meltdown", "Not affected", "retbleed", "Mitigation: Enhanced IBRS"),
                        "on",
                        "performance, powersave",
                        "intel_pstate",
                        false,
                        Map.of("0", "0-5", "1", "6-11"),
                        null));
    }

    @Test
    void namesTheHypervisor() throws IOException {
        file("proc/cpuinfo", "flags\t\t: fpu hypervisor sse2\n");
        assertThat(hypervisor()).isEqualTo("a processor without a name");
        file("sys/class/dmi/id/sys_vendor", "QEMU\n");
        file("sys/class/dmi/id/product_name", "Standard PC (Q35 + ICH9, 2009)\n");
        assertThat(hypervisor()).isEqualTo("QEMU Standard PC (Q35 + ICH9, 2009)");
        file("sys/hypervisor/type", "xen\n");
        assertThat(hypervisor()).isEqualTo("xen QEMU Standard PC (Q35 + ICH9, 2009)");
        // A machine whose processor has no such flag at all.
        file("proc/cpuinfo", "Features\t: fp asimd\n");
        assertThat(hypervisor()).isEqualTo("xen");
    }

    /** As Linux shows them on z/Architecture and ARM, whose processors have no flag for it. */
    @Test
    void namesTheHypervisorOfOtherArchitectures() throws IOException {
        file("proc/cpuinfo", "Features\t: fp asimd\n");
        assertThat(ProcessorSettings.of(HostFiles.at(root)).hypervisor()).isNull();
        file("sys/class/dmi/id/sys_vendor", "Amazon EC2\n");
        file("sys/class/dmi/id/product_name", "c7g.metal\n");
        assertThat(ProcessorSettings.of(HostFiles.at(root)).hypervisor()).isNull();
        file("sys/class/dmi/id/product_name", "c7g.large\n");
        assertThat(hypervisor()).isEqualTo("Amazon EC2 c7g.large");
        file("sys/class/dmi/id/sys_vendor", "Ampere(R)\n");
        assertThat(ProcessorSettings.of(HostFiles.at(root)).hypervisor()).isNull();
        file("proc/device-tree/hypervisor/compatible", "linux,kvm\0");
        assertThat(hypervisor()).isEqualTo("linux,kvm");
        file("proc/sysinfo", "Manufacturer:         IBM\nVM00 Control Program: z/VM    7.3.0\n");
        assertThat(hypervisor()).isEqualTo("z/VM    7.3.0");
    }

    private String hypervisor() {
        return Objects.requireNonNull(ProcessorSettings.of(HostFiles.at(root)).hypervisor());
    }

    @Test
    void aGroupIsHeldToTheLeastOfThoseAboveIt() throws IOException {
        file(
                "proc/self/status",
                "Cpus_allowed:\tf\nCpus_allowed_list:\t0-3\nMems_allowed_list:\t0\n");
        file("proc/self/cgroup", "0::/user.slice/run.scope\n");
        file("sys/fs/cgroup/user.slice/cpu.max", "150000 100000\n");
        file("sys/fs/cgroup/user.slice/run.scope/cpu.max", "max 100000\n");
        file("sys/fs/cgroup/user.slice/memory.max", "max\n");
        file("sys/fs/cgroup/user.slice/run.scope/memory.max", "1073741824\n");
        assertThat(limits()).isEqualTo(new ResourceLimits("0-3", "0", 1.5, 1L << 30));
    }

    @Test
    void readsTheFirstVersionOfControlGroups() throws IOException {
        file("proc/self/cgroup", "4:memory:/docker/1\n2:cpuset:/\n1:cpu,cpuacct:/docker/1\n0::/\n");
        file("sys/fs/cgroup/cpu/docker/1/cpu.cfs_quota_us", "50000\n");
        file("sys/fs/cgroup/cpu/docker/1/cpu.cfs_period_us", "100000\n");
        file("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
        file("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
        file("sys/fs/cgroup/memory/docker/1/memory.limit_in_bytes", "536870912\n");
        file("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
        assertThat(limits()).isEqualTo(new ResourceLimits(null, null, 0.5, 512L << 20));
    }

    @Test
    void allowedCoresAreAListOfRanges() {
        assertThat(new ResourceLimits("0-2,5,8-9", null, null, null).cores())
                .containsExactly(0, 1, 2, 5, 8, 9);
        assertThat(new ResourceLimits(null, null, null, null).cores()).isEmpty();
        assertThat(ResourceLimits.of(ProcessHandle.current().pid()).cores()).isNotEmpty();
    }

    private ResourceLimits limits() {
        return ResourceLimits.of(HostFiles.at(root), "self");
    }

    @Test
    void readsTheKernelsSettings() throws IOException {
        file("proc/sys/vm/dirty_ratio", "20\n");
        file("proc/sys/vm/dirty_background_bytes", "67108864\n");
        file("proc/sys/vm/dirty_expire_centisecs", "3000\n");
        file("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
        assertThat(KernelSettings.of(HostFiles.at(root)))
                .isEqualTo(new KernelSettings(
                        new KernelSettings.DirtyPages(20L, null, null, 67108864L, 3000L, null),
                        null,
                        new KernelSettings.HugePages("madvise", null),
                        null,
                        null,
                        null));
    }

    @Test
    void saysWhichWayTheKernelCountsCpuTime() throws IOException {
        file("proc/sys/kernel/osrelease", "6.18.44\n");
        file("proc/stat", "cpu  9 9 9 9 9 0 9 9 0 0\ncpu0 9 9 9 9 9 0 9 9 0 0\n");
        assertAccounting("ticks");
        file("proc/stat", "cpu  9 9 9 9 9 7 9 9 0 0\ncpu0 9 9 9 9 9 7 9 9 0 0\n");
        assertAccounting("ticks, interrupts apart");
        file("boot/config-6.18.44", "CONFIG_TICK_CPU_ACCOUNTING=y\n");
        assertAccounting("ticks");
        file("boot/config-6.18.44", "CONFIG_IRQ_TIME_ACCOUNTING=y\n");
        assertAccounting("ticks, interrupts apart");
        file("boot/config-6.18.44", "CONFIG_VIRT_CPU_ACCOUNTING_NATIVE=y\n");
        assertAccounting("virtual times");
    }

    private void assertAccounting(String words) {
        assertThat(KernelSettings.of(HostFiles.at(root)).cpuAccounting()).isEqualTo(words);
    }

    @Test
    void aJvmIsToldByItsCommandLine() throws IOException {
        String[] words = {
            "/jdk/bin/java", "-Xmx256m", "--add-modules=x", "-cp", "/a:/b", "Main", "-v"
        };
        file("proc/99/cmdline", String.join("\0", words) + "\0");
        Jvm jvm = Objects.requireNonNull(Jvm.of(HostFiles.at(root), 99));
        assertThat(jvm.options()).containsExactly("-Xmx256m", "--add-modules=x");
        assertThat(jvm.version()).isEqualTo(Jvm.own().version());
        assertThat(Jvm.of(HostFiles.at(root), 98)).isNull();
    }

    @Test
    void readsTheOffloadsThatAreOn() {
        assertThat(Network.offloadsOf("""
                        Features for eth0:
                        rx-checksumming: on [fixed]
                        tx-checksumming: on
                        \ttx-checksum-ipv4: off [fixed]
                        tcp-segmentation-offload: on
                        large-receive-offload: off
                        """))
                .containsExactly("rx-checksumming", "tx-checksumming", "tcp-segmentation-offload");
    }

    @Test
    void looksAtThisMachineAndItsLoopback() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            InetSocketAddress address =
                    new InetSocketAddress(server.getInetAddress(), server.getLocalPort());
            Disclosure told = Disclosure.of(address, null);
            assertThat(told.serverOnThisMachine()).isTrue();
            Network network = Objects.requireNonNull(told.network());
            assertThat(network.interfaceName()).isEqualTo("lo");
            assertThat(network.mtu()).isPositive();
            assertThat(network.roundTripMs()).isPositive();
            assertThat(Objects.requireNonNull(told.driverLimits()).allowedCores())
                    .isNotNull();
            assertThat(Objects.requireNonNull(told.driverJvm()).collectors()).isNotEmpty();
            assertThat(told.serverJvm()).isNull();
            assertThat(told.kernelSettings().dirtyPages().vmDirtyExpireCentisecs())
                    .isNotNull();
        }
        InetSocketAddress elsewhere = new InetSocketAddress(
                InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, 1}), 25);
        assertThat(Disclosure.isOwn(elsewhere)).isFalse();
        assertThat(Disclosure.of(null, null).serverOnThisMachine()).isTrue();
    }

    private void file(String file, String text) throws IOException {
        RecordedFiles.write(root, file, text);
    }

    @Test
    void passwordsInOptionsAndCommandsAreMasked() {
        assertThat(new Jvm(
                                null,
                                null,
                                List.of("-Djavax.net.ssl.trustStorePassword=s3cret", "-Xmx1g"))
                        .options())
                .containsExactly("-Djavax.net.ssl.trustStorePassword=***", "-Xmx1g");
        assertThat(Secrets.masked(
                        "./hubmark durability --server 'PASSWORD=s3 srv --db-password s3 -p 2'"))
                .isEqualTo(
                        "./hubmark durability --server 'PASSWORD=*** srv --db-password *** -p 2'");
        assertThat(Secrets.masked("API_TOKEN=\"a b\" x smtp://u:s3@host/ a.secret= k")) // and none
                .isEqualTo("API_TOKEN=*** x smtp://u:***@host/ a.secret=*** k");
        String files =
                "./hubmark load --auth-password-file=/p --password-file /p --tls-key /k --seed 1";
        assertThat(Secrets.masked(files)).isEqualTo(files);
    }
}
