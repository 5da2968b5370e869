package org.hubmark.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import org.hubmark.bench.measure.hub.HubJvm;
import org.hubmark.bench.measure.hub.StartArchive;
import org.hubmark.server.Main;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;

/**
 * Proves that a hub's classes come from the archive that was made of its jar, and that an archive which
 * is damaged, or made of another jar, changes nothing and is not talked about. The archive is made of
 * jars of the classes under test, since a JVM takes none of folders.
 */
class StartArchiveTest {
    private static final String FROM_ARCHIVE = "source: shared objects file";

    @TempDir
    Path folder;

    @Test
    void aStartTakesItsClassesFromAnArchiveThatFitsAndLeavesAnyOther() throws Exception {
        Path jar = jarOfClassPath();
        String plain = run(List.of(), jar, Main.class, List.of("--version"));
        assertThat(plain).matches("hubmark \\S+");
        String said = run(List.of(), jar, ArchiveMain.class, List.of(jar.toString()));
        Path archive = archive();
        assumeThat(archive).as("this JVM can't make archives: %s", said).exists();
        assertThat(folder).isDirectoryNotContaining("glob:**/start-archive-*");

        assertThat(version(jar)).isEqualTo(plain);
        assertThat(loaded(Main.class)).contains(FROM_ARCHIVE);

        FileTime built = Files.getLastModifiedTime(jar);
        Files.setLastModifiedTime(jar, FileTime.fromMillis(built.toMillis() + 10_000));
        assertThat(version(jar)).isEqualTo(plain);
        assertThat(loaded(Main.class)).doesNotContain(FROM_ARCHIVE);
        Files.setLastModifiedTime(jar, built);

        try (var file = Files.newByteChannel(archive, StandardOpenOption.WRITE)) {
            var unused = file.truncate(Files.size(archive) / 2);
        }
        assertThat(version(jar)).isEqualTo(plain);
        Files.writeString(archive, "no archive at all");
        assertThat(version(jar)).isEqualTo(plain);
        assertThat(loaded(Main.class)).doesNotContain(FROM_ARCHIVE);
    }

    @Test
    void withoutAnArchiveThereAreNoOptionsForOne() {
        assertThat(StartArchive.of(folder.resolve("hubmark.jar")).options()).isEmpty();
    }

    private String version(Path jar) throws Exception {
        List<String> options = new ArrayList<>(StartArchive.of(jar).options());
        assertThat(options).isNotEmpty();
        options.add("-Xlog:class+load:file=" + folder.resolve("classes.txt"));
        return run(options, jar, Main.class, List.of("--version"));
    }

    private String loaded(Class<?> type) throws IOException {
        return Files.readAllLines(folder.resolve("classes.txt")).stream()
                .filter(line -> line.contains(" " + type.getName() + " "))
                .findFirst()
                .orElseThrow();
    }

    private Path archive() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().matches(".*\\.(aot|jsa)"))
                    .findFirst()
                    .orElse(folder.resolve("none"));
        }
    }

    /** What a JVM with the options of a hub says of its own accord, on both outputs. */
    private String run(List<String> options, Path jar, Class<?> main, List<String> arguments)
            throws Exception {
        List<String> command = new ArrayList<>(HubJvm.command());
        command.addAll(options);
        command.addAll(List.of("-cp", jar.toString(), main.getName()));
        command.addAll(arguments);
        Path output = folder.resolve("output.txt");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        int exitCode = process.waitFor();
        String said = String.join("\n", HubJvm.words(output)).strip();
        assertThat(exitCode).as(said).isZero();
        return said;
    }

    private Path jarOfClassPath() throws IOException {
        List<String> jars = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            Path path = Path.of(entry);
            if (Files.isDirectory(path)) {
                Path jar = folder.resolve("classes-" + jars.size() + ".jar");
                pack(path, jar, new Manifest());
                path = jar;
            }
            // The JVM archives no classes of jars that are named by a URL.
            jars.add(folder.relativize(path.toAbsolutePath()).toString());
        }
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.put(Attributes.Name.CLASS_PATH, String.join(" ", jars));
        Path jar = folder.resolve("hubmark.jar");
        try (OutputStream out = Files.newOutputStream(jar)) {
            new JarOutputStream(out, manifest).close();
        }
        return jar;
    }

    private static void pack(Path classes, Path jar, Manifest manifest) throws IOException {
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest);
                Stream<Path> files = Files.walk(classes)) {
            files.filter(Files::isRegularFile).forEach(file -> {
                try {
                    String name = classes.relativize(file).toString();
                    if (!name.equals("META-INF/MANIFEST.MF")) {
                        out.putNextEntry(new JarEntry(name));
                        Files.copy(file, out);
                    }
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }
}
