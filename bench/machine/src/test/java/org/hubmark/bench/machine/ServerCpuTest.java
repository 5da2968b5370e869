package org.hubmark.bench.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.hubmark.bench.machine.kernel.HostFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Proves whose CPU time counts for a server of many processes, with a shell that tells itself what its children
 * have used.
 */
class ServerCpuTest {
    @TempDir
    Path root;

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
                    .isCloseTo(spent, within(8 * ProcessCpu.TICK_NANOS / 1e9));
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
    void aControlGroupTellsItsTime() throws IOException {
        Files.writeString(root.resolve("cpu.stat"), "usage_usec 1500\nuser_usec 1000\n");
        assertThat(ControlGroup.named(root.toString(), HostFiles.HERE, "--cgroup")
                        .nanos())
                .isEqualTo(1_500_000);
    }
}
