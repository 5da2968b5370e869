package org.hubmark.bench.machine;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Files that can be opened.
 *
 * @param root where the tree begins: / of this machine, or a recorded one
 */
record FolderFiles(Path root) implements HostFiles {
    private static final int PIECE = 4096;

    /**
     * A file of the kernel has no length, and most are read in one piece. Octets of another encoding in a
     * process's arguments are no reason to fail.
     */
    @Override
    public String text(String file) {
        try (InputStream in = new FileInputStream(new File(root.toString(), file))) {
            byte[] octets = new byte[PIECE];
            int length = in.read(octets);
            int more = length;
            while (more > 0) {
                if (length == octets.length) {
                    octets = Arrays.copyOf(octets, 2 * octets.length);
                }
                more = in.read(octets, length, octets.length - length);
                length += Math.max(0, more);
            }
            return length <= 0 ? "" : new String(octets, 0, length, StandardCharsets.UTF_8);
        } catch (IOException e) {
            // It is not there, or not for this device or this user: EINVAL, EPERM.
            return "";
        }
    }

    @Override
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
     * Lists the names that are numbers, without a pattern for each, since there are hundreds once a
     * second.
     */
    @Override
    public List<String> numbers(String folder) {
        String[] all =
                new File(root.toString(), folder).list((parent, name) -> isDigit(name.charAt(0)));
        return all == null ? List.of() : List.of(all);
    }

    private static boolean isDigit(char character) {
        return character >= '0' && character <= '9';
    }

    @Override
    public boolean exists(String file) {
        return Files.exists(root.resolve(file));
    }
}
