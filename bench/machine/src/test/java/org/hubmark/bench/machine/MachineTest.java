package org.hubmark.bench.machine;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.machine.devices.VolumeStack;
import org.hubmark.bench.machine.kernel.HostFiles;
import org.hubmark.bench.machine.volumes.VolumeDisclosure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * Proves that this machine is read, told from others, and in a JVM that may use one core, that its cores are
 * those that the kernel counts CPU time over.
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
    void aMachineIsToldFromOneOfTheSameImage() throws IOException {
        RecordedFiles.add(root, """
                etc/machine-id = 0123456789abcdef0123456789abcdef
                proc/sys/kernel/hostname = one
                """);
        String one = Machine.id(new HostFiles(root));
        assertThat(one).matches("[0-9a-f]{16}").doesNotContain("0123456789abcdef");
        assertThat(Machine.id(new HostFiles(root))).isEqualTo(one);
        RecordedFiles.add(root, "proc/sys/kernel/hostname = two");
        assertThat(Machine.id(new HostFiles(root))).isNotEqualTo(one);
    }

    @Test
    void thisMachineIsRead() throws IOException {
        VolumeDisclosure volume = VolumeDisclosure.of("log", root);
        assertThat(volume.filesystem()).isNotNull();
        assertThat(volume.freeBytes()).isPositive();
        Environment machine = Machine.inspect(List.of(volume));
        assertThat(machine.processor().logicalCores()).isPositive();
        assertThat(machine.memoryBytes()).isPositive();
        assertThat(MachineCpu.of(HostFiles.HERE).totalTicks()).isPositive();
        assertThat(SystemCounters.of(HostFiles.HERE).get(MachineCounter.AVAILABLE_BYTES))
                .isPositive();
        assertThat(ProcessCpu.nanos(ProcessHandle.current().pid())).isPositive();
        assertThat(ProcessCpu.nanos(Integer.MAX_VALUE)).isNull();
        VolumeStack here = VolumeStack.of(root);
        assertThat(here.mount()).isNotNull();
        assertThat(here.unknown() == null || here.media().isEmpty()).isTrue();
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
