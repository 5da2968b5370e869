package org.hubmark.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;

/** What holds mail is its owner's alone, and never somewhere else than it says. */
final class PrivateFilesTest {
    @TempDir
    private Path folder;

    private static String permissions(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    @Test
    void onlyTheOwnerCanRead() throws IOException {
        Path made = PrivateFiles.createFolders(folder.resolve("a/b"));
        assertThat(permissions(made)).isEqualTo("rwx------");
        assertThat(permissions(folder.resolve("a"))).isEqualTo("rwx------");
        PrivateFiles.create(made.resolve("new")).close();
        PrivateFiles.createAnew(made.resolve("anew")).close();
        PrivateFiles.open(made.resolve("opened")).close();
        for (String name : new String[] {"new", "anew", "opened"}) {
            assertThat(permissions(made.resolve(name))).isEqualTo("rw-------");
        }
    }

    @Test
    void tellsWhatEveryUserCanRead() throws IOException {
        Path file = Files.createFile(folder.resolve("token"));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        assertThat(PrivateFiles.isReadableByAll(file)).isFalse();
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(PrivateFiles.isReadableByAll(file)).isTrue();
        assertThat(PrivateFiles.isReadableByAll(folder.resolve("absent"))).isFalse();
    }

    @Test
    void aFileSystemWithoutPosixPermissionsWillDo() throws IOException {
        Map<String, String> create = Map.of("create", "true");
        try (FileSystem zip = FileSystems.newFileSystem(folder.resolve("x.zip"), create)) {
            Path made = PrivateFiles.createFolders(zip.getPath("/a/b"));
            PrivateFiles.create(made.resolve("new")).close();
            assertThat(PrivateFiles.ofFiles(made)).isEmpty();
            assertThat(made.resolve("new")).isEmptyFile();
        }
        assertThat(PrivateFiles.ofFiles(folder)).isNotEmpty();
    }

    @Test
    void noLinkIsFollowed() throws IOException {
        Path elsewhere = Files.createFile(folder.resolve("elsewhere"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), elsewhere);
        assertThatThrownBy(() -> PrivateFiles.create(link))
                .isInstanceOf(FileAlreadyExistsException.class);
        assertThatThrownBy(() -> PrivateFiles.open(link)).isInstanceOf(IOException.class);
        try (FileChannel made = PrivateFiles.createAnew(link)) {
            assertThat(made.isOpen()).isTrue();
        }
        assertThat(Files.isSymbolicLink(link)).isFalse();
        assertThat(elsewhere).isEmptyFile();
    }
}
