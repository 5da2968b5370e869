package org.hubmark.golden;

import static org.junit.jupiter.api.Assertions.assertIterableEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/**
 * What commands wrote when it was recorded, in src/test/resources/golden of a module. A test that makes
 * it again shows the first line that differs. What is to change is copied from target/golden.
 */
public final class GoldenFiles {
    /** Inputs and what was made of them. */
    public static final Path FOLDER = Path.of("src/test/resources/golden");

    private GoldenFiles() {}

    /** Fails at the first line that differs from the file of that name. */
    public static void requireSame(String name, String text) throws IOException {
        Path now = Path.of("target/golden", name);
        Files.createDirectories(Objects.requireNonNull(now.getParent()));
        Files.writeString(now, text);
        assertIterableEquals(
                Files.readAllLines(FOLDER.resolve(name)), text.lines().toList(), name);
    }
}
