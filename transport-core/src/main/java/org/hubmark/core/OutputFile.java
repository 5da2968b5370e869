package org.hubmark.core;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Writes the files that a command leaves behind. None goes through a symbolic link that somebody else
 * has put in its place: each is a new file, which is moved to its name or is written under it. The
 * permissions are those of the umask; mail is written by {@link PrivateFiles}. Any thread.
 */
public final class OutputFile {
    private OutputFile() {}

    /** Writes what a file is to hold. */
    @FunctionalInterface
    public interface Content {
        /** Writes all of it; the caller closes the stream. */
        void writeTo(OutputStream out) throws IOException;
    }

    /** Writes a text in UTF-8; a file that is there is replaced at once, or stays. */
    public static void write(Path file, String text) throws IOException {
        write(file, out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
    }

    /**
     * Writes a file that is whole or is not there, also where the disk is full; one that is there is
     * replaced at once, or stays. A pipe or device that the user names, as /dev/stdout, is written to
     * where nobody else could have put it.
     */
    public static void write(Path file, Content content) throws IOException {
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            writeTo(file, content);
            return;
        }
        Path part = file.resolveSibling("." + file.getFileName() + "."
                + Long.toHexString(ThreadLocalRandom.current().nextLong()) + ".part");
        try {
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(
                    part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE))) {
                content.writeTo(out);
            }
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(part);
        }
    }

    private static void writeTo(Path device, Content content) throws IOException {
        Path folder = device.toAbsolutePath().getParent();
        String other = folder == null ? null : FileOwners.other(folder);
        if (Files.isDirectory(device) || other != null) {
            throw new FileSystemException(device.toString(), null, "Not a regular file");
        }
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(device))) {
            content.writeTo(out);
        }
    }

    /** Begins a file that is written to line by line; what has its name is taken away first. */
    public static OutputStream begin(Path file) throws IOException {
        Files.deleteIfExists(file);
        // By the option to append, a cut leaves no hole.
        return Files.newOutputStream(
                file, StandardOpenOption.CREATE_NEW, StandardOpenOption.APPEND);
    }

    /** {@return where more is written behind what such a file has} */
    public static OutputStream append(Path file) throws IOException {
        return Files.newOutputStream(
                file,
                StandardOpenOption.WRITE,
                StandardOpenOption.APPEND,
                LinkOption.NOFOLLOW_LINKS);
    }

    /** Takes off the end of such a file. */
    public static void cut(Path file, long lengthBytes) throws IOException {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
            channel.truncate(lengthBytes);
        }
    }

    /**
     * {@return where a process writes what it says, behind what is there}
     *
     * @throws IOException also if a link is there, which the process would follow
     */
    public static ProcessBuilder.Redirect log(Path file) throws IOException {
        Files.newOutputStream(
                        file,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.APPEND,
                        LinkOption.NOFOLLOW_LINKS)
                .close();
        return ProcessBuilder.Redirect.appendTo(file.toFile());
    }
}
