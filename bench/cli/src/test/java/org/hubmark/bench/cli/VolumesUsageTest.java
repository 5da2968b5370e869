package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.cli.CommandProcess.Ended;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Proves by a table of command lines that volumes answers bad input with one line. */
class VolumesUsageTest {
    @TempDir
    private Path folder;

    @Test
    void refusesWrongUsageInOneLine() throws Exception {
        for (String command : List.of(
                "",
                "nonsense",
                "inspect",
                "probe",
                "probe DIR --duration 0s",
                "probe DIR --duration 11m",
                "create DIR/v --device-profile floppy",
                "create DIR/v --filesystem ntfs",
                "create DIR/v --size 1KB")) {
            assertFails(command, 2);
        }
    }

    @Test
    void saysWhatIsWrongWithTheMachineInOneLine() throws Exception {
        Path kept = Files.createFile(folder.resolve("kept"));
        for (String command : List.of(
                "inspect DIR/absent",
                "inspect DIR/kept",
                "probe DIR/absent",
                "destroy --images DIR/state",
                "destroy DIR --images DIR/state",
                "create DIR --size 32MiB --device-profile sata-7200 --images DIR/state",
                "create DIR/new DIR --size 32MiB --device-profile sata-7200 --images DIR/state")) {
            assertFails(command, 1);
        }
        assertThat(kept).exists();
        // All or none: the first of two was taken back.
        assertThat(folder.resolve("new")).doesNotExist();
        assertThat(folder.resolve("state/volumes.json")).doesNotExist();
    }

    private void assertFails(String command, int exitCode) throws Exception {
        Ended ended = CommandInJvm.run(
                ("volumes " + command).trim().replace("DIR", folder.toString()).split(" ", -1));
        assertThat(ended.exitCode()).as("%s: %s", command, ended).isEqualTo(exitCode);
        assertThat(ended.errors())
                .as(command)
                .hasSize(1)
                .allMatch(text -> text.startsWith("hubmark: "));
    }
}
