package org.hubmark.bench.durability.soak;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;

import org.hubmark.bench.kit.document.JsonFile;
import org.hubmark.core.UserError;
import org.jspecify.annotations.Nullable;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The file {@code crashes.jsonl} of a soak: a line a history, which is never changed. One soak at a time has
 * it open for writing: it holds a lock on a file beside it, which ends with its process. Any thread
 * may append.
 */
public final class HistoryFile implements AutoCloseable {
    /** Its name in the folder of a soak. */
    public static final String NAME = "crashes.jsonl";

    /**
     * Not the file itself: a process that reads a file and closes it gives up its lock on it, POSIX has it so.
     */
    private static final String LOCK = "crashes.lock";

    private static final ObjectWriter WRITER =
            JsonFile.mapper().disable(SerializationFeature.INDENT_OUTPUT).writer();
    private static final ObjectReader READER = JsonFile.mapper()
            .readerFor(HistoryLine.class)
            .without(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    private final Contents earlier;
    private final FileChannel lock;
    private final FileOutputStream out;

    /**
     * What is in a file.
     *
     * @param lines the whole ones
     * @param tornBytes of a last line that was not written to its end; 0 where there is none
     */
    public record Contents(List<HistoryLine> lines, long tornBytes) {
        /** Copies. */
        public Contents {
            lines = List.copyOf(lines);
        }

        /** {@return what is to be said of a torn line; null where there is none} */
        public @Nullable String torn(Path folder) {
            return tornBytes == 0
                    ? null
                    : folder.resolve(NAME) + ": the last line is torn (" + tornBytes
                            + " bytes without an end) and is not counted; the soak that wrote it was"
                            + " killed";
        }
    }

    private HistoryFile(Contents earlier, FileChannel lock, FileOutputStream out) {
        this.earlier = earlier;
        this.lock = lock;
        this.out = out;
    }

    /**
     * Opens the file of a folder, which is made where there is none, and takes off a torn last line.
     *
     * @throws UserError when another soak has it open, or a line can't be read
     */
    public static HistoryFile open(Path folder) throws IOException {
        Files.createDirectories(folder);
        Path file = folder.resolve(NAME);
        FileChannel lock = FileChannel.open(
                folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        boolean opened = false;
        try {
            if (!isTaken(lock)) {
                throw UserError.failed("--soak " + folder
                        + " is in use by another soak; wait for its end, or name another folder");
            }
            Contents earlier = Files.exists(file) ? read(folder) : new Contents(List.of(), 0);
            if (earlier.tornBytes > 0) {
                try (RandomAccessFile cut = new RandomAccessFile(file.toFile(), "rw")) {
                    cut.setLength(cut.length() - earlier.tornBytes);
                }
            }
            HistoryFile found =
                    new HistoryFile(earlier, lock, new FileOutputStream(file.toFile(), true));
            opened = true;
            return found;
        } finally {
            if (!opened) {
                lock.close();
            }
        }
    }

    private static boolean isTaken(FileChannel channel) throws IOException {
        try {
            FileLock taken = channel.tryLock();
            return taken != null;
        } catch (OverlappingFileLockException e) {
            // A soak in this JVM.
            return false;
        }
    }

    /**
     * {@return what the file of a folder holds}
     *
     * @throws UserError when there is none, or a line in it is none of a soak
     */
    public static Contents read(Path folder) throws IOException {
        Path file = folder.resolve(NAME);
        if (!Files.isRegularFile(file)) {
            throw UserError.usage("no " + NAME + " in " + folder
                    + "; give the folder of a soak (hubmark durability --soak DIR)");
        }
        byte[] all = Files.readAllBytes(file);
        List<HistoryLine> lines = new ArrayList<>();
        int from = 0;
        for (int at = 0; at < all.length; at++) {
            if (all[at] == '\n') {
                lines.add(line(all, from, at, file, lines.size() + 1));
                from = at + 1;
            }
        }
        return new Contents(lines, all.length - from);
    }

    private static HistoryLine line(byte[] all, int from, int to, Path file, int number) {
        HistoryLine line;
        try {
            line = READER.readValue(all, from, to - from);
        } catch (JacksonException e) {
            throw notALine(file, number, e.getOriginalMessage());
        } catch (IOException e) {
            throw notALine(file, number, String.valueOf(e.getMessage()));
        }
        if (line == null || line.schema() != HistoryLine.SCHEMA) {
            throw notALine(
                    file,
                    number,
                    "it has not the schema " + HistoryLine.SCHEMA + " of this version");
        }
        return line;
    }

    private static UserError notALine(Path file, int number, String why) {
        return UserError.failed(file + ", line " + number + ", is not a line of a soak: "
                + why.lines().findFirst().orElse(""));
    }

    /** {@return what it held when it was opened} */
    public Contents earlier() {
        return earlier;
    }

    /**
     * Adds a line in one write, and syncs it. Whether the thread is interrupted is of no matter, so that no line
     * is torn by that.
     */
    public synchronized void append(HistoryLine line) throws IOException {
        out.write((WRITER.writeValueAsString(line) + "\n").getBytes(StandardCharsets.UTF_8));
        out.getFD().sync();
    }

    @Override
    public void close() throws IOException {
        try (lock) {
            out.close();
        }
    }
}
