package org.hubmark.bench.durability.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hubmark.core.UserError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * Proves that the file of a soak is read as it was written, a line a history, that what a killed soak left of
 * its last line does no harm, and that two soaks don't share a folder.
 */
class HistoryFileTest {
    private static final HistoryLine FIRST = Lines.kept("3", "kill", "synced", 1, 4);
    private static final HistoryLine SECOND = Lines.line(
            "3", "simulated", "periodic=10ms", 1, 100, 2400, 7, false, List.of("lost \"it\"\nall"));

    @TempDir
    Path folder;

    private void write(HistoryLine... lines) throws Exception {
        try (HistoryFile file = HistoryFile.open(folder)) {
            for (HistoryLine line : lines) {
                file.append(line);
            }
        }
    }

    @Test
    void isReadAsItWasWritten() throws Exception {
        write(FIRST);
        write(SECOND);
        HistoryFile.Contents found = HistoryFile.read(folder);
        assertThat(found.lines()).containsExactly(FIRST, SECOND);
        assertThat(found.torn(folder)).isNull();
        assertThat(Files.readAllLines(folder.resolve(HistoryFile.NAME))).hasSize(2);
    }

    /** These keys are in the file that the documentation keeps, and must be read for ever. */
    @Test
    void aLineHasTheseKeys() throws Exception {
        write(FIRST);
        assertThat(folder.resolve(HistoryFile.NAME)).content().isEqualTo("""
                {"schema":1,"finished_at":"2026-11-27T17:10:01Z",\
                "build":{"version":"1","commit":"0123456789abcdef0123","store_format":"3"},\
                "machine":{"cpu_model":"a CPU","logical_cores":2,"memory_bytes":8000000000,"os":"an OS",\
                "kernel":"6.1","jdk":"a JDK","filesystem":"ext4","side_by_side":2},\
                "kind":"kill","durability":"synced","seed_first":1,"seed_last":1,"lives_planned":4,\
                "crashes":4,"attempts":5,"acknowledged_msgs":40,"lost_msgs":0,"duplicated_msgs":2,\
                "reordered_msgs":1,"corrupted_msgs":0,"in_doubt_msgs":3,"crashes_with_loss":0,\
                "crashes_with_reported_damage":0,"loss_window_ms":null,"recovery_ms_max":60.25,\
                "seconds":8.5,"phases":{"devices_s":0.5,"start_s":3.0,"load_s":2.0,"copy_s":1.0,\
                "check_s":1.5},"promise_kept":true,"failures":[]}
                """);
    }

    @Test
    void aTornLastLineIsNamedAndNotCounted() throws Exception {
        write(FIRST);
        Path file = folder.resolve(HistoryFile.NAME);
        String line = Files.readString(file);
        // Also one that lacks only its end, which was not synced then.
        for (String torn : List.of("{\"schema\":1,\"fin", line.stripTrailing())) {
            Files.writeString(file, torn, StandardOpenOption.APPEND);
            HistoryFile.Contents found = HistoryFile.read(folder);
            assertThat(found.lines()).containsExactly(FIRST);
            assertThat(found.tornBytes()).isEqualTo(torn.length());
            assertThat(found.torn(folder)).contains("the last line is torn");
            try (HistoryFile again = HistoryFile.open(folder)) {
                assertThat(again.earlier()).isEqualTo(found);
            }
            assertThat(file).content().isEqualTo(line);
        }
        write(SECOND);
        assertThat(HistoryFile.read(folder).lines()).containsExactly(FIRST, SECOND);
    }

    @Test
    void aLineThatIsNoneIsRefusedByItsNumber() throws Exception {
        write(FIRST);
        Path file = folder.resolve(HistoryFile.NAME);
        Files.writeString(file, "{\"schema\":1,\n", StandardOpenOption.APPEND);
        assertThatThrownBy(() -> HistoryFile.read(folder))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("line 2, is not a line of a soak");
        Files.writeString(file, Files.readString(file).replace("\"schema\":1", "\"schema\":99"));
        assertThatThrownBy(() -> HistoryFile.read(folder))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("line 1, is not a line of a soak: it has not the schema 1");
    }

    @Test
    void aLaterVersionMayAddAKey() throws Exception {
        write(FIRST);
        Path file = folder.resolve(HistoryFile.NAME);
        Files.writeString(
                file, Files.readString(file).replace("{\"schema\"", "{\"later\":[1],\"schema\""));
        assertThat(HistoryFile.read(folder).lines()).containsExactly(FIRST);
    }

    @Test
    void aSecondSoakInTheFolderIsRefusedWhileTheFirstRuns() throws Exception {
        try (HistoryFile file = HistoryFile.open(folder)) {
            assertThatThrownBy(() -> HistoryFile.open(folder))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("in use by another soak");
            file.append(FIRST);
            // To read it is no reason to lose the lock.
            assertThat(HistoryFile.read(folder).lines()).hasSize(1);
            assertThatThrownBy(() -> HistoryFile.open(folder)).isInstanceOf(UserError.class);
        }
        write(SECOND);
    }

    @Test
    void anInterruptedThreadWritesItsLineWhole() throws Exception {
        try (HistoryFile file = HistoryFile.open(folder)) {
            Thread.currentThread().interrupt();
            file.append(FIRST);
            file.append(SECOND);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(HistoryFile.read(folder).lines()).hasSize(2);
    }
}
