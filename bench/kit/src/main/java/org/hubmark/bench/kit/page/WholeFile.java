package org.hubmark.bench.kit.page;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Writes a file that is whole or is not there, also where the disk is full. */
public final class WholeFile {
    private WholeFile() {}

    /** Writes it in UTF-8; one that is there is replaced at once, or stays. */
    public static void write(Path file, String text) throws IOException {
        Path part = file.resolveSibling(file.getFileName() + ".part");
        boolean written = false;
        try {
            Files.writeString(part, text);
            Files.move(
                    part,
                    file,
                    StandardCopyOption.REPLACE_EXISTING,
                    StandardCopyOption.ATOMIC_MOVE);
            written = true;
        } finally {
            if (!written) {
                Files.deleteIfExists(part);
            }
        }
    }
}
