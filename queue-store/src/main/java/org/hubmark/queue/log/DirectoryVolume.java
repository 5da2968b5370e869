package org.hubmark.queue.log;

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
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/** A volume that is a folder of a file system; syncs with fdatasync. Any thread. */
public final class DirectoryVolume implements Volume {
    private final Path folder;
    private final boolean readOnly;
    private final FileAttribute<?>[] attributes;

    /**
     * Uses a folder, making it where there is none.
     *
     * @param attributes that new files get: who may read them
     */
    public DirectoryVolume(Path folder, FileAttribute<?>... attributes) throws IOException {
        this(Files.createDirectories(folder), false, attributes.clone());
    }

    private DirectoryVolume(Path folder, boolean readOnly, FileAttribute<?>[] attributes) {
        this.folder = folder;
        this.readOnly = readOnly;
        this.attributes = attributes;
    }

    /** {@return a volume whose files can only be read} */
    public static DirectoryVolume readOnly(Path folder) {
        return new DirectoryVolume(folder, true, new FileAttribute<?>[0]);
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
        return open(name, readOnly ? StandardOpenOption.READ : StandardOpenOption.WRITE);
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
        FileChannel writing;
        try {
            writing = FileChannel.open(path, Set.of(options), attributes);
        } catch (IOException e) {
            throw DirectoryFile.full(e)
                    ? new VolumeFullException(path + ": " + e.getMessage(), e)
                    : e;
        }
        try {
            return new DirectoryFile(path, writing, reading(path));
        } catch (IOException e) {
            writing.close();
            throw e;
        }
    }

    private static FileChannel reading(Path path) throws IOException {
        return FileChannel.open(path, StandardOpenOption.READ);
    }

    /**
     * A file with one channel for the writer and another for readers: an interrupt closes the
     * channel that the interrupted thread uses, and it must not be the writer's.
     */
    private static final class DirectoryFile implements VolumeFile {
        private final Path path;
        private final FileChannel writing;
        private volatile FileChannel reading;
        private volatile boolean closed;
        private long writePosition;

        DirectoryFile(Path path, FileChannel writing, FileChannel reading) {
            this.path = path;
            this.writing = writing;
            this.reading = reading;
        }

        @Override
        public long length() throws IOException {
            return writing.size();
        }

        @Override
        public int write(long position, ByteBuffer[] buffers, int bufferCount) throws IOException {
            int calls = 0;
            try {
                if (position != writePosition) {
                    // Only after a jump, so that steady writing is one system call.
                    writing.position(position);
                    writePosition = position;
                }
                int first = 0;
                while (first < bufferCount) {
                    writePosition += writing.write(buffers, first, bufferCount - first);
                    calls++;
                    while (first < bufferCount && !buffers[first].hasRemaining()) {
                        first++;
                    }
                }
                return calls;
            } catch (IOException e) {
                // Where the channel stands is unknown, so the next write seeks.
                writePosition = -1;
                throw full(e) ? new VolumeFullException(path + ": " + e.getMessage(), e) : e;
            }
        }

        @Override
        public int read(long position, ByteBuffer target) throws IOException {
            int start = target.position();
            boolean interrupted = false;
            try {
                while (target.hasRemaining()) {
                    FileChannel channel = reading;
                    try {
                        int count = channel.read(target, position + target.position() - start);
                        if (count < 0) {
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

        @Override
        public void sync() throws IOException {
            writing.force(false);
        }

        @Override
        public synchronized void close() throws IOException {
            closed = true;
            reading.close();
            writing.close();
        }

        private synchronized void reopen() throws IOException {
            if (closed) {
                throw new ClosedChannelException();
            }
            if (!reading.isOpen()) {
                reading = reading(path);
            }
        }

        static boolean full(IOException e) {
            // The JDK has no type for ENOSPC and EDQUOT, only the text of strerror.
            String message = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
            return message.contains("no space left") || message.contains("quota exceeded");
        }
    }
}
