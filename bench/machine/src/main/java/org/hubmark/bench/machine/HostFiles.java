package org.hubmark.bench.machine;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.List;

/**
 * What the kernel says of a machine in files, above all below /proc and /sys. A file is named without the slash in front.
 */
public interface HostFiles {
    /** Octets in a KiB, which the kernel writes as kB. */
    long KIB = 1024;

    /** This machine's. */
    HostFiles HERE = at(Path.of("/"));

    /** {@return the files of a tree: of this machine, or a recorded one} */
    static HostFiles at(Path root) {
        return new FolderFiles(root);
    }

    /** {@return the whole file, or empty when it is not there or can't be read} */
    String text(String file);

    /** {@return the names in a folder, sorted; none when there is no such folder} */
    List<String> names(String folder, String glob);

    /** {@return the names in a folder that are numbers: processes, or threads; in no order} */
    default List<String> numbers(String folder) {
        return names(folder, "[0-9]*");
    }

    /** {@return whether there is such a file, which may be empty} */
    boolean exists(String file);

    /** {@return the file's content without blanks around it, or null when there is none} */
    default @Nullable String line(String file) {
        String text = text(file).strip();
        return text.isEmpty() ? null : text;
    }

    /** {@return the number in a file, or null when there is none} */
    default @Nullable Long number(String file) {
        String line = line(file);
        return line != null && line.matches("-?\\d{1,18}") ? Long.valueOf(line) : null;
    }

    /** {@return octets that a file says in KiB behind a name and a colon, or null} */
    default @Nullable Long bytes(String file, String name) {
        String text = value(file, name, ":");
        return text == null || !text.matches("\\d{1,15} kB")
                ? null
                : (Long) (KIB * Long.parseLong(text.replace(" kB", "")));
    }

    /** {@return what stands behind a name and a separator, of the first line that has them, or null} */
    default @Nullable String value(String file, String name, String separator) {
        for (String line : text(file).lines().toList()) {
            int end = line.indexOf(separator);
            if (end >= 0 && line.substring(0, end).strip().equals(name)) {
                return line.substring(end + separator.length()).strip();
            }
        }
        return null;
    }
}
