package org.hubmark.bench.qualify;

import org.hubmark.bench.machine.folders.Folders;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Where one database lies.
 *
 * @param instance its name in results
 * @param database the folder of its tables
 * @param log the folder of its log
 */
record DatabasePlace(String instance, Path database, Path log) {
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
        long bytes = 0;
        for (Path file : tables()) {
            bytes += Files.size(file);
        }
        return bytes;
    }

    /** {@return the files of its tables, in order} While nobody writes to it. */
    List<Path> tables() throws IOException {
        return Files.isDirectory(database)
                ? Folders.files(database).stream()
                        .filter(file -> file.toString().endsWith(TableFile.SUFFIX))
                        .toList()
                : List.of();
    }

    /** {@return octets of its log} */
    long logBytes() throws IOException {
        long bytes = 0;
        for (Path file : Files.isDirectory(log) ? Folders.files(log) : List.<Path>of()) {
            if (file.toString().endsWith(LogReplication.SUFFIX)) {
                bytes += Files.size(file);
            }
        }
        return bytes;
    }
}
