package org.hubmark.bench.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A tree as the kernel shows it, written down. */
final class RecordedFiles {
    private RecordedFiles() {}

    /** Makes a file, or makes it anew, with the folders above it. */
    static void write(Path root, String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }
}
