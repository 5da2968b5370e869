package org.hubmark.bench.machine;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.machine.kernel.HostFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Proves, on recorded files and in a JVM that may use one core, that the machine's cores are those
 * that the kernel counts CPU time over, whatever this process may use.
 */
@Timeout(60)
class MachineTest {
    @TempDir
    Path root;

    /** Started by a test, in a JVM of its own. */
    static final class Cores {
        private Cores() {}

        public static void main(String[] arguments) {
            Environment machine = Machine.inspect(List.of());
            System.out.println(machine.processor().logicalCores() + " "
                    + machine.processor().usableCores());
        }
    }

    @Test
    void coresAreTheMachinesWhateverAProcessMayUse() throws IOException {
        RecordedFiles.write(
                root,
                "proc/stat",
                "cpu  9 9 9 9 0 0 0 0\n"
                        + IntStream.range(0, 4096)
                                .mapToObj(core -> "cpu" + core + " 1 1 1 1 0 0 0 0\n")
                                .collect(Collectors.joining())
                        + "intr 0\n");
        RecordedFiles.write(root, "proc/cpuinfo", "processor\t: 0\nmodel name\t: A CPU\n");
        Environment machine = Machine.inspect(new HostFiles(root), List.of());
        assertThat(machine.processor().logicalCores()).isEqualTo(4096);
        assertThat(machine.processor().usableCores())
                .isEqualTo(Runtime.getRuntime().availableProcessors());
        assertThat(machine.processor().cpuModel()).isEqualTo("A CPU");
    }

    @Test
    void aMachineIsToldFromOneOfTheSameImage() throws IOException {
        RecordedFiles.write(root, "etc/machine-id", "0123456789abcdef0123456789abcdef\n");
        RecordedFiles.write(root, "proc/sys/kernel/hostname", "one\n");
        String one = Machine.id(new HostFiles(root));
        assertThat(one).matches("[0-9a-f]{16}").doesNotContain("0123456789abcdef");
        assertThat(Machine.id(new HostFiles(root))).isEqualTo(one);
        RecordedFiles.write(root, "proc/sys/kernel/hostname", "two\n");
        assertThat(Machine.id(new HostFiles(root))).isNotEqualTo(one);
    }

    @Test
    void aJvmThatMayUseOneCoreStillCountsAll() throws Exception {
        int online = MachineCpu.of(HostFiles.HERE).coreTicks().size();
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:ActiveProcessorCount=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Cores.class.getName())
                .redirectErrorStream(true)
                .start();
        String said = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(child.waitFor()).as(said).isZero();
        assertThat(said.lines()).contains(online + " 1");
    }
}
