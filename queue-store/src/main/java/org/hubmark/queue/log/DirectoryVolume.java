package org.hubmark.queue.log;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A volume that is a folder of a file system; syncs with fdatasync. Any thread.
 *
 * <p>With direct I/O, whole pages are written and read past the page cache (open(2), O_DIRECT): from
 * and to memory that begins at a page, at a page of the file. Everything else goes through the cache, which
 * the kernel keeps coherent with it.
 *
 * @param direct opens a file for direct I/O; null for none
 * @param attributes that new files get: who may read them
 */
public record DirectoryVolume(
        Path folder,
        boolean readOnly,
        @Nullable OpenOption direct,
        List<FileAttribute<?>> attributes)
        implements Volume {
    /**
     * Uses a folder through the page cache, making it where there is none.
     *
     * @param attributes that new files get: who may read them
     */
    public DirectoryVolume(Path folder, FileAttribute<?>... attributes) throws IOException {
        this(Files.createDirectories(folder), false, null, List.of(attributes));
    }

    /** {@return a volume whose files can only be read} */
    public static DirectoryVolume readOnly(Path folder) {
        return new DirectoryVolume(folder, true, null, List.of());
    }

    /**
     * {@return a volume with direct I/O}
     *
     * @throws IOException if this Java runtime has none; one that the file system lacks shows when a
     *     file is opened
     */
    public static DirectoryVolume direct(Path folder, FileAttribute<?>... attributes)
            throws IOException {
        return new DirectoryVolume(folder, attributes).withDirectIo(DirectIo.openOption());
    }

    /** {@return the same folder with direct I/O} The file system must have it. */
    DirectoryVolume withDirectIo(OpenOption option) {
        return new DirectoryVolume(folder, readOnly, option, attributes);
    }

    @Override
    public List<String> list() throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.filter(Files::isRegularFile)
                    .map(path -> path.getFileName().toString())
                    .sorted()
                    .toList();
        }
    }

    @Override
    public VolumeFile create(String name) throws IOException {
        return open(name, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }

    @Override
    public VolumeFile open(String name) throws IOException {
        return readOnly ? openToRead(name) : open(name, StandardOpenOption.WRITE);
    }

    @Override
    public VolumeFile openToRead(String name) throws IOException {
        Path path = folder.resolve(name);
        // Of what is read only nothing is read in whole pages into aligned memory.
        return new DirectoryFile(
                path, List.of(FileChannel.open(path, StandardOpenOption.READ)), null);
    }

    @Override
    public void rename(String from, String to) throws IOException {
        // Not ATOMIC_MOVE, which replaces. In one folder this is a rename too, and nobody else
        // makes
        // names here: the volume is locked.
        Files.move(folder.resolve(from), folder.resolve(to));
    }

    @Override
    public void delete(String name) throws IOException {
        Files.delete(folder.resolve(name));
    }

    @Override
    public void syncNames() throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    @Override
    public long freeBytes() throws IOException {
        return Files.getFileStore(folder).getUsableSpace();
    }

    @Override
    public String describe(String name) {
        return folder.resolve(name).toString();
    }

    private VolumeFile open(String name, OpenOption... options) throws IOException {
        Path path = folder.resolve(name);
        List<FileChannel> opened = new ArrayList<>();
        try {
            FileChannel writing = FileChannel.open(
                    path, Set.of(options), attributes.toArray(new FileAttribute<?>[0]));
            opened.add(writing);
            opened.addFirst(FileChannel.open(path, StandardOpenOption.READ));
            if (direct != null) {
                opened.add(FileChannel.open(path, StandardOpenOption.WRITE, direct));
                opened.add(FileChannel.open(path, StandardOpenOption.READ, direct));
            }
            return new DirectoryFile(path, opened, direct);
        } catch (IOException | UnsupportedOperationException e) {
            for (FileChannel channel : opened) {
                channel.close();
            }
            throw e instanceof IOException failure
                    ? failure
                    : new IOException(path + ": no direct I/O: " + e.getMessage(), e);
        }
    }

    /**
     * A file with one channel for readers and another for the writer, if there is one: an interrupt
     * closes the channel that the interrupted thread uses, and it must not be the writer's. With direct
     * I/O there is a second pair, for whole pages.
     */
    private static final class DirectoryFile implements VolumeFile {
        private final ReadChannel reading;
        private final @Nullable WriteChannel writing;
        private final @Nullable WriteChannel directWriting;
        private final @Nullable ReadChannel directReading;

        DirectoryFile(Path path, List<FileChannel> opened, @Nullable OpenOption direct) {
            this.reading = new ReadChannel(path, opened.getFirst(), StandardOpenOption.READ);
            this.writing = opened.size() > 1 ? new WriteChannel(opened.get(1)) : null;
            if (direct == null) {
                this.directWriting = null;
                this.directReading = null;
            } else {
                this.directWriting = new WriteChannel(opened.get(2));
                this.directReading =
                        new ReadChannel(path, opened.get(3), StandardOpenOption.READ, direct);
            }
        }

        @Override
        public long length() throws IOException {
            return reading.length();
        }

        @Override
        public int write(long position, ByteBuffer[] buffers, int bufferCount) throws IOException {
            boolean past = directWriting != null
                    && position % LogFormat.PAGE_BYTES == 0
                    && Pages.areIn(buffers, bufferCount);
            return Objects.requireNonNull(past ? directWriting : writing)
                    .write(position, buffers, bufferCount);
        }

        @Override
        public int read(long position, ByteBuffer target) throws IOException {
            boolean past = directReading != null
                    && position % LogFormat.PAGE_BYTES == 0
                    && Pages.areIn(target);
            return (past ? Objects.requireNonNull(directReading) : reading).read(position, target);
        }

        @Override
        public void sync() throws IOException {
            sync(0);
        }

        @Override
        public int syncsAtOnce() {
            return directWriting == null ? 1 : 2;
        }

        @Override
        public void sync(int descriptor) throws IOException {
            WriteChannel chosen =
                    descriptor == 0 || directWriting == null ? writing : directWriting;
            Objects.requireNonNull(chosen).channel.force(false);
        }

        @Override
        public void endWriting() throws IOException {
            if (writing != null) {
                writing.channel.close();
            }
            if (directWriting != null) {
                directWriting.channel.close();
            }
        }

        @Override
        public void close() throws IOException {
            reading.close();
            endWriting();
            if (directReading != null) {
                directReading.close();
            }
        }
    }

    /** Writes from where the last write ended without a seek, so that it is one system call. */
    private static final class WriteChannel {
        private final FileChannel channel;
        private long nextPosition;

        WriteChannel(FileChannel channel) {
            this.channel = channel;
        }

        int write(long position, ByteBuffer[] buffers, int bufferCount) throws IOException {
            int calls = 0;
            if (position != nextPosition) {
                channel.position(position);
            }
            // Where the channel stands is unknown if this fails, so the next write seeks.
            nextPosition = -1;
            long end = position;
            int first = 0;
            while (first < bufferCount) {
                end += channel.write(buffers, first, bufferCount - first);
                calls++;
                while (first < bufferCount && !buffers[first].hasRemaining()) {
                    first++;
                }
            }
            nextPosition = end;
            return calls;
        }
    }

    /** Reads, and opens the file again when the thread that was reading has been interrupted. */
    private static final class ReadChannel {
        private final Path path;
        private final OpenOption[] options;
        private final boolean wholePages;
        private volatile FileChannel channel;
        private volatile boolean closed;

        /** Options are those by which the channel was opened, and will be again. */
        ReadChannel(Path path, FileChannel channel, OpenOption... options) {
            this.path = path;
            this.options = options;
            this.wholePages = options.length > 1;
            this.channel = channel;
        }

        int read(long position, ByteBuffer target) throws IOException {
            int start = target.position();
            boolean interrupted = false;
            try {
                while (target.hasRemaining()) {
                    FileChannel reading = channel;
                    try {
                        int count = reading.read(target, position + target.position() - start);
                        if (count < 0 || (wholePages && count % LogFormat.PAGE_BYTES != 0)) {
                            // The second is the end of a file that was cut off.
                            break;
                        }
                    } catch (AsynchronousCloseException e) {
                        interrupted |= Thread.interrupted();
                        reopen();
                    } catch (ClosedChannelException e) {
                        reopen();
                    }
                }
            } finally {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
            return target.position() - start;
        }

        long length() throws IOException {
            return channel.size();
        }

        synchronized void close() throws IOException {
            closed = true;
            channel.close();
        }

        private synchronized void reopen() throws IOException {
            if (closed) {
                throw new ClosedChannelException();
            }
            if (!channel.isOpen()) {
                channel = FileChannel.open(path, options);
            }
        }
    }
}
