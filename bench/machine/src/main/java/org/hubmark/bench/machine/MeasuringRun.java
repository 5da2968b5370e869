package org.hubmark.bench.machine;

import org.hubmark.core.FileOwners;
import org.hubmark.core.OutputFile;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Mark that this process measures, for the same user's other runs: a file in a folder of the user's own, named
 * for its process. One whose process has ended counts no more, and is taken away by who looks. One thread.
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

    /** Null where nobody hears of it. */
    private final @Nullable Path file;

    private MeasuringRun(@Nullable Path file) {
        this.file = file;
    }

    /**
     * Begins. Where the folder can't be made, or is not this user's alone, nobody hears of it, and
     * nothing else is different.
     *
     * @param command its name, without what was given to it
     */
    public static MeasuringRun begin(Path folder, String command) {
        long processId = ProcessHandle.current().pid();
        try {
            makeOwn(folder);
            Path file = folder.resolve(processId + "-" + UUID.randomUUID());
            OutputFile.write(
                    file, "process " + processId + (command.isBlank() ? "" : ": " + command));
            return new MeasuringRun(file);
        } catch (IOException e) {
            return new MeasuringRun(null);
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
        if (file == null) {
            return others;
        }
        try (DirectoryStream<Path> all =
                Files.newDirectoryStream(Objects.requireNonNull(file.getParent()))) {
            for (Path other : all) {
                String name = String.valueOf(other.getFileName());
                // To open a pipe waits for whoever writes to it, and what no run has named so is no
                // mark.
                if (other.equals(file)
                        || !NAME.matcher(name).matches()
                        || !Files.isRegularFile(other, LinkOption.NOFOLLOW_LINKS)) {
                    continue;
                }
                if (runs(Long.parseLong(name.substring(0, name.indexOf('-'))), other)) {
                    String words = Files.readString(other, StandardCharsets.UTF_8);
                    others.add(words.substring(0, Math.min(words.length(), WORDS_MAX))
                            .replaceAll("\\p{Cntrl}", " "));
                } else if (ProcessHandle.of(Long.parseLong(name.substring(0, name.indexOf('-'))))
                        .isEmpty()) {
                    Files.deleteIfExists(other);
                }
            }
        } catch (IOException e) {
            return List.of();
        }
        others.sort(null);
        return others;
    }

    /** A process that began after the file was written has the number of one that has ended. */
    private static boolean runs(long processId, Path mark) throws IOException {
        long written = Files.getLastModifiedTime(mark).toMillis();
        return ProcessHandle.of(processId)
                .filter(ProcessHandle::isAlive)
                .flatMap(process -> process.info().startInstant())
                .filter(begun -> begun.minusSeconds(1).toEpochMilli() <= written)
                .isPresent();
    }

    @Override
    public void close() {
        try {
            if (file != null) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            // Another run takes it away, since its process will have ended.
            return;
        }
    }
}
