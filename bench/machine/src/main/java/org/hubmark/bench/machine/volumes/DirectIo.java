package org.hubmark.bench.machine.volumes;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Files past the page cache. */
final class DirectIo {
    /** Of memory and file, as O_DIRECT asks for on every disk of today. */
    static final int ALIGNMENT_BYTES = 4096;

    private DirectIo() {}

    /**
     * {@return a channel past the page cache, or null where the file system has none}
     *
     * @param file is there; a multiple of {@link #ALIGNMENT_BYTES} is written to its start
     * @param data for that, aligned
     */
    static @Nullable FileChannel open(Path file, ByteBuffer data) throws IOException {
        OpenOption option = option();
        if (option == null) {
            return null;
        }
        FileChannel channel;
        try {
            channel = FileChannel.open(
                    file, StandardOpenOption.READ, StandardOpenOption.WRITE, option);
        } catch (UnsupportedOperationException | FileSystemException e) {
            return null;
        }
        try {
            // Some take the flag and refuse the first use.
            write(channel, data, 0);
            return channel;
        } catch (IOException e) {
            channel.close();
            return null;
        }
    }

    /** {@return memory as such a file wants it} */
    static ByteBuffer buffer(int bytes) {
        ByteBuffer buffer =
                ByteBuffer.allocateDirect(bytes + ALIGNMENT_BYTES).alignedSlice(ALIGNMENT_BYTES);
        return buffer.slice(0, bytes);
    }

    /** Writes all that is left of the data. */
    static void write(FileChannel channel, ByteBuffer data, long at) throws IOException {
        long position = at;
        while (data.hasRemaining()) {
            position += channel.write(data, position);
        }
    }

    /** By its name: the compiler warns of a class of the JDK that is not in Java SE. */
    private static @Nullable OpenOption option() {
        try {
            Object[] options =
                    Class.forName("com.sun.nio.file.ExtendedOpenOption").getEnumConstants();
            for (Object option : options) {
                if (option.toString().equals("DIRECT")) {
                    return (OpenOption) option;
                }
            }
            return null;
        } catch (ClassNotFoundException e) {
            return null;
        }
    }
}
