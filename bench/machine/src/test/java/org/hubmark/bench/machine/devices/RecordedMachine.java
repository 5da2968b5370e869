package org.hubmark.bench.machine.devices;

import org.hubmark.bench.machine.kernel.HostFiles;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;

/**
 * The kernel's files of another machine, made again in a folder. Of a text in which a line is
 * {@code FILE = TEXT}, {@code LINK -> TARGET}, or {@code FILE <<} with all lines up to a dot.
 */
final class RecordedMachine {
    private final Path root;

    /** Makes the files of that name below a folder. */
    RecordedMachine(Path root, String name) throws IOException {
        this.root = root;
        try (InputStream in = Objects.requireNonNull(
                RecordedMachine.class.getResourceAsStream("/machines/" + name + ".txt"))) {
            add(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    /** Makes more files, or other texts of those that are there. */
    RecordedMachine add(String text) throws IOException {
        Iterator<String> lines = List.of(text.split("\n", -1)).iterator();
        while (lines.hasNext()) {
            String line = lines.next();
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            if (line.endsWith(" <<")) {
                StringBuilder block = new StringBuilder();
                for (String one = lines.next(); !one.equals("."); one = lines.next()) {
                    block.append(one).append('\n');
                }
                write(line.substring(0, line.length() - 3), block.toString());
            } else if (line.contains(" -> ")) {
                String[] link = line.split(" -> ", 2);
                Path path = made(link[0]);
                Files.deleteIfExists(path);
                Files.createSymbolicLink(path, Path.of(link[1]));
            } else {
                String[] file = line.split(" = ?", 2);
                write(file[0], file[1] + "\n");
            }
        }
        return this;
    }

    private void write(String file, String text) throws IOException {
        Files.writeString(made(file), text);
    }

    private Path made(String file) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(Objects.requireNonNull(path.getParent()));
        return path;
    }

    /** {@return what is below a folder} */
    VolumeStack stack(String folder) {
        return VolumeStack.of(Path.of(folder), new HostFiles(root));
    }
}
