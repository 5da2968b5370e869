package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/** Proves that the server's jar finds all its libraries beside it, also among those of the bench. */
class BuiltServerTest {
    private static final Path LIBRARIES = Path.of("../cli/target/lib");

    @Test
    void eachLibraryThatItsManifestNamesLiesBesideIt() throws IOException {
        Path server;
        try (Stream<Path> files = Files.list(LIBRARIES)) {
            server = files.filter(
                            file -> String.valueOf(file.getFileName()).matches("server-.*\\.jar"))
                    .findFirst()
                    .orElseThrow();
        }
        String classPath;
        try (JarFile jar = new JarFile(server.toFile())) {
            classPath = Objects.requireNonNull(
                    jar.getManifest().getMainAttributes().getValue(Attributes.Name.CLASS_PATH));
        }
        assertThat(List.of(classPath.split(" ")))
                .hasSizeGreaterThan(20)
                .allSatisfy(library -> assertThat(LIBRARIES.resolve(library)).exists());
    }
}
