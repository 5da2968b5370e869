package org.hubmark.bench.machine.folders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hubmark.core.Durability;
import org.hubmark.core.Settings;
import org.hubmark.core.UserError;
import org.hubmark.queue.QueueStore;
import org.hubmark.queue.StoreConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;

/** Proves that what is made is taken away and nothing else, and that stores are found and left. */
class FoldersTest {
    private final String process = String.valueOf(ProcessHandle.current().pid());

    @TempDir
    private Path folder;

    @Test
    void deletingDoesNotFollowLinks() throws IOException {
        Path letter = Files.createDirectories(folder.resolve("mail")).resolve("letter");
        Files.writeString(letter, "dear");
        Path made = Files.createDirectories(folder.resolve("made/deep"));
        Files.createSymbolicLink(made.resolve("link"), letter.getParent());
        Files.writeString(made.resolve("file"), "x");
        Folders.delete(folder.resolve("made"));
        assertThat(folder.resolve("made")).doesNotExist();
        assertThat(letter).hasContent("dear");
    }

    @Test
    void aSocketIsNotCopied() throws IOException {
        Path volume = Files.createDirectories(folder.resolve("volume"));
        Files.writeString(volume.resolve("letter"), "dear");
        try (ServerSocketChannel killed = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            killed.bind(UnixDomainSocketAddress.of(volume.resolve("socket")));
        }
        Folders.copy(volume, folder.resolve("copy"));
        assertThat(volume.resolve("socket")).exists();
        assertThat(folder.resolve("copy")).isDirectoryContaining("glob:**letter");
        assertThat(folder.resolve("copy/socket")).doesNotExist();
    }

    @Test
    void onlyWhatWasMadeAndIsEmptyIsRemoved() throws IOException {
        Files.createDirectories(folder.resolve("a"));
        NewFolder.of(folder.resolve("a")).close();
        assertThat(folder.resolve("a")).exists();
        NewFolder.of(folder.resolve("a/b/c")).close();
        assertThat(folder.resolve("a")).isEmptyDirectory();
        NewFolder kept = NewFolder.of(folder.resolve("a/b/c"));
        Files.writeString(folder.resolve("a/b/letter"), "dear");
        kept.close();
        assertThat(folder.resolve("a/b/letter")).exists();
        assertThat(folder.resolve("a/b/c")).doesNotExist();
        NewFolder first = NewFolder.fresh(folder, "now");
        NewFolder second = NewFolder.fresh(folder, "now");
        assertThat(second.path()).isNotEqualTo(first.path()).exists();
    }

    @Test
    void aClaimIsHeldAgainstOthersAndLeavesNothing() throws IOException {
        Path claimed = folder.resolve("x/y");
        FolderClaim claim = FolderClaim.of(claimed);
        assertThatThrownBy(() -> FolderClaim.of(claimed))
                .isInstanceOf(UserError.class)
                .hasMessage("volume " + claimed + " is in use by process " + process
                        + "; stop that first, or name another folder");
        // An interrupted run cleans up still.
        Thread.currentThread().interrupt();
        claim.close();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aStoreIsFoundWhereverItLies() throws IOException {
        Path log = folder.resolve("one/deep/log");
        Path queue = folder.resolve("two/queue");
        List<Path> one = List.of(folder.resolve("one"));
        List<Path> both = List.of(folder.resolve("one"), folder.resolve("two"));
        try (QueueStore store = QueueStore.open(new StoreConfiguration(
                log,
                queue,
                new Durability.Synced(),
                16_000_000,
                Settings.defaults(),
                InstantSource.system()))) {
            assertThat(store.refusal()).isNull();
            assertThat(StoreSearch.user(both)).isEqualTo(log + " is in use by process " + process);
        }
        assertThat(StoreSearch.obstacle(both, List.of())).isNull();
        assertThat(StoreSearch.obstacle(one, both)).isNull();
        assertThat(StoreSearch.obstacle(one, List.of()))
                .isEqualTo(log + " belongs to a queue whose other volume is not there or can't be"
                        + " read");
        Files.delete(queue.resolve("database/CURRENT"));
        assertThat(StoreSearch.obstacle(both, List.of())).contains("can't be read");
    }
}
