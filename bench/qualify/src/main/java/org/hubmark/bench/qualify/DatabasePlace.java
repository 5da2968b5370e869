package org.hubmark.bench.qualify;

import org.hubmark.bench.machine.folders.Folders;
import org.hubmark.bench.qualify.pages.MessagePages;
import org.hubmark.core.FileErrors;
import org.hubmark.core.UserError;
import org.hubmark.queue.StoreLock;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Where one database lies.
 *
 * @param instance its name in results
 * @param database the folder of its tables
 * @param log the folder of its log
 */
record DatabasePlace(String instance, Path database, Path log) {
    private static final String LOST_FOUND = "lost+found";
    private static final String DATABASE = "hubmark-db";
    private static final String LOG = "hubmark-log";

    /** {@return places for so many databases, the volumes dealt out in turn} */
    static List<DatabasePlace> deal(List<Path> databaseVolumes, List<Path> logVolumes, int count) {
        List<DatabasePlace> places = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int number = i + 1;
            places.add(new DatabasePlace(
                    "Instance." + number,
                    databaseVolumes.get(i % databaseVolumes.size()).resolve(DATABASE + number),
                    logVolumes.get(i % logVolumes.size()).resolve(LOG + number)));
        }
        return places;
    }

    /**
     * Refuses a volume that holds something but databases of ours, which an earlier run has kept.
     *
     * @throws UserError that names it
     */
    static void requireNothingElse(Path volume) throws IOException {
        try (Stream<Path> entries = Files.list(volume)) {
            boolean isFree = entries.map(entry -> String.valueOf(entry.getFileName()))
                    .allMatch(name -> name.equals(LOST_FOUND)
                            || name.equals(StoreLock.FILE)
                            || name.startsWith(DATABASE)
                            || name.startsWith(LOG));
            if (!isFree) {
                throw UserError.failed("volume " + volume + " is not empty; name another folder, or"
                        + " empty it if nothing in it is needed");
            }
        } catch (IOException e) {
            throw UserError.failed(
                    "volume " + volume + " can't be read (" + FileErrors.reason(e) + ")");
        }
    }

    /**
     * Refuses what has its name and is no database, or one of another engine.
     *
     * @throws UserError that names it
     */
    void requireOurs(Engine engine) {
        if (!Files.exists(database)) {
            return;
        }
        boolean isLsm = Files.exists(database.resolve("CURRENT"));
        if (!isLsm && !Files.exists(database.resolve(MessagePages.FILE))) {
            throw UserError.failed(database + " exists and is not a database of ours: move it away,"
                    + " or name another --database-volume");
        }
        if (isLsm != (engine == Engine.LSM)) {
            throw UserError.failed(database + " is a database of --engine "
                    + (isLsm ? Engine.LSM : Engine.PAGES)
                    + ": name that engine, or delete the folder");
        }
    }

    /**
     * {@return what is thrown when something failed, in one line} It names the volume that is full.
     *
     * @param what failed
     * @param said why; it names the file
     */
    IOException failed(String what, String said, boolean isFull, Exception cause) {
        String first = said.lines().findFirst().orElse("");
        String text = "the database " + database + " " + what + ": " + first;
        if (!isFull) {
            return new IOException(text, cause);
        }
        boolean isLog = first.contains(log.toString());
        return new IOException(
                "the " + (isLog ? "log" : "database") + " volume is full, at "
                        + (isLog ? log : database)
                        + ": make room there, or name a larger one or a smaller --database-size ("
                        + text + ")",
                cause);
    }

    /** Takes away what is there. */
    void delete() throws IOException {
        for (Path folder : List.of(database, log)) {
            if (Files.isDirectory(folder)) {
                Folders.delete(folder);
            }
        }
    }

    /** {@return octets of all files of the database, without the log} */
    long databaseBytes() throws IOException {
        return bytes(tables());
    }

    /** {@return the files of its tables or pages, in order} Of an open one some may be gone when they are looked at. */
    List<Path> tables() throws IOException {
        List<Path> pages = files(database, MessagePages.FILE);
        return pages.isEmpty() ? files(database, TableFile.SUFFIX) : pages;
    }

    /** {@return the files of its log, in order} */
    List<Path> logs() throws IOException {
        return files(log, LogReplication.SUFFIX);
    }

    /** {@return octets of its log} */
    long logBytes() throws IOException {
        return bytes(logs());
    }

    /** By their names alone: a walk looks at each file, and fails at one that a compaction takes away. */
    private static List<Path> files(Path folder, String suffix) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(suffix))
                    .sorted()
                    .toList();
        }
    }

    private static long bytes(List<Path> files) throws IOException {
        long bytes = 0;
        for (Path file : files) {
            try {
                bytes += Files.size(file);
            } catch (NoSuchFileException e) {
                // Its content is in another table by now.
            }
        }
        return bytes;
    }
}
