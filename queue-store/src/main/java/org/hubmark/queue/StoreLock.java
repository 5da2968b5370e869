package org.hubmark.queue;

import org.hubmark.core.PrivateFiles;
import org.hubmark.core.StoreException;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps a second process, or a second store of this one, from writing to a volume: a locked file on
 * it that holds the number of the process. The kernel frees it when the process ends. Each of a
 * store's volumes has one, since a copy of the one may be used with the other. Other programs that
 * change files on a volume take the same lock. Any thread.
 */
public final class StoreLock implements AutoCloseable {
    /** The name of the locked file; on a volume that nobody uses it says nothing. */
    public static final String FILE = "hubmark-lock";

    /** In a file that is no longer on the volume, for whoever opened it when it still was. */
    private static final String REMOVED = "removed";

    /** Any content is shorter. */
    private static final int CONTENT_BYTES_MAX = 64;

    /** Each time, another process took the lock and removed the file within a moment. */
    private static final int ATTEMPTS_MAX = 100;

    /**
     * What this process has locked. A POSIX lock goes when its process closes any descriptor of the
     * file, so this process must not even look into a file that it has locked.
     */
    private static final Set<Path> HELD_HERE = ConcurrentHashMap.newKeySet();

    private final Path file;
    private final FileChannel channel;

    private StoreLock(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /**
     * Locks a volume, making the folder where there is none.
     *
     * @throws StoreException if it is in use; the message names the process
     */
    public static StoreLock acquire(Path volume) throws IOException {
        return acquire(volume, "the queue on " + volume);
    }

    /** Does the same; a message says which volume it is. */
    static StoreLock acquire(Path volume, StoreIdentity.Role role) throws IOException {
        return acquire(volume, "the " + role.text() + " volume " + volume);
    }

    private static StoreLock acquire(Path volume, String name) throws IOException {
        PrivateFiles.createFolders(volume);
        Path file = volume.toRealPath().resolve(FILE);
        if (!HELD_HERE.add(file)) {
            throw inUse(name, ownProcess());
        }
        StoreLock acquired = null;
        try {
            for (int i = 0; i < ATTEMPTS_MAX && acquired == null; i++) {
                acquired = lock(file, name);
            }
            if (acquired == null) {
                throw new StoreException(
                        file + " can't be locked: it is marked as removed; delete it");
            }
            return acquired;
        } finally {
            if (acquired == null) {
                HELD_HERE.remove(file);
            }
        }
    }

    /** {@return the lock; null if its holder removed the file after it was opened here} */
    private static @Nullable StoreLock lock(Path file, String name) throws IOException {
        FileChannel channel = PrivateFiles.open(file);
        boolean locked = false;
        try {
            // Closing the channel frees it.
            FileLock lock = channel.tryLock();
            String content = content(channel);
            if (lock == null) {
                throw inUse(name, content);
            }
            if (content.equals(REMOVED)) {
                return null;
            }
            write(channel, ownProcess());
            locked = true;
            return new StoreLock(file, channel);
        } finally {
            if (!locked) {
                channel.close();
            }
        }
    }

    /** {@return the number of the process that uses a volume, if one does} Changes nothing. */
    public static Optional<String> holder(Path volume) throws IOException {
        if (!Files.isDirectory(volume)) {
            return Optional.empty();
        }
        Path file = volume.toRealPath().resolve(FILE);
        if (!HELD_HERE.add(file)) {
            return Optional.of(ownProcess());
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
                FileLock lock = channel.tryLock(0, Long.MAX_VALUE, true)) {
            return lock == null ? Optional.of(known(content(channel))) : Optional.empty();
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } finally {
            HELD_HERE.remove(file);
        }
    }

    /** Frees the volume and removes the file; others that wait with it open are told. */
    public void remove() throws IOException {
        try {
            Files.deleteIfExists(file);
            write(channel, REMOVED);
        } finally {
            close();
        }
    }

    @Override
    public void close() throws IOException {
        try {
            channel.close();
        } finally {
            HELD_HERE.remove(file);
        }
    }

    private static String content(FileChannel channel) throws IOException {
        ByteBuffer octets = ByteBuffer.allocate(CONTENT_BYTES_MAX);
        channel.read(octets, 0);
        return new String(octets.array(), 0, octets.position(), StandardCharsets.US_ASCII).strip();
    }

    private static void write(FileChannel channel, String content) throws IOException {
        channel.truncate(0);
        channel.write(ByteBuffer.wrap((content + "\n").getBytes(StandardCharsets.US_ASCII)), 0);
    }

    private static String ownProcess() {
        return String.valueOf(ProcessHandle.current().pid());
    }

    private static String known(String process) {
        return process.isEmpty() ? "(number not known)" : process;
    }

    private static StoreException inUse(String name, String process) {
        return new StoreException(name + " is in use by process " + known(process)
                + "; stop it first, or use a command that only reads");
    }
}
