package org.hubmark.bench.machine.kernel;

import org.jspecify.annotations.Nullable;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What the kernel says of a machine in files, above all below /proc and /sys. A file is named without the slash
 * in front.
 *
 * @param root where the tree begins: / of this machine, or a recorded one
 */
public record HostFiles(Path root) {
    /** Octets in a KiB, which the kernel writes as kB. */
    private static final long KIB = 1024;

    /** This machine's. */
    public static final HostFiles HERE = new HostFiles(Path.of("/"));

    /**
     * {@return the whole file, or empty when it is not there or can't be read} Octets of another encoding in a process's arguments are no reason
     * to fail.
     */
    public String text(String file) {
        try (InputStream in = new FileInputStream(new File(root.toString(), file))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            // It is not there, or not for this device or this user: EINVAL, EPERM.
            return "";
        }
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

    /**
     * {@return the names in a folder that are numbers: processes, or threads; in no order} Without a pattern for
     * each, since there are hundreds once a second.
     */
    public List<String> numbers(String folder) {
        String[] all =
                new File(root.toString(), folder).list((parent, name) -> isDigit(name.charAt(0)));
        return all == null ? List.of() : List.of(all);
    }

    private static boolean isDigit(char character) {
        return character >= '0' && character <= '9';
    }

    /** {@return whether there is such a file, which may be empty} */
    public boolean exists(String file) {
        return Files.exists(root.resolve(file));
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

    /** {@return octets that a file says in KiB behind a name and a colon, or null} */
    public @Nullable Long bytes(String file, String name) {
        String text = value(file, name, ":");
        return text == null || !text.matches("\\d{1,15} kB")
                ? null
                : (Long) (KIB * Long.parseLong(text.replace(" kB", "")));
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
}
