package org.hubmark.bench.measure.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.machine.Machine;
import org.hubmark.bench.machine.MachineReading;
import org.hubmark.bench.machine.volumes.Volume;
import org.hubmark.bench.machine.volumes.Volumes;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Proves that a machine which only has a shell is read as this one is: with a shell of this machine in
 * place of ssh's, and through a real sshd where there is one.
 */
@Timeout(120)
class SshMachineTest {
    private static final SshMachine.Wanted NOTHING = new SshMachine.Wanted(List.of(), null, null);
    private static final List<String> SHELL = List.of("sh");
    private static final Path SSHD = Path.of("/usr/sbin/sshd");

    @TempDir
    Path folder;

    @Test
    void aShellTellsWhatFilesHereTell() throws IOException {
        Volume volume = Volumes.inspect("log", folder);
        assumeTrue(volume.device() != null, "the temporary folder is on no block device");
        try (WatchedMachine watched = SshMachine.open(
                "test", SHELL, new SshMachine.Wanted(List.of(), null, folder.toString()))) {
            Environment here = Machine.inspect(List.of());
            Environment there = watched.environment();
            assertThat(there.cpuModel()).isEqualTo(here.cpuModel());
            assertThat(there.logicalCores()).isEqualTo(here.logicalCores());
            assertThat(there.memoryBytes()).isEqualTo(here.memoryBytes());
            assertThat(there.os()).isEqualTo(here.os());
            assertThat(there.kernel()).isEqualTo(here.kernel());
            assertThat(Objects.requireNonNull(there.disclosure()).processor().mitigations())
                    .isNotEmpty();
            Volume seen = there.volumes().getFirst();
            assertThat(seen.device()).isEqualTo(volume.device());
            assertThat(seen.filesystem()).isEqualTo(volume.filesystem());
            assertThat(seen.writeCache()).isEqualTo(volume.writeCache());
            assertThat(seen.rotational()).isEqualTo(volume.rotational());
            assertThat(seen.scheduler()).isEqualTo(volume.scheduler());
            MachineReading from = watched.read();
            MachineReading to = watched.read();
            assertThat(to.monotonicNanos()).isGreaterThanOrEqualTo(from.monotonicNanos());
            assertThat(to.realMillis())
                    .isBetween(
                            System.currentTimeMillis() - 60_000,
                            System.currentTimeMillis() + 60_000);
            assertThat(Objects.requireNonNull(to.cpu()).totalTicks()).isPositive();
            assertThat(to.cycles()).isNotNull();
            assertThat(Objects.requireNonNull(to.disks().get(volume.device())).writes())
                    .isPositive();
            assertThat(to.serverCpuNanos()).isNull();
            assertThat(to.readerCpuNanos()).isNotNull();
            assertThat(watched.account().counts()).isEqualTo("machine");
        }
    }

    /** By the file of the program too, of which the kernel keeps no more than 15 characters. */
    @Test
    void countsTheProcessesOfAServer() throws Exception {
        Path sleep = Path.of("/usr/bin/sleep");
        assumeTrue(Files.isExecutable(sleep), "no " + sleep);
        Path program = folder.resolve(
                "a-server-with-a-long-name-" + ProcessHandle.current().pid());
        Files.copy(sleep, program);
        assertThat(program.toFile().setExecutable(true)).isTrue();
        Process process = new ProcessBuilder(program.toString(), "600").start();
        try (WatchedMachine watched = SshMachine.open(
                "test",
                SHELL,
                new SshMachine.Wanted(List.of(program.getFileName().toString()), null, null))) {
            MachineReading reading = watched.readAll();
            assertThat(reading.serverCpuNanos()).isNotNull();
            assertThat(reading.io()).isNotNull();
            assertThat(Objects.requireNonNull(reading.system()).availableBytes())
                    .isPositive();
            assertThat(watched.read().io()).isNull();
            assertThat(watched.account().counts()).isEqualTo("process");
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    @Test
    void whatIsNotThereIsSaid() {
        assertThatThrownBy(() -> SshMachine.open(
                        "test",
                        SHELL,
                        new SshMachine.Wanted(List.of("no-such-program-runs"), null, null)))
                .isInstanceOf(UserError.class)
                .hasMessage("--target-processes no-such-program-runs: no such process runs");
        assertThatThrownBy(() -> SshMachine.open(
                        "test", SHELL, new SshMachine.Wanted(List.of(), "no/such/group", null)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("not a control group");
        assertThatThrownBy(() -> SshMachine.open(
                        "test", SHELL, new SshMachine.Wanted(List.of(), null, "/no/such/folder")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--target-volume /no/such/folder is not a folder there");
        assertThatThrownBy(() -> SshMachine.open(
                        "test", SHELL, new SshMachine.Wanted(List.of(), null, "/proc")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("has no block device there");
    }

    @Test
    void whatSshComplainsOfIsSaid() {
        assertThatThrownBy(() -> SshMachine.open(
                        "test",
                        List.of("sh", "-c", "echo a banner >&2; echo 'no route' >&2; exit 255"),
                        NOTHING))
                .isInstanceOf(UserError.class)
                .hasMessage("--target-host ssh:test: ssh says: no route");
        assertThatThrownBy(() -> SshMachine.open(
                        "test", List.of(folder.resolve("no-such-program").toString()), NOTHING))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--target-host ssh:test: ssh says: ");
    }

    @Test
    void aConnectionThatBreaksIsLost() throws IOException {
        // A greeting before the shell is ready is no answer.
        List<String> command = List.of("sh", "-c", "echo welcome; exec sh");
        try (WatchedMachine watched = SshMachine.open("test", command, NOTHING)) {
            assertThat(watched.read().cpu()).isNotNull();
            watched.close();
            assertThat(watched.read()).isEqualTo(MachineReading.UNKNOWN);
            assertThat(watched.lost()).contains("the ssh at test no longer answers");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-oProxyCommand=evil",
                "host;evil",
                "host evil",
                "user@-host",
                "",
                "host:",
                "host:123456",
                "$(evil)"
            })
    void aDestinationIsNoOptionAndNoCommand(String destination) {
        assertThatThrownBy(() -> SshMachine.command(destination))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("is no destination: ssh:[USER@]HOST[:PORT]");
    }

    @Test
    void aDestinationHasAUserAndAPort() {
        assertThat(SshMachine.command("mail@mx1.example.org:2222"))
                .containsSubsequence("-p", "2222", "--", "mail@mx1.example.org", "sh");
        assertThat(SshMachine.command("[2001:db8::1]:22"))
                .containsSubsequence("-p", "22", "--", "2001:db8::1", "sh");
        assertThat(SshMachine.command("mx1")).endsWith("--", "mx1", "sh");
    }

    @Test
    void readsThroughARealSshd() throws Exception {
        assumeTrue(Files.isExecutable(SSHD), "no sshd: apt-get install openssh-server");
        try (TestSshd sshd = TestSshd.start(folder)) {
            assertThatThrownBy(
                            () -> SshMachine.open("test", sshd.command("unknown_hosts"), NOTHING))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("Host key verification failed");
            try (WatchedMachine watched =
                    SshMachine.open("test", sshd.command("known_hosts"), NOTHING)) {
                assertThat(watched.environment().kernel())
                        .isEqualTo(Machine.inspect(List.of()).kernel());
                assertThat(watched.read().cpu()).isNotNull();
                Files.writeString(folder.resolve("authorized_keys"), "");
                assertThatThrownBy(
                                () -> SshMachine.open("test", sshd.command("known_hosts"), NOTHING))
                        .isInstanceOf(UserError.class)
                        .hasMessageContaining("Permission denied");
                // The connection that is open needs no key any more.
                assertThat(watched.read().cpu()).isNotNull();
            }
        }
    }

    /** A daemon on loopback with keys of its own, that lets in who runs this test. */
    private record TestSshd(Path folder, int port, Process process) implements AutoCloseable {
        static TestSshd start(Path folder) throws Exception {
            keygen(folder.resolve("host_key"));
            keygen(folder.resolve("user_key"));
            Files.copy(folder.resolve("user_key.pub"), folder.resolve("authorized_keys"));
            int port;
            try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                port = socket.getLocalPort();
            }
            Files.writeString(
                    folder.resolve("known_hosts"),
                    "[127.0.0.1]:" + port + " " + Files.readString(folder.resolve("host_key.pub")));
            // It wants this folder, to give up its rights in.
            if ("root".equals(System.getProperty("user.name"))) {
                Files.createDirectories(Path.of("/run/sshd"));
            }
            Process process = new ProcessBuilder(
                            SSHD.toString(),
                            "-D",
                            "-e",
                            "-f",
                            "/dev/null",
                            "-p",
                            String.valueOf(port),
                            "-o",
                            "ListenAddress=127.0.0.1",
                            "-o",
                            "HostKey=" + folder.resolve("host_key"),
                            "-o",
                            "AuthorizedKeysFile=" + folder.resolve("authorized_keys"),
                            "-o",
                            "PasswordAuthentication=no",
                            "-o",
                            "KbdInteractiveAuthentication=no",
                            "-o",
                            "StrictModes=no",
                            "-o",
                            "PidFile=none",
                            "-o",
                            "UsePAM=no",
                            "-o",
                            "PermitRootLogin=prohibit-password")
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("sshd.log").toFile())
                    .start();
            TestSshd sshd = new TestSshd(folder, port, process);
            for (int i = 0; i < 200 && !sshd.listens(); i++) {
                if (process.waitFor(50, TimeUnit.MILLISECONDS)) {
                    throw new IOException(Files.readString(folder.resolve("sshd.log")));
                }
            }
            return sshd;
        }

        private static void keygen(Path file) throws Exception {
            Process made = new ProcessBuilder(
                            "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", file.toString())
                    .inheritIO()
                    .start();
            assertThat(made.waitFor()).isZero();
        }

        private boolean listens() {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
                return true;
            } catch (IOException e) {
                return false;
            }
        }

        /** {@return as SshMachine calls ssh, with no configuration of the user's} */
        List<String> command(@Nullable String knownHosts) {
            return List.of(
                    "ssh",
                    "-F",
                    "/dev/null",
                    "-T",
                    "-o",
                    "BatchMode=yes",
                    "-o",
                    "UserKnownHostsFile=" + folder.resolve(String.valueOf(knownHosts)),
                    "-o",
                    "GlobalKnownHostsFile=/dev/null",
                    "-o",
                    "IdentitiesOnly=yes",
                    "-i",
                    folder.resolve("user_key").toString(),
                    "-p",
                    String.valueOf(port),
                    "--",
                    System.getProperty("user.name") + "@127.0.0.1",
                    "sh");
        }

        @Override
        public void close() throws Exception {
            process.destroy();
            process.waitFor();
        }
    }
}
