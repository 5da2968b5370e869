package org.hubmark.bench.machine;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Mark that this process measures, for all others on the machine: a file in a shared folder, locked
 * as long as it measures. The lock ends with the process, however that ends, so that none is stale;
 * the file says whose it is. Others may put anything into the folder: only a file that this process
 * has made is written, and no link is followed. One thread.
 */
public final class MeasuringRun implements AutoCloseable {
    /** Names another folder than the machine's, for tests: JVMs that share none don't see each other. */
    public static final String FOLDER_PROPERTY = "hubmark.measuring.folder";

    /** Where all look, of whatever user. */
    public static final Path FOLDER = Path.of(System.getProperty(
            FOLDER_PROPERTY, System.getProperty("java.io.tmpdir") + "/hubmark-measuring"));

    private static final int WORDS_MAX = 300;

    /** All may write, and nobody takes away what is another's: the sticky bit. */
    private static final int FOLDER_MODE = 01777;

    /** To open one's own file once more and close it would give its lock away: POSIX has it so. */
    private static final Set<Path> OWN = ConcurrentHashMap.newKeySet();

    private final Path file;
    private final @Nullable FileChannel channel;

    private MeasuringRun(Path file, @Nullable FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /**
     * Begins. Where the folder can't be written nobody hears of it, and nothing else is different.
     *
     * @param command as it was given
     */
    public static MeasuringRun begin(Path folder, String command) {
        long processId = ProcessHandle.current().pid();
        Path file = folder.resolve(processId + "-" + UUID.randomUUID());
        try {
            share(folder);
            FileChannel channel =
                    FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            String words = "process " + processId + (command.isBlank() ? "" : ": " + command);
            channel.write(ByteBuffer.wrap(words.getBytes(StandardCharsets.UTF_8)));
            // Nobody else has reason to lock it; without the lock it counts for nothing.
            FileLock lock = channel.tryLock();
            OWN.add(file);
            return new MeasuringRun(file, lock == null ? null : channel);
        } catch (IOException e) {
            return new MeasuringRun(file, null);
        }
    }

    private static void share(Path folder) throws IOException {
        try {
            Files.createDirectory(folder);
            Files.setAttribute(folder, "unix:mode", FOLDER_MODE);
        } catch (FileAlreadyExistsException e) {
            if (!isFolder(folder)) {
                throw e;
            }
        }
    }

    private static boolean isFolder(Path folder) {
        return Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS);
    }

    /** {@return the other runs that measure now, each by its process and command} */
    public List<String> others() {
        List<String> others = new ArrayList<>();
        Path folder = file.getParent();
        if (folder == null || !isFolder(folder)) {
            return others;
        }
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder)) {
            for (Path other : all) {
                if (!other.equals(file) && runs(other)) {
                    others.add(words(other));
                }
            }
        } catch (IOException e) {
            // What can't be read tells of nobody.
            return List.of();
        }
        others.sort(null);
        return others;
    }

    private static boolean runs(Path other) {
        if (OWN.contains(other)) {
            return true;
        }
        // To open a pipe waits for whoever writes to it.
        if (!Files.isRegularFile(other, LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        try (FileChannel channel = FileChannel.open(
                        other, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
                FileLock lock = channel.tryLock(0, Long.MAX_VALUE, true)) {
            if (lock != null) {
                // Whoever made it is gone.
                Files.deleteIfExists(other);
            }
            return lock == null;
        } catch (IOException e) {
            // It has just ended, or belongs to somebody who hides it or to nobody.
            return false;
        }
    }

    /** A line of somebody else's, as long as one can read. */
    private static String words(Path other) throws IOException {
        byte[] octets;
        try (var in = Files.newInputStream(other, LinkOption.NOFOLLOW_LINKS)) {
            octets = in.readNBytes(WORDS_MAX);
        }
        return new String(octets, StandardCharsets.UTF_8).replaceAll("\\p{Cntrl}", " ");
    }

    @Override
    public void close() throws IOException {
        OWN.remove(file);
        if (channel != null) {
            Files.deleteIfExists(file);
            channel.close();
        }
    }
}
