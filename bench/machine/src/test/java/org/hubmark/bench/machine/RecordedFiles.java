package org.hubmark.bench.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;

/**
 * The kernel's files of another machine, made again in a folder. Of a text in which a line is
 * {@code FILE = TEXT}, {@code LINK -> TARGET}, {@code FILE <<} with all lines up to a dot, or {@code
 * include NAME} of another such text; {@code \0} ends an argument of a process.
 */
public final class RecordedFiles {
    private RecordedFiles() {}

    /** {@return a text of the resources} */
    public static String text(String name) throws IOException {
        return Files.readString(Path.of("src/test/resources/machines", name + ".txt"));
    }

    /** Makes files with the folders above them, or other texts of those that are there. */
    public static void add(Path root, String text) throws IOException {
        Iterator<String> lines = List.of(text.split("\n", -1)).iterator();
        while (lines.hasNext()) {
            String line = lines.next();
            if (line.startsWith("include ")) {
                add(root, text(line.substring("include ".length())));
            } else if (line.endsWith(" <<")) {
                StringBuilder block = new StringBuilder();
                for (String one = lines.next(); !one.equals("."); one = lines.next()) {
                    block.append(one).append('\n');
                }
                Files.writeString(made(root, line.replace(" <<", "")), block);
            } else if (line.contains(" -> ")) {
                String[] link = line.split(" -> ", 2);
                Files.deleteIfExists(made(root, link[0]));
                Files.createSymbolicLink(root.resolve(link[0]), Path.of(link[1]));
            } else if (!line.isBlank() && !line.startsWith("#")) {
                String[] file = line.split(" = ?", 2);
                Files.writeString(made(root, file[0]), file[1].replace("\\0", "\0") + "\n");
            }
        }
    }

    private static Path made(Path root, String file) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        return path;
    }
}
