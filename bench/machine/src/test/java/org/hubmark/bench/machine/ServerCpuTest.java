package org.hubmark.bench.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.hubmark.bench.machine.kernel.HostFiles;
import org.hubmark.core.UserError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * Proves whose CPU time counts for a server of many processes: on a made-up /proc, and with a shell
 * that tells itself what its children have used.
 */
class ServerCpuTest {
    private static final long TICK = ProcessCpu.TICK_NANOS;

    @TempDir
    Path root;

    @Test
    void countsNamedProcessesAndWhatDescendsFromThem() throws IOException {
        process(10, "master", 1, 5, 0);
        process(11, "smtpd", 10, 7, 0);
        process(12, "cleanup", 11, 2, 0);
        process(20, "other", 1, 100, 50);
        assertThat(new ProcessFamily(new HostFiles(root), Set.of("master")).nanos())
                .isEqualTo((5 + 7 + 2) * TICK);
        assertThat(new ProcessFamily(new HostFiles(root), Set.of("smtpd")).nanos())
                .isEqualTo((7 + 2) * TICK);
    }

    @Test
    void whatHasEndedStaysCounted() throws IOException {
        process(10, "master", 1, 5, 0);
        process(11, "smtpd", 10, 7, 0);
        ProcessFamily cpu = new ProcessFamily(new HostFiles(root), Set.of("master"));
        assertThat(cpu.nanos()).isEqualTo(12 * TICK);
        // It ran on to 9 ticks, ended, and its parent waited for it.
        end(11);
        process(10, "master", 1, 6, 9);
        assertThat(cpu.nanos()).isEqualTo((6 + 9) * TICK);
        // A number that is used again belongs to somebody else.
        process(11, "stranger", 1, 1000, 0, 99);
        assertThat(cpu.nanos()).isEqualTo((6 + 9) * TICK);
        // Nobody who is counted waited for the last one: what it had at the last look counts.
        end(10);
        assertThat(cpu.nanos()).isEqualTo((6 + 9) * TICK);
    }

    /** With SIGCHLD ignored the kernel gives the time of a child to nobody. */
    @Test
    void whomNobodyWaitsForStaysCounted() throws IOException {
        process(10, "master", 1, 5, 0);
        process(11, "smtpd", 10, 7, 0);
        process(12, "smtpd", 10, 8, 0);
        ProcessFamily cpu = new ProcessFamily(new HostFiles(root), Set.of("master"));
        assertThat(cpu.nanos()).isEqualTo((5 + 7 + 8) * TICK);
        end(11);
        assertThat(cpu.nanos()).isEqualTo((5 + 7 + 8) * TICK);
        assertThat(cpu.nanos()).isEqualTo((5 + 7 + 8) * TICK);
        // Of this one the master's turn was before its end.
        end(12);
        assertThat(cpu.nanos()).isEqualTo((5 + 7 + 8) * TICK);
        process(10, "master", 1, 5, 9);
        assertThat(cpu.nanos()).isEqualTo((5 + 7 + 9) * TICK);
    }

    /** The child's turn was before its end, and the parent's after it had waited. */
    @Test
    void whatEndsDuringALookCountsTwiceForThatLookAlone() throws IOException {
        process(10, "master", 1, 5, 0);
        process(11, "smtpd", 10, 7, 0);
        ProcessFamily cpu = new ProcessFamily(new HostFiles(root), Set.of("master"));
        assertThat(cpu.nanos()).isEqualTo((5 + 7) * TICK);
        process(10, "master", 1, 5, 7);
        assertThat(cpu.nanos()).isEqualTo((5 + 7 + 7) * TICK);
        end(11);
        process(10, "master", 1, 6, 7);
        assertThat(cpu.nanos()).as("no counter falls").isEqualTo((5 + 7 + 7) * TICK);
        process(10, "master", 1, 20, 7);
        assertThat(cpu.nanos()).isEqualTo((20 + 7) * TICK);
    }

    @Test
    void whatWasWaitedForByOneThatHasEndedCountsOnce() throws IOException {
        process(10, "master", 1, 5, 0);
        process(11, "session", 10, 7, 0);
        process(12, "helper", 11, 20, 0);
        ProcessFamily cpu = new ProcessFamily(new HostFiles(root), Set.of("master"));
        assertThat(cpu.nanos()).isEqualTo((5 + 7 + 20) * TICK);
        end(12);
        end(11);
        process(10, "master", 1, 5, 7 + 20);
        assertThat(cpu.nanos()).isEqualTo((5 + 7 + 20) * TICK);
    }

    @Test
    void countsRealChildrenThatEndBetweenTwoLooks() throws Exception {
        // Named so that no other process has the name; the kernel keeps 15 characters.
        Path program = root.resolve("burn" + ProcessHandle.current().pid());
        Files.writeString(program, """
                #!/bin/sh
                # Each child works, has a child of its own that works, and ends.
                work() { i=0; while [ $i -lt 30000 ]; do i=$((i + 1)); done; }
                while read -r rounds; do
                    while [ $rounds -gt 0 ]; do
                        ( work; ( work ); : )
                        rounds=$((rounds - 1))
                    done
                    times
                done
                """);
        assertThat(program.toFile().setExecutable(true)).isTrue();
        Process process = new ProcessBuilder(program.toString()).start();
        try (BufferedReader said = process.inputReader();
                BufferedWriter told = process.outputWriter()) {
            double before = burn(told, said, 1);
            ProcessFamily cpu = ProcessFamily.named(
                    List.of(program.getFileName().toString()), HostFiles.HERE, "--processes");
            long from = cpu.nanos();
            double spent = burn(told, said, 10) - before;
            // A tick is cut off of each of the four accounts of each look.
            assertThat((cpu.nanos() - from) / 1e9)
                    .isGreaterThan(0.1)
                    .isCloseTo(spent, within(8 * TICK / 1e9));
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    /** {@return what it has used by its own account, its children included, in seconds} */
    private static double burn(BufferedWriter told, BufferedReader said, int rounds)
            throws IOException {
        told.write(rounds + "\n");
        told.flush();
        double seconds = 0;
        // Of the shell, then of its children: 0m0.12s of user time, 0m0.01s of system time.
        for (String time : (said.readLine() + " " + said.readLine()).split(" ", -1)) {
            String[] parts = time.split("[ms]", -1);
            seconds += 60 * Double.parseDouble(parts[0]) + Double.parseDouble(parts[1]);
        }
        return seconds;
    }

    @Test
    void knowsAProgramByItsFileToo() throws IOException {
        process(10, "name-of-a-thread", 1, 5, 0);
        Files.writeString(root.resolve("proc/10/cmdline"), "/usr/lib/postfix/sbin/smtpd\0-n\0");
        assertThat(new ProcessFamily(new HostFiles(root), Set.of("smtpd")).nanos())
                .isEqualTo(5 * TICK);
        assertThatThrownBy(() -> ProcessFamily.named(
                        List.of("no-such-program-runs"), HostFiles.HERE, "--processes"))
                .isInstanceOf(UserError.class)
                .hasMessage("--processes no-such-program-runs: no such process runs");
    }

    @Test
    void readsAControlGroup() throws IOException {
        Files.writeString(root.resolve("cpu.stat"), "usage_usec 1500\nuser_usec 1000\n");
        assertThat(ControlGroup.named(root.toString(), HostFiles.HERE, "--cgroup")
                        .nanos())
                .isEqualTo(1_500_000);
        assertThatThrownBy(() -> ControlGroup.named("/no-such-group", HostFiles.HERE, "--cgroup"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("not a control group");
    }

    private void process(long id, String name, long parent, long own, long waited)
            throws IOException {
        process(id, name, parent, own, waited, 1);
    }

    private void process(long id, String name, long parent, long own, long waited, long started)
            throws IOException {
        Path folder = Files.createDirectories(root.resolve("proc/" + id));
        Files.writeString(
                folder.resolve("stat"),
                id + " (" + name + ") S " + parent + " 0 0 0 0 0 0 0 0 0 " + own + " 0 " + waited
                        + " 0 20 0 1 0 " + started + " 0\n");
        Files.writeString(folder.resolve("cmdline"), name + "\0");
    }

    private void end(long id) throws IOException {
        Path folder = root.resolve("proc/" + id);
        Files.delete(folder.resolve("stat"));
        Files.delete(folder.resolve("cmdline"));
        Files.delete(folder);
    }
}
