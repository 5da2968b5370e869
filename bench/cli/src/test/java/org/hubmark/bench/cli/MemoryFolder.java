package org.hubmark.bench.cli;

import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Makes a temporary folder in memory where there is room, and else where others lie. A measurement ends
 * when the devices of its volumes are at rest, and memory has none that somebody else keeps busy.
 */
final class MemoryFolder implements TempDirFactory {
    private static final Path MEMORY = Path.of("/dev/shm");

    /** Several hubs one after the other; a container has 64 MB there unless told otherwise. */
    private static final long FREE_BYTES_MIN = 1L << 30;

    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext test)
            throws IOException {
        boolean room = Files.isWritable(MEMORY)
                && Files.getFileStore(MEMORY).getUsableSpace() >= FREE_BYTES_MIN;
        return room
                ? Files.createTempDirectory(MEMORY, "hubmark-test-")
                : Files.createTempDirectory("hubmark-test-");
    }
}
