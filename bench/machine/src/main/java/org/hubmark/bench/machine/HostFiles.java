package org.hubmark.bench.machine;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What the kernel says of the machine in files, above all below /proc and /sys.
 *
 * @param root where the tree begins: / of this machine, or a recorded one
 */
public record HostFiles(Path root) {
    /** This machine's. */
    public static final HostFiles HERE = new HostFiles(Path.of("/"));

    /** {@return the whole file, or empty when it is not there or can't be read} */
    public String text(String file) {
        Path path = root.resolve(file);
        try {
            return Files.isReadable(path) ? Files.readString(path) : "";
        } catch (IOException e) {
            // Some files are there, but not for this device or this user: EINVAL, EPERM.
            return "";
        }
    }

    /** {@return the file's content without blanks around it, or null when there is none} */
    public @Nullable String line(String file) {
        String text = text(file).strip();
        return text.isEmpty() ? null : text;
    }

    /** {@return the number in a file, or null when there is none} */
    public @Nullable Long number(String file) {
        String line = line(file);
        return line != null && line.matches("-?\\d{1,18}") ? Long.valueOf(line) : null;
    }

    /** {@return what stands behind a name and a separator, of the first line that has them, or null} */
    public @Nullable String value(String file, String name, String separator) {
        for (String line : text(file).lines().toList()) {
            int end = line.indexOf(separator);
            if (end >= 0 && line.substring(0, end).strip().equals(name)) {
                return line.substring(end + separator.length()).strip();
            }
        }
        return null;
    }

    /** {@return the names in a folder, sorted; none when there is no such folder} */
    public List<String> names(String folder, String glob) {
        List<String> names = new ArrayList<>();
        Path path = root.resolve(folder);
        if (Files.isDirectory(path)) {
            try (DirectoryStream<Path> all = Files.newDirectoryStream(path, glob)) {
                all.forEach(one -> names.add(String.valueOf(one.getFileName())));
            } catch (IOException e) {
                return List.of();
            }
        }
        names.sort(
                Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder()));
        return names;
    }
}
