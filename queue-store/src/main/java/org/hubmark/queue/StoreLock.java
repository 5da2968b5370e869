package org.hubmark.queue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps a second process, or a second store of this one, from writing to a queue: a locked file on
 * the queue volume that holds the number of the process. The kernel frees it when the process ends.
 */
final class StoreLock implements AutoCloseable {
    static final String FILE = "hubmark-lock";

    /**
     * What this process has locked. A POSIX lock goes when its process closes any descriptor of the
     * file, so this process must not even look into a file that it has locked.
     */
    private static final Set<Path> HELD_HERE = ConcurrentHashMap.newKeySet();

    private final Path file;
    private final FileChannel channel;
    private final FileLock lock;

    private StoreLock(Path file, FileChannel channel, FileLock lock) {
        this.file = file;
        this.channel = channel;
        this.lock = lock;
    }

    /**
     * Locks a queue.
     *
     * @throws StoreException if it is in use; the message names the process
     */
    static StoreLock acquire(Path queueVolume) throws IOException {
        Files.createDirectories(queueVolume);
        Path file = queueVolume.toRealPath().resolve(FILE);
        if (!HELD_HERE.add(file)) {
            throw inUse(queueVolume, String.valueOf(ProcessHandle.current().pid()));
        }
        boolean locked = false;
        FileChannel channel = null;
        try {
            channel = FileChannel.open(
                    file,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE);
            FileLock lock = channel.tryLock();
            if (lock == null) {
                throw inUse(queueVolume, Files.readString(file).strip());
            }
            channel.truncate(0);
            String process = ProcessHandle.current().pid() + "\n";
            channel.write(ByteBuffer.wrap(process.getBytes(StandardCharsets.US_ASCII)), 0);
            locked = true;
            return new StoreLock(file, channel, lock);
        } finally {
            if (!locked) {
                if (channel != null) {
                    channel.close();
                }
                HELD_HERE.remove(file);
            }
        }
    }

    @Override
    public void close() throws IOException {
        lock.release();
        channel.close();
        HELD_HERE.remove(file);
    }

    private static StoreException inUse(Path queueVolume, String process) {
        return new StoreException("the queue on " + queueVolume + " is in use by process "
                + (process.isEmpty() ? "(number not known)" : process)
                + "; stop it first, or use a command that only reads");
    }
}
