package org.hubmark.bench.qualify.pages;

import org.hubmark.bench.machine.devices.VolumeStack;
import org.hubmark.bench.machine.folders.Folders;
import org.hubmark.core.FileErrors;
import org.hubmark.core.UserError;
import org.hubmark.queue.StoreLock;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Where one database lies.
 *
 * @param instance its name in results
 * @param database the folder of its pages
 * @param log the folder of its log
 */
public record DatabasePlace(String instance, Path database, Path log) {
    private static final String LOST_FOUND = "lost+found";
    private static final String DATABASE = "hubmark-db";
    private static final String LOG = "hubmark-log";

    /** {@return places for so many databases, the volumes dealt out in turn} */
    public static List<DatabasePlace> deal(
            List<Path> databaseVolumes, List<Path> logVolumes, int count) {
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
    public static void requireNothingElse(Path volume) throws IOException {
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
     * Refuses what has its name and is no database.
     *
     * @throws UserError that names it
     */
    public void requireOurs() {
        if (Files.exists(database) && !Files.exists(pages())) {
            throw UserError.failed(database + " exists and is not a Hubmark database: move it away,"
                    + " or name another --database-volume");
        }
    }

    /**
     * {@return what is thrown when something failed, in one line} It names the volume that is full.
     *
     * @param what failed
     * @param said why; it names the file
     */
    IOException failed(String what, String said, Exception cause) {
        String first = said.lines().findFirst().orElse("");
        String text = "the database " + database + " " + what + ": " + first;
        if (first.contains("No space left")) {
            boolean isLog = first.contains(log.toString());
            text = "the " + (isLog ? "log" : "database") + " volume is full, at "
                    + (isLog ? log : database)
                    + ": make room there, or name a larger one or a smaller --database-size ("
                    + text + ")";
        }
        return new IOException(text, cause);
    }

    /**
     * {@return what the volume of one of these folders lies on}
     *
     * @param volumes gets the volume, the first that lies there
     */
    public static String device(Path folder, Map<String, Path> volumes) throws IOException {
        Path volume = folder.getParent() == null ? Path.of(".") : folder.getParent();
        String device = device(volume);
        volumes.putIfAbsent(device, volume);
        return device;
    }

    /** {@return what a folder lies on: its device, or a file system without one} */
    public static String device(Path folder) throws IOException {
        String device = VolumeStack.of(folder).deviceName();
        return device == null ? Files.getFileStore(folder).toString() : device;
    }

    /** Takes away what is there. */
    public void delete() throws IOException {
        for (Path folder : List.of(database, log)) {
            if (Files.isDirectory(folder)) {
                Folders.delete(folder);
            }
        }
    }

    /** {@return octets of the database, without the log} */
    public long databaseBytes() throws IOException {
        return bytes(List.of(this));
    }

    /** {@return octets of several databases, without their logs} */
    public static long bytes(List<DatabasePlace> places) throws IOException {
        long bytes = 0;
        for (DatabasePlace place : places) {
            bytes += Files.exists(place.pages()) ? Files.size(place.pages()) : 0;
        }
        return bytes;
    }

    /** {@return the file of its pages; absent where there is no database} */
    public Path pages() {
        return database.resolve(PageStore.FILE);
    }
}
