package org.hubmark.bench.machine;

import org.hubmark.core.FileOwners;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * Mark that this process measures, for the same user's other runs: a file in a folder of the user's
 * own, locked as long as it measures. The lock ends with the process, however that ends, so that none
 * is stale; the file says whose it is. One thread.
 */
public final class MeasuringRun implements AutoCloseable {
    /** Names another folder than the user's, for tests: JVMs that share none don't see each other. */
    public static final String FOLDER_PROPERTY = "hubmark.measuring.folder";

    /** Where all runs of this user look. */
    public static final Path FOLDER = Path.of(System.getProperty(
            FOLDER_PROPERTY,
            System.getProperty("java.io.tmpdir") + "/hubmark-measuring-"
                    + System.getProperty("user.name")));

    private static final int WORDS_MAX = 300;
    private static final int OTHERS_WRITE = 0022;

    /** The number of its process, and something that no other file has. */
    private static final Pattern NAME =
            Pattern.compile("\\d{1,10}-\\p{XDigit}{8}(-\\p{XDigit}{4,12}){4}");

    /** To open one's own file once more and close it would give its lock away: POSIX has it so. */
    private static final Map<Path, String> OWN = new ConcurrentHashMap<>();

    private final Path file;
    private final @Nullable FileChannel channel;

    private MeasuringRun(Path file, @Nullable FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /**
     * Begins. Where the folder can't be made, or is not this user's alone, nobody hears of it, and
     * nothing else is different.
     *
     * @param command its name, without what was given to it
     */
    public static MeasuringRun begin(Path folder, String command) {
        long processId = ProcessHandle.current().pid();
        Path file = folder.resolve(processId + "-" + UUID.randomUUID());
        try {
            makeOwn(folder);
            FileChannel channel =
                    FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            String words = "process " + processId + (command.isBlank() ? "" : ": " + command);
            channel.write(ByteBuffer.wrap(words.getBytes(StandardCharsets.UTF_8)));
            // Nobody else has reason to lock it; without the lock it counts for nothing.
            FileLock lock = channel.tryLock();
            OWN.put(file, words);
            return new MeasuringRun(file, lock == null ? null : channel);
        } catch (IOException e) {
            return new MeasuringRun(file, null);
        }
    }

    private static void makeOwn(Path folder) throws IOException {
        try {
            Files.createDirectory(
                    folder,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rwx------")));
        } catch (FileAlreadyExistsException e) {
            String other = FileOwners.other(folder);
            int mode = (Integer) Files.getAttribute(folder, "unix:mode", LinkOption.NOFOLLOW_LINKS);
            if (other != null
                    || (mode & OTHERS_WRITE) != 0
                    || !Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
                throw new FileSystemException(folder.toString(), null, other);
            }
        }
    }

    /** {@return the other runs that measure now, each by its process and command} */
    public List<String> others() {
        List<String> others = new ArrayList<>();
        if (channel == null) {
            return others;
        }
        try (DirectoryStream<Path> all =
                Files.newDirectoryStream(Objects.requireNonNull(file.getParent()))) {
            for (Path other : all) {
                String words = other.equals(file) ? null : words(other);
                if (words != null) {
                    others.add(words.substring(0, Math.min(words.length(), WORDS_MAX))
                            .replaceAll("\\p{Cntrl}", " "));
                }
            }
        } catch (IOException e) {
            return List.of();
        }
        others.sort(null);
        return others;
    }

    /** {@return what a mark says; null once its process has ended, and then it is taken away} */
    private static @Nullable String words(Path other) {
        String own = OWN.get(other);
        if (own != null) {
            return own;
        }
        // To open a pipe waits for whoever writes to it, and what no run has named so is no mark.
        if (!Files.isRegularFile(other, LinkOption.NOFOLLOW_LINKS)
                || !NAME.matcher(String.valueOf(other.getFileName())).matches()) {
            return null;
        }
        try (FileChannel channel = FileChannel.open(
                        other, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
                FileLock lock = channel.tryLock(0, Long.MAX_VALUE, true)) {
            if (lock != null) {
                Files.deleteIfExists(other);
                return null;
            }
            return new String(
                    Channels.newInputStream(channel).readNBytes(WORDS_MAX), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return null;
        }
    }

    @Override
    public void close() {
        OWN.remove(file);
        if (channel != null) {
            try (channel) {
                Files.deleteIfExists(file);
            } catch (IOException e) {
                // Another run takes it away, since nobody locks it any more.
            }
        }
    }
}
