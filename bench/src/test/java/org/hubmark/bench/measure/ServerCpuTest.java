package org.hubmark.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hubmark.bench.UserError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Proves, on a made-up /proc, whose CPU time counts for a server of many processes. */
class ServerCpuTest {
    private static final long TICK = ProcessCpu.TICK_NANOS;

    @TempDir
    Path proc;

    @Test
    void countsNamedProcessesAndWhatDescendsFromThem() throws IOException {
        process(10, "master", 1, 5, 0);
        process(11, "smtpd", 10, 7, 0);
        process(12, "cleanup", 11, 2, 0);
        process(20, "other", 1, 100, 50);
        assertThat(NamedProcesses.in(proc, "master").nanos()).isEqualTo((5 + 7 + 2) * TICK);
        assertThat(NamedProcesses.in(proc, "smtpd").nanos()).isEqualTo((7 + 2) * TICK);
    }

    @Test
    void whatHasEndedStaysCounted() throws IOException {
        process(10, "master", 1, 5, 0);
        process(11, "smtpd", 10, 7, 0);
        NamedProcesses cpu = NamedProcesses.in(proc, "master");
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

    @Test
    void knowsAProgramByItsFileToo() throws IOException {
        process(10, "name-of-a-thread", 1, 5, 0);
        Files.writeString(proc.resolve("10/cmdline"), "/usr/lib/postfix/sbin/smtpd\0-n\0");
        assertThat(NamedProcesses.in(proc, "smtpd").nanos()).isEqualTo(5 * TICK);
        assertThatThrownBy(() -> NamedProcesses.named(List.of("no-such-program-runs")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("no such process runs");
    }

    @Test
    void readsAControlGroup() throws IOException {
        Files.writeString(proc.resolve("cpu.stat"), "usage_usec 1500\nuser_usec 1000\n");
        assertThat(ControlGroup.at(proc.toString()).nanos()).isEqualTo(1_500_000);
        assertThatThrownBy(() -> ControlGroup.at("/no-such-group"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("not a control group");
    }

    private void process(long id, String name, long parent, long own, long waited)
            throws IOException {
        process(id, name, parent, own, waited, 1);
    }

    private void process(long id, String name, long parent, long own, long waited, long started)
            throws IOException {
        Path folder = Files.createDirectories(proc.resolve(Long.toString(id)));
        Files.writeString(
                folder.resolve("stat"),
                id + " (" + name + ") S " + parent + " 0 0 0 0 0 0 0 0 0 " + own + " 0 " + waited
                        + " 0 20 0 1 0 " + started + " 0\n");
        Files.writeString(folder.resolve("cmdline"), name + "\0");
    }

    private void end(long id) throws IOException {
        Path folder = proc.resolve(Long.toString(id));
        Files.delete(folder.resolve("stat"));
        Files.delete(folder.resolve("cmdline"));
        Files.delete(folder);
    }
}
