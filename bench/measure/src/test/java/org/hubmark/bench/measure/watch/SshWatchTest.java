package org.hubmark.bench.measure.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.assertj.core.api.AbstractThrowableAssert;
import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.machine.Machine;
import org.hubmark.bench.machine.MachineReading;
import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.hubmark.bench.machine.volumes.Volumes;
import org.hubmark.core.UserError;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Proves that a watch over a pipe tells what this machine tells of itself, that its process ends with the
 * pipe, and that each way in which this fails is said in a line: by a process in place of ssh's, and through
 * a real sshd where there is one.
 */
@Timeout(120)
class SshWatchTest {
    private static final Path SSHD = Path.of("/usr/sbin/sshd");

    @TempDir
    Path folder;

    /** {@return the words of a command that is a watch} */
    private static List<String> watch(String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                StdioWatch.class.getName()));
        command.addAll(List.of(arguments));
        return command;
    }

    /** {@return a script of the shell in place of ssh, in which $WATCH is a watch} */
    private static List<String> shell(String script) {
        return List.of("sh", "-c", script.replace("$WATCH", SshWatch.line(watch())));
    }

    /** A machine that says nothing more once it is ready, and then ends. */
    private static List<String> saying(String answer) {
        return shell("echo '" + WatchServer.READY + "'; read -r asked; "
                + SshWatch.line(List.of("echo", answer)));
    }

    private static AbstractThrowableAssert<?, ?> failure(List<String> command) {
        return assertThatThrownBy(() -> SshWatch.start("test", command))
                .isInstanceOf(UserError.class);
    }

    @Test
    void aWatchTellsWhatFilesHereTell() throws IOException {
        VolumeDisclosure volume = Volumes.inspect("log", folder);
        assumeTrue(volume.device() != null, "the temporary folder is on no block device");
        try (WatchedMachine watched = SshWatch.start("test", watch("volume", folder.toString()))) {
            Environment here = Machine.inspect(List.of());
            Environment there = watched.environment();
            assertThat(there.processor().cpuModel()).isEqualTo(here.processor().cpuModel());
            assertThat(there.processor().logicalCores())
                    .isEqualTo(here.processor().logicalCores());
            assertThat(there.memoryBytes()).isEqualTo(here.memoryBytes());
            assertThat(there.software().os()).isEqualTo(here.software().os());
            assertThat(there.software().kernel()).isEqualTo(here.software().kernel());
            assertThat(there.disclosure()).isNotNull();
            VolumeDisclosure seen = there.volumes().getFirst();
            assertThat(seen.device()).isEqualTo(volume.device());
            assertThat(seen.filesystem()).isEqualTo(volume.filesystem());
            assertThat(seen.disk().writeCache()).isEqualTo(volume.disk().writeCache());
            assertThat(seen.disk().rotational()).isEqualTo(volume.disk().rotational());
            assertThat(seen.disk().scheduler()).isEqualTo(volume.disk().scheduler());
            MachineReading from = watched.read();
            MachineReading to = watched.read();
            assertThat(to.monotonicNanos()).isGreaterThan(from.monotonicNanos());
            assertThat(to.realMillis())
                    .isBetween(
                            System.currentTimeMillis() - 60_000,
                            System.currentTimeMillis() + 60_000);
            assertThat(Objects.requireNonNull(to.cpu()).totalTicks()).isPositive();
            assertThat(to.cycles()).isNotNull();
            assertThat(Objects.requireNonNull(to.disks().get(volume.device())).writes())
                    .isPositive();
            assertThat(to.processes().serverCpuNanos()).isNull();
            assertThat(to.processes().readerCpuNanos()).isNotNull();
            assertThat(watched.account().source()).isEqualTo("ssh");
            assertThat(watched.account().counts()).isEqualTo("machine");
        }
    }

    /** By the file of the program too, of which the kernel keeps no more than 15 characters. */
    @Test
    void countsTheProcessesOfAServer() throws Exception {
        Path sleep = Path.of("/usr/bin/sleep");
        assumeTrue(Files.isExecutable(sleep), "no " + sleep);
        String name = "a-server-with-a-long-name-" + ProcessHandle.current().pid();
        Path program = folder.resolve(name);
        Files.copy(sleep, program);
        assertThat(program.toFile().setExecutable(true)).isTrue();
        Process process = new ProcessBuilder(program.toString(), "600").start();
        try (WatchedMachine watched = SshWatch.start("test", watch("processes", name))) {
            MachineReading reading = watched.readAll();
            assertThat(reading.processes().serverCpuNanos()).isNotNull();
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
    void whatIsWrongThereIsSaid() {
        failure(shell("echo 'hubmark: --processes x: no such process runs' >&2; exit 2"))
                .hasMessage("--target-host ssh:test: hubmark there says: --processes x: no such"
                        + " process runs")
                .extracting(error -> ((UserError) error).exitCode())
                .isEqualTo(2);
        failure(shell("no-such-hubmark watch --stdio"))
                .hasMessageContaining("--target-host ssh:test: no hubmark can be run there (")
                .hasMessageContaining("no-such-hubmark")
                .hasMessageEndingWith("or name its file: ssh:HOST/FILE");
        failure(shell("echo a banner >&2; echo 'no route' >&2; exit 255"))
                .hasMessage("--target-host ssh:test: ssh says: no route");
        failure(shell("exit 1")).hasMessageEndingWith("hubmark there says: exit code 1");
        failure(List.of(folder.resolve("no-such-program").toString()))
                .hasMessageContaining("--target-host ssh:test: ssh can't be run here (");
    }

    @Test
    void anotherVersionIsNamed() {
        failure(shell("echo \"hubmark: unknown option '--stdio'\" >&2; exit 2"))
                .hasMessageEndingWith(
                        "unknown option '--stdio'; run the same hubmark on both machines");
        failure(saying("{\"watch\": 9, \"hubmark\": \"7.5\"}"))
                .hasMessageStartingWith(
                        "--target-host ssh:test is hubmark 7.5, which speaks version"
                                + " 9 of the watch's form, and this driver version "
                                + WatchReading.VERSION);
    }

    @Test
    void whatIsNoAnswerIsCalledThat() {
        for (String answer : List.of("Last login: today", "[]", "null", "{}", "")) {
            failure(saying(answer))
                    .hasMessageMatching(
                            "--target-host ssh:test(: it sends nothing|: it sends no such answer:"
                                    + " .+| is not a hubmark watch)");
        }
        failure(saying("{\"error\": \"the counters can't be read\"}"))
                .hasMessage("--target-host ssh:test: the counters can't be read");
    }

    /** What a shell's profile prints before is skipped, a line without an end too. */
    @Test
    void aGreetingIsNoAnswer() throws IOException {
        try (WatchedMachine watched = SshWatch.start(
                "test", shell("echo welcome; echo; printf 'you have mail'; exec $WATCH"))) {
            assertThat(watched.read().cpu()).isNotNull();
        }
    }

    /** The fourth line is the second reading of the counters. */
    @Test
    void wordsAmongTheAnswersLoseTheMachine() throws IOException {
        try (WatchedMachine watched =
                SshWatch.start("test", shell("$WATCH | sed -u '4s/.*/you have mail/'"))) {
            assertThat(watched.read()).isEqualTo(MachineReading.UNKNOWN);
            assertThat(watched.lost())
                    .startsWith("the watch at test no longer answers (it sends no such answer");
            assertThat(watched.read()).isEqualTo(MachineReading.UNKNOWN);
        }
    }

    @Test
    void whoAnswersLateIsLost() {
        assertThatThrownBy(() -> SshWatch.start(
                        "test",
                        shell("echo '" + WatchServer.READY + "'; echo a warning >&2; cat >&2"),
                        Duration.ofMillis(200)))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith("--target-host ssh:test: no answer in 0.2 s")
                .hasMessageContaining("; the last that it said is: ");
    }

    @Test
    void aConnectionThatBreaksIsLost() throws IOException {
        try (WatchedMachine watched = SshWatch.start("test", watch())) {
            assertThat(watched.read().cpu()).isNotNull();
            watched.close();
            assertThat(watched.read()).isEqualTo(MachineReading.UNKNOWN);
            assertThat(watched.lost()).contains("the watch at test no longer answers");
        }
    }

    /** The shell that stands for ssh is killed; nothing but its end of the pipe tells the watch. */
    @Test
    void theWatchEndsWithThePipe() throws Exception {
        Path file = folder.resolve("pid");
        ProcessHandle process;
        try (WatchedMachine watched = SshWatch.start(
                "test",
                shell("exec 3<&0; $WATCH <&3 & echo $! >'" + file + "'; exec 3<&- <&-; wait"))) {
            assertThat(watched.read().cpu()).isNotNull();
            process = ProcessHandle.of(Long.parseLong(Files.readString(file).strip()))
                    .orElseThrow();
        }
        assertThat(process.onExit().get(60, TimeUnit.SECONDS).isAlive()).isFalse();
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
        assertThatThrownBy(() -> SshWatch.command(destination, List.of()))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("is not a destination: ssh:[USER@]HOST[:PORT][/FILE]");
    }

    @Test
    void aDestinationHasAUserAPortAndAFile() {
        assertThat(SshWatch.command("mail@mx1.example.org:2222", List.of("--processes=a,b")))
                .containsSubsequence("-p", "2222", "--", "mail@mx1.example.org")
                .endsWith("hubmark watch --stdio --processes=a,b");
        assertThat(SshWatch.command("[2001:db8::1]:22/opt/it's/hubmark", List.of()))
                .containsSubsequence("-p", "22", "--", "2001:db8::1")
                .endsWith("'/opt/it'\\''s/hubmark' watch --stdio");
        assertThat(SshWatch.command("mx1", List.of("--volume=log=/a $(b)")))
                .endsWith("--", "mx1", "hubmark watch --stdio '--volume=log=/a $(b)'");
    }

    @Test
    void readsThroughARealSshd() throws Exception {
        assumeTrue(Files.isExecutable(SSHD), "no sshd: apt-get install openssh-server");
        try (TestSshd sshd = TestSshd.start(folder)) {
            String watch = SshWatch.line(watch());
            failure(sshd.command("unknown_hosts", watch))
                    .hasMessageContaining("ssh says: Host key verification failed");
            failure(sshd.command("known_hosts", "no-such-hubmark"))
                    .hasMessageContaining("no hubmark can be run there");
            try (WatchedMachine watched =
                    SshWatch.start("test", sshd.command("known_hosts", watch))) {
                assertThat(watched.environment().software().kernel())
                        .isEqualTo(Machine.inspect(List.of()).software().kernel());
                assertThat(watched.read().cpu()).isNotNull();
                Files.writeString(folder.resolve("authorized_keys"), "");
                failure(sshd.command("known_hosts", watch))
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

        /** {@return as SshWatch calls ssh, with no configuration of the user's} */
        List<String> command(String knownHosts, String remote) {
            return List.of(
                    "ssh",
                    "-F",
                    "/dev/null",
                    "-T",
                    "-o",
                    "BatchMode=yes",
                    "-o",
                    "UserKnownHostsFile=" + folder.resolve(knownHosts),
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
                    remote);
        }

        @Override
        public void close() throws Exception {
            process.destroy();
            process.waitFor();
        }
    }
}
