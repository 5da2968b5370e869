package org.hubmark.bench.machine;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.machine.kernel.HostFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
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
    void theKernelsFilesAreKeptAsTheyAre() throws IOException {
        file("proc/cpuinfo", "flags\t\t: fpu vme\nmicrocode\t: 0xd0003b9\n");
        file(CPU + "vulnerabilities/meltdown", "Not affected\n");
        file(CPU + "vulnerabilities/retbleed", "Mitigation: Enhanced IBRS\n");
        file(CPU + "cpu11/cpufreq/scaling_governor", "powersave\n");
        file(CPU + "isolated", "\n");
        file("proc/sys/vm/dirty_ratio", "20\n");
        file("sys/class/net/lo/speed", "65536\n");
        assertThat(MachineFiles.text(new HostFiles(root))).isEqualTo("""
                ==> /proc/cpuinfo <==
                flags\t\t: fpu vme
                microcode\t: 0xd0003b9

                ==> /sys/devices/system/cpu/vulnerabilities/meltdown <==
                Not affected

                ==> /sys/devices/system/cpu/vulnerabilities/retbleed <==
                Mitigation: Enhanced IBRS

                ==> /sys/devices/system/cpu/cpu11/cpufreq/scaling_governor <==
                powersave

                ==> /proc/sys/vm/dirty_ratio <==
                20

                ==> /sys/class/net/lo/speed <==
                65536

                """);
    }

    @Test
    void whatIsThereStays() throws IOException {
        MachineFiles.write(root);
        Path file = root.resolve(MachineFiles.FILE);
        assertThat(Files.readString(file)).startsWith("==> /proc/version <==\nLinux");
        Files.writeString(file, "earlier");
        MachineFiles.write(root);
        assertThat(file).hasContent("earlier");
    }

    @Test
    void aGroupIsHeldToTheLeastOfThoseAboveIt() throws IOException {
        file(
                "proc/self/status",
                "Cpus_allowed:\tf\nCpus_allowed_list:\t0-3\nMems_allowed_list:\t0\n");
        file("proc/self/cgroup", "0::/user.slice/run.scope\n");
        file("sys/fs/cgroup/user.slice/cpu.max", "150000 100000\n");
        file("sys/fs/cgroup/user.slice/run.scope/cpu.max", "max 100000\n");
        assertThat(limits()).isEqualTo(new ResourceLimits("0-3", 1.5));
    }

    @Test
    void readsTheFirstVersionOfControlGroups() throws IOException {
        file("proc/self/cgroup", "4:memory:/docker/1\n2:cpuset:/\n1:cpu,cpuacct:/docker/1\n0::/\n");
        file("sys/fs/cgroup/cpu/docker/1/cpu.cfs_quota_us", "50000\n");
        file("sys/fs/cgroup/cpu/docker/1/cpu.cfs_period_us", "100000\n");
        file("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
        file("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
        assertThat(limits()).isEqualTo(new ResourceLimits(null, 0.5));
    }

    @Test
    void allowedCoresAreAListOfRanges() {
        assertThat(new ResourceLimits("0-2,5,8-9", null).cores()).containsExactly(0, 1, 2, 5, 8, 9);
        assertThat(new ResourceLimits(null, null).cores()).isEmpty();
        assertThat(ResourceLimits.of(ProcessHandle.current().pid()).cores()).isNotEmpty();
    }

    private ResourceLimits limits() {
        return ResourceLimits.of(new HostFiles(root), "self");
    }

    @Test
    void aJvmIsToldByItsCommandLine() throws IOException {
        String[] words = {
            "/jdk/bin/java", "-Xmx256m", "--add-modules=x", "-cp", "/a:/b", "Main", "-v"
        };
        file("proc/99/cmdline", String.join("\0", words) + "\0");
        assertThat(Disclosure.jvmOptions(new HostFiles(root), "99"))
                .containsExactly("-Xmx256m", "--add-modules=x");
        assertThat(Disclosure.jvmOptions(new HostFiles(root), "98")).isNull();
    }

    @Test
    void looksAtThisMachineAndItsLoopback() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            InetSocketAddress address =
                    new InetSocketAddress(server.getInetAddress(), server.getLocalPort());
            Disclosure told = Disclosure.of(address, null);
            assertThat(told.serverOnThisMachine()).isTrue();
            assertThat(Objects.requireNonNull(told.driverLimits()).allowedCores())
                    .isNotNull();
            assertThat(told.driverJvmOptions()).isNotEmpty();
            assertThat(told.serverJvmOptions()).isNull();
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
    void passwordsInOptionsAndCommandsAreMasked() throws IOException {
        file("proc/99/cmdline", "java\0-Djavax.net.ssl.trustStorePassword=s3cret\0-Xmx1g\0Main\0");
        assertThat(Disclosure.jvmOptions(new HostFiles(root), "99"))
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
