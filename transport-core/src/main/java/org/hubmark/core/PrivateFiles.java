package org.hubmark.core;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Makes the files and folders that hold mail, or say whose it is: only their owner can read them,
 * whatever the umask is, and no symbolic link that somebody else has put in their place is followed.
 * What is there already keeps its permissions; a file system that knows none of POSIX has its own way.
 * Any thread.
 */
public final class PrivateFiles {
    private static final FileAttribute<Set<PosixFilePermission>> FOLDER =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private static final FileAttribute<Set<PosixFilePermission>> FILE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private PrivateFiles() {}

    /**
     * Makes a folder, and those above it, where they are absent, durably: each name that it makes
     * outlives a power cut.
     */
    public static Path createFolders(Path folder) throws IOException {
        List<Path> parents = new ArrayList<>();
        Path made = folder.toAbsolutePath();
        while (made.getParent() != null && !Files.exists(made)) {
            made = made.getParent();
            parents.add(made);
        }
        Files.createDirectories(folder, where(folder, FOLDER));
        for (Path parent : parents.reversed()) {
            syncNames(parent);
        }
        return folder;
    }

    /** Makes the names in a folder durable: what was made, renamed and deleted there so far. */
    public static void syncNames(Path folder) throws IOException {
        if (!isPosix(folder)) {
            // Others have no way to ask for it.
            return;
        }
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /** Makes a file to write; there must be none of that name, nor a link. */
    public static FileChannel create(Path file) throws IOException {
        return FileChannel.open(
                file,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                ofFiles(file));
    }

    /** Makes a file to write in place of one that was left behind under a temporary name. */
    public static FileChannel createAnew(Path file) throws IOException {
        Files.deleteIfExists(file);
        return create(file);
    }

    /** Opens a file to read and write, making it where there is none. */
    public static FileChannel open(Path file) throws IOException {
        Set<OpenOption> options = Set.of(
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                LinkOption.NOFOLLOW_LINKS);
        return FileChannel.open(file, options, ofFiles(file));
    }

    /** {@return whether every user of the machine may read a file; false where that can't be told} */
    public static boolean isReadableByAll(Path file) {
        try {
            return Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_READ);
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    /** {@return the attributes to make a file with, for one who makes it by other means} */
    public static FileAttribute<?>[] ofFiles(Path place) {
        return where(place, FILE);
    }

    private static FileAttribute<?>[] where(Path path, FileAttribute<?> permissions) {
        return isPosix(path) ? new FileAttribute<?>[] {permissions} : new FileAttribute<?>[0];
    }

    private static boolean isPosix(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }
}
