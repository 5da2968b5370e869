package org.hubmark.bench.machine.volumes;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/** Files past the page cache. */
public final class DirectFiles {
    /** Alignment of memory and file that O_DIRECT needs on every disk of today. */
    public static final int ALIGNMENT_BYTES = 4096;

    private DirectFiles() {}

    /** {@return a channel past the page cache to a file that is there, or null where the file system has none} */
    static @Nullable FileChannel open(Path file) throws IOException {
        FileChannel channel;
        try {
            channel = direct(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
        } catch (FileSystemException e) {
            return null;
        }
        try {
            // Some take the flag and refuse the first use.
            write(channel, buffer(ALIGNMENT_BYTES), 0);
            return channel;
        } catch (IOException e) {
            channel.close();
            return null;
        }
    }

    private static FileChannel direct(Path file, OpenOption... options) throws IOException {
        Set<OpenOption> all = new HashSet<>(List.of(options));
        try {
            all.add(option());
            return FileChannel.open(file, all);
        } catch (UnsupportedOperationException e) {
            throw new FileSystemException(
                    file.toString(), null, "can't be opened past the page cache");
        }
    }

    /**
     * {@return a channel that reads a file past the page cache}
     *
     * @throws IOException where the file system has no such thing
     */
    public static FileChannel openForReading(Path file) throws IOException {
        return direct(file, StandardOpenOption.READ);
    }

    /**
     * {@return a channel that reads and writes a file past the page cache; the file is made if it isn't there}
     *
     * @throws IOException where the file system has no such thing
     */
    public static FileChannel openForWriting(Path file) throws IOException {
        return direct(
                file,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.CREATE,
                LinkOption.NOFOLLOW_LINKS);
    }

    /** {@return whether files in a folder can be read and written past the page cache; one is tried} */
    public static boolean arePossible(Path folder) throws IOException {
        Path file = Files.createTempFile(folder, ".hubmark-look-", ".tmp");
        try (FileChannel channel = open(file)) {
            return channel != null;
        } finally {
            Files.delete(file);
        }
    }

    /** {@return memory as such a file wants it} */
    public static ByteBuffer buffer(int bytes) {
        ByteBuffer buffer =
                ByteBuffer.allocateDirect(bytes + ALIGNMENT_BYTES).alignedSlice(ALIGNMENT_BYTES);
        return buffer.slice(0, bytes);
    }

    /** {@return such memory full of what is always the same, but no zeros, which a device might not write} */
    static ByteBuffer noise(int bytes) {
        byte[] noise = new byte[bytes];
        new SplittableRandom(1).nextBytes(noise);
        return buffer(bytes).put(0, noise);
    }

    /** Writes all that is left of the data. */
    public static void write(FileChannel channel, ByteBuffer data, long at) throws IOException {
        long position = at;
        while (data.hasRemaining()) {
            position += channel.write(data, position);
        }
    }

    /** By its name: the compiler warns of a class of the JDK that is not in Java SE. */
    private static OpenOption option() {
        try {
            Object[] options =
                    Class.forName("com.sun.nio.file.ExtendedOpenOption").getEnumConstants();
            return (OpenOption) Arrays.stream(options)
                    .filter(option -> option.toString().equals("DIRECT"))
                    .findFirst()
                    .orElseThrow();
        } catch (ClassNotFoundException e) {
            throw new UnsupportedOperationException("no files past the page cache", e);
        }
    }
}
