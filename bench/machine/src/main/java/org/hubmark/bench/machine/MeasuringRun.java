package org.hubmark.bench.machine;

import org.hubmark.core.FileOwners;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Mark that this process measures, for all others on the machine: a file in a shared folder, locked
 * as long as it measures. The lock ends with the process, however that ends, so that none is stale;
 * the file says whose it is. Others may put anything into the folder, so it is one that nobody but root
 * and this user can exchange, all is done within the folder that was opened, no link is followed, only
 * this user's files are deleted, and a mark counts only where its process is its owner's. One thread.
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

    /** The number of its process, and something that no other file has. */
    private static final Pattern NAME = Pattern.compile("(\\d{1,10})-.*");

    /** To open one's own file once more and close it would give its lock away: POSIX has it so. */
    private static final Map<Path, String> OWN = new ConcurrentHashMap<>();

    private final Path file;
    private final @Nullable FileChannel channel;

    private MeasuringRun(Path file, @Nullable FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /**
     * Begins. Where the folder can't be written nobody hears of it, and nothing else is different.
     *
     * @param command its name, without what was given to it: everybody can read it
     */
    public static MeasuringRun begin(Path folder, String command) {
        long processId = ProcessHandle.current().pid();
        Path file = folder.resolve(processId + "-" + UUID.randomUUID());
        try {
            share(folder);
            try (SecureDirectoryStream<Path> shared = open(folder)) {
                FileChannel channel = channel(
                        shared, file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
                String words = "process " + processId + (command.isBlank() ? "" : ": " + command);
                channel.write(ByteBuffer.wrap(words.getBytes(StandardCharsets.UTF_8)));
                // Nobody else has reason to lock it; without the lock it counts for nothing.
                FileLock lock = channel.tryLock();
                OWN.put(file, words);
                return new MeasuringRun(file, lock == null ? null : channel);
            }
        } catch (IOException e) {
            return new MeasuringRun(file, null);
        }
    }

    private static void share(Path folder) throws IOException {
        try {
            Files.createDirectory(folder);
            Files.setAttribute(folder, "unix:mode", FOLDER_MODE);
        } catch (FileAlreadyExistsException e) {
            // Looked at when it is opened.
        }
    }

    /** Opens the folder itself, and no link, if nobody else can exchange it or what is in it. */
    @SuppressWarnings("StreamResourceLeak") // the caller closes it
    private static SecureDirectoryStream<Path> open(Path folder) throws IOException {
        String other = FileOwners.other(folder);
        DirectoryStream<Path> stream = Files.newDirectoryStream(folder);
        if (stream instanceof SecureDirectoryStream<Path> secure
                && other == null
                && Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
                && secure.getFileAttributeView(BasicFileAttributeView.class)
                        .readAttributes()
                        .fileKey()
                        .equals(Files.readAttributes(
                                        folder,
                                        PosixFileAttributes.class,
                                        LinkOption.NOFOLLOW_LINKS)
                                .fileKey())) {
            return secure;
        }
        stream.close();
        throw new FileSystemException(folder.toString(), null, other);
    }

    private static FileChannel channel(
            SecureDirectoryStream<Path> folder, Path file, OpenOption... options)
            throws IOException {
        Set<OpenOption> all = new HashSet<>(List.of(options));
        all.add(LinkOption.NOFOLLOW_LINKS);
        SeekableByteChannel channel = folder.newByteChannel(file.getFileName(), all);
        if (channel instanceof FileChannel of) {
            return of;
        }
        channel.close();
        throw new FileSystemException(file.toString(), null, "can't be locked");
    }

    /** {@return the other runs that measure now, each by its process and command} */
    public List<String> others() {
        List<String> others = new ArrayList<>();
        Path folder = file.getParent();
        if (folder == null) {
            return others;
        }
        try (SecureDirectoryStream<Path> shared = open(folder)) {
            for (Path other : shared) {
                if (!other.equals(file)) {
                    String words = words(shared, other);
                    if (words != null) {
                        others.add(words);
                    }
                }
            }
        } catch (IOException e) {
            // What can't be read tells of nobody.
            return List.of();
        }
        others.sort(null);
        return others;
    }

    /** {@return a line of another run, as long as one can read; null if the file is of none} */
    private static @Nullable String words(SecureDirectoryStream<Path> folder, Path other) {
        String own = OWN.get(other);
        if (own != null) {
            return line(own);
        }
        Path name = other.getFileName();
        try {
            PosixFileAttributes is = folder.getFileAttributeView(
                            name, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                    .readAttributes();
            Matcher process = NAME.matcher(name.toString());
            // To open a pipe waits for whoever writes to it.
            if (!is.isRegularFile() || !process.matches()) {
                return null;
            }
            try (FileChannel channel = channel(folder, other, StandardOpenOption.READ);
                    FileLock lock = channel.tryLock(0, Long.MAX_VALUE, true)) {
                boolean ours = is.owner().equals(owner("self"));
                if (lock != null && ours) {
                    // Whoever made it is gone.
                    folder.deleteFile(name);
                }
                boolean runs = lock == null && (ours || is.owner().equals(owner(process.group(1))));
                return runs
                        ? line(new String(
                                Channels.newInputStream(channel).readNBytes(WORDS_MAX),
                                StandardCharsets.UTF_8))
                        : null;
            }
        } catch (IOException e) {
            // It has just ended, or belongs to somebody who hides it or to nobody.
            return null;
        }
    }

    private static UserPrincipal owner(String process) throws IOException {
        return Files.getOwner(Path.of("/proc", process));
    }

    private static String line(String words) {
        return words.substring(0, Math.min(words.length(), WORDS_MAX))
                .replaceAll("\\p{Cntrl}", " ");
    }

    @Override
    public void close() throws IOException {
        OWN.remove(file);
        if (channel != null) {
            try (SecureDirectoryStream<Path> shared =
                    open(Objects.requireNonNull(file.getParent()))) {
                shared.deleteFile(file.getFileName());
            } catch (IOException e) {
                // Somebody else may take it for one whose process has ended; it is.
            } finally {
                channel.close();
            }
        }
    }
}
