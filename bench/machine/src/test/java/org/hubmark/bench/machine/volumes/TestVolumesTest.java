package org.hubmark.bench.machine.volumes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import org.hubmark.core.FileOwners;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Proves that only what was made as a test volume is removed, and that nothing is believed or loaded that
 * another user could have written: lists and libraries are changed, and given to another user.
 */
class TestVolumesTest {
    private static final int NOBODY = 65534;

    @TempDir
    Path folder;

    private Path state;
    private TestVolumes volumes;
    private TestVolume volume;
    private Path letter;

    @BeforeEach
    void aVolumeAndSomethingElse() throws IOException {
        state = folder.resolve("hubmark-volumes");
        volumes = new TestVolumes(state);
        volume = volumes.createFolder(folder.resolve("volume"), DeviceProfile.NVME);
        letter = Files.createDirectories(folder.resolve("mail")).resolve("letter");
        Files.writeString(letter, "dear");
    }

    @Test
    void whatWasMadeIsRemoved() throws IOException {
        Files.writeString(folder.resolve("volume/file"), "x");
        volumes.destroy(volume);
        assertThat(folder.toFile().list()).containsExactlyInAnyOrder("hubmark-volumes", "mail");
    }

    @Test
    void anotherFolderOfTheNameIsLeft() throws IOException {
        Files.move(folder.resolve("volume"), folder.resolve("volume-1"));
        Files.move(folder.resolve("mail"), folder.resolve("volume"));
        assertThatThrownBy(() -> volumes.destroy(volume)).hasMessageContaining("not removed");
        assertThat(folder.resolve("volume/letter")).hasContent("dear");
    }

    @Test
    void anImageElsewhereIsLeft() throws IOException {
        String list = Files.readString(state.resolve("volumes.json"));
        Files.writeString(
                state.resolve("volumes.json"),
                list.replaceFirst("\"image\" : null", "\"image\" : \"" + letter + "\""));
        TestVolume changed = volumes.list().getFirst();
        assertThatThrownBy(() -> volumes.destroy(changed)).hasMessageContaining("not removed");
        assertThat(letter).hasContent("dear");
    }

    @Test
    void theListOfAnotherUserIsNotBelieved() throws IOException {
        assumeThat(FileOwners.isRoot()).as("gives a file away").isTrue();
        Files.setAttribute(state.resolve("volumes.json"), "unix:uid", NOBODY);
        assertThatThrownBy(() -> volumes.list()).hasMessageContaining("belongs to user");
        Files.setAttribute(state.resolve("volumes.json"), "unix:uid", 0);
        Files.setAttribute(state, "unix:uid", NOBODY);
        assertThatThrownBy(() -> volumes.destroy(volume)).hasMessageContaining("belongs to user");
        assertThatThrownBy(() -> volumes.createFolder(folder.resolve("b"), DeviceProfile.NVME))
                .hasMessageContaining("belongs to user");
    }

    @Test
    void theLibraryOfAnotherUserIsNotLoaded() throws IOException {
        assumeThat(FileOwners.isRoot()).as("gives a file away").isTrue();
        assumeThat(PreloadLibrary.obstacle()).as("compiles a library").isNull();
        Path own = PreloadLibrary.load(folder).file();
        assertThat(SyncEmulation.prepare(folder, List.of()).environment().get("LD_PRELOAD"))
                .contains(own.toString());
        Files.setAttribute(own, "unix:uid", NOBODY);
        assertThatThrownBy(() -> PreloadLibrary.load(folder))
                .hasMessageContaining("belongs to user");
        Files.setAttribute(own, "unix:uid", 0);
        Files.setAttribute(own, "unix:mode", 0777);
        assertThatThrownBy(() -> PreloadLibrary.load(folder)).hasMessageContaining("every user");
    }
}
