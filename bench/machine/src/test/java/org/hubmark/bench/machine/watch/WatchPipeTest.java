package org.hubmark.bench.machine.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.hubmark.bench.machine.Environment;
import org.hubmark.bench.machine.Machine;
import org.hubmark.bench.machine.MachineCounter;
import org.hubmark.bench.machine.MachineCpu;
import org.hubmark.bench.machine.MachineReading;
import org.hubmark.bench.machine.MachineSource;
import org.hubmark.bench.machine.kernel.DiskCounter;
import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.hubmark.core.UserError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Proves that a watch over a pipe tells what this machine tells of itself, that its process ends with the
 * pipe, and that each way in which this fails is said in a line.
 */
@Timeout(120)
class WatchPipeTest {
    @TempDir
    Path folder;

    /** {@return a command of the shell that is a watch} */
    private static String watch(String... arguments) {
        return Stream.concat(
                        Stream.of(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-XX:+UseSerialGC",
                                "-cp",
                                System.getProperty("java.class.path"),
                                StdioWatch.class.getName()),
                        Arrays.stream(arguments))
                .map(word -> "'" + word + "'")
                .collect(Collectors.joining(" "));
    }

    @Test
    void aWatchTellsWhatFilesHereTell() throws IOException {
        VolumeDisclosure volume = VolumeDisclosure.of("log", folder);
        assumeTrue(volume.device() != null, "the temporary folder is on no block device");
        String command = watch("volume", folder.toString());
        try (RemoteMachine watched = WatchProcess.start(command)) {
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
            assertThat(Objects.requireNonNull(to.cpu()).totalTicks()).isPositive();
            assertThat(to.cycles()).isNotNull();
            assertThat(Objects.requireNonNull(to.disks().get(volume.device()))
                            .get(DiskCounter.WRITES))
                    .isPositive();
            assertThat(to.get(MachineCounter.SERVER_NS)).isNull();
            assertThat(to.get(MachineCounter.READER_NS)).isNotNull();
            TargetWatch account = watched.account();
            assertThat(account.command()).isEqualTo(command);
            assertThat(account.counts()).isEqualTo("machine");
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
        try (RemoteMachine watched = WatchProcess.start(watch("processes", name))) {
            MachineReading reading = watched.read();
            assertThat(reading.get(MachineCounter.SERVER_NS)).isNotNull();
            assertThat(reading.get(MachineCounter.AVAILABLE_BYTES)).isPositive();
            assertThat(watched.account().counts()).isEqualTo("process");
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "exit 7|it ended with exit code 7 before a line of counters came",
                "no-such-hubmark watch --stdio|ended with exit code 127 ",
                "echo no route to mx1|it ended with exit code 0 before a line of counters came; the last line was: no route to mx1",
                "echo '{\"watch\":9,\"hubmark\":\"7.5\"}'; cat|it is hubmark 7.5, which writes version 9 of the counters, and this driver reads version 7; run the same hubmark on both machines",
                "while echo y; do :; done|it writes something other than counters; the last line was: y; the command must run hubmark watch --stdio",
                "echo '{\"watch\":7, \"machine\": 5}'; cat|it writes no such line: ",
            })
    void whatIsNoWatchIsRefusedInALine(String command, String said) {
        assertThatThrownBy(() -> WatchProcess.start(command))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith("--target-watch '" + command + "': ")
                .hasMessageContaining(said);
    }

    /** What a shell's profile prints before is skipped, a line without an end too. */
    @Test
    void aGreetingIsNoLineOfCounters() throws IOException {
        try (RemoteMachine watched = WatchProcess.start(
                "echo welcome; echo; echo '{}'; printf 'you have mail'; exec " + watch())) {
            assertThat(watched.read().cpu()).isNotNull();
        }
    }

    /** The third line is the second reading of the counters. */
    @Test
    void wordsAmongTheLinesLoseTheMachine() throws IOException {
        try (RemoteMachine watched =
                WatchProcess.start(watch() + " | sed -u '3s/.*/you have mail/'")) {
            assertThat(watched.read()).isEqualTo(MachineReading.UNKNOWN);
            assertThat(watched.lost())
                    .startsWith("the watch no longer answers (it writes no such line");
            assertThat(watched.read()).isEqualTo(MachineReading.UNKNOWN);
        }
    }

    @Test
    void whoAnswersLateIsLost() {
        String command = watch() + " | { head -n 1; sleep 20; }";
        assertThatThrownBy(() -> WatchProcess.start(command, Duration.ofMillis(200)))
                .isInstanceOf(UserError.class)
                .hasMessageEndingWith("it took longer than 0.2 s");
    }

    /** Nothing but the end of its input tells the watch, even one that runs behind another command. */
    @Test
    void theWatchEndsWithThePipe() throws Exception {
        Path file = folder.resolve("pid");
        ProcessHandle process;
        try (RemoteMachine watched = WatchProcess.start(
                "exec 3<&0; " + watch() + " <&3 & echo $! >'" + file + "'; exec 3<&- <&-; wait")) {
            assertThat(watched.read().cpu()).isNotNull();
            process = ProcessHandle.of(Long.parseLong(Files.readString(file).strip()))
                    .orElseThrow();
        }
        assertThat(process.onExit().get(60, TimeUnit.SECONDS).isAlive()).isFalse();
    }

    /** Of a machine that was restarted too: its counters begin anew, and no difference means anything. */
    @Test
    void whatIsLostStaysLost() throws IOException {
        Steps steps = new Steps();
        try (RemoteMachine watched = steps.watched()) {
            assertThat(watched.read().cpu()).isNotNull();
            steps.broken = true;
            assertThat(watched.read()).isEqualTo(MachineReading.UNKNOWN);
            assertThat(watched.lost()).contains("no longer answers", "the disk is gone");
            steps.broken = false;
            assertThat(watched.read()).isEqualTo(MachineReading.UNKNOWN);
            assertThat(watched.account().lost()).isEqualTo(watched.lost());
        }
        try (RemoteMachine watched = steps.watched()) {
            steps.step = -10;
            assertThat(watched.read()).isEqualTo(MachineReading.UNKNOWN);
            assertThat(watched.lost()).contains("restarted");
        }
    }

    /** A machine on which a second passes with each look. */
    private static final class Steps implements MachineSource {
        private long step;
        private boolean broken;

        private RemoteMachine watched() throws IOException {
            return RemoteMachine.of(
                    this,
                    "test",
                    new WatchReading(
                            WatchReading.VERSION,
                            "test",
                            true,
                            MachineReading.UNKNOWN,
                            Machine.inspect(List.of())));
        }

        @Override
        public MachineReading read() throws IOException {
            if (broken) {
                throw new IOException("the disk is gone");
            }
            step++;
            return new MachineReading(
                    step * 1_000_000_000,
                    new MachineCpu(step, 2 * step, 0, Map.of(0, step)),
                    2,
                    Map.of(MachineCounter.SERVER_NS, step, MachineCounter.READER_NS, step),
                    Map.of(),
                    null,
                    Map.of());
        }
    }
}
