package org.hubmark.queue;

import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Makes the folder of a test in memory where the system has such a place: for a test whose power cuts are
 * simulated, so that what a disk would keep is decided by the simulation, and a real sync only costs time.
 */
final class InMemoryFolder implements TempDirFactory {
    private static final Path MEMORY = Path.of("/dev/shm");

    @Override
    public Path createTempDirectory(AnnotatedElementContext field, ExtensionContext test)
            throws IOException {
        return Files.isWritable(MEMORY)
                ? Files.createTempDirectory(MEMORY, "hubmark-test-")
                : Files.createTempDirectory("hubmark-test-");
    }
}
