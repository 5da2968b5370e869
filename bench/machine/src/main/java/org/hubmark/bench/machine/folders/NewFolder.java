package org.hubmark.bench.machine.folders;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A folder that was made if it was absent, with those above it; closing removes what is empty. */
public final class NewFolder implements AutoCloseable {
    private final Path path;
    /** The innermost first. */
    private final List<Path> made;

    private NewFolder(Path path, List<Path> made) {
        this.path = path;
        this.made = made;
    }

    /** Makes it where there is none. */
    public static NewFolder of(Path folder) throws IOException {
        List<Path> absent = new ArrayList<>();
        Path at = folder.toAbsolutePath().normalize();
        while (at != null && !Files.exists(at)) {
            absent.add(at);
            at = at.getParent();
        }
        Files.createDirectories(folder);
        return new NewFolder(folder, absent);
    }

    /** Makes one that is not there yet, of that name or with a number behind it. */
    public static NewFolder fresh(Path parent, String name) throws IOException {
        NewFolder above = of(parent);
        for (int number = 1; ; number++) {
            Path folder = parent.resolve(number == 1 ? name : name + "-" + number);
            try {
                Files.createDirectory(folder);
            } catch (FileAlreadyExistsException e) {
                continue;
            } catch (IOException e) {
                above.close();
                throw e;
            }
            List<Path> made = new ArrayList<>(List.of(folder));
            made.addAll(above.made);
            return new NewFolder(folder, made);
        }
    }

    /** {@return it, as it was named} */
    public Path path() {
        return path;
    }

    /** Removes it and those above it, of those that were made here, as far as they are empty. */
    @Override
    public void close() throws IOException {
        for (Path folder : made) {
            try {
                Files.delete(folder);
            } catch (DirectoryNotEmptyException | NoSuchFileException e) {
                return;
            }
        }
    }
}
