package org.hubmark.bench.qualify;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.qualify.pages.DatabasePlace;
import org.hubmark.bench.qualify.pages.MailboxDatabase;
import org.hubmark.bench.qualify.result.VolumeFigures;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Proves on the file system of the tests that databases of one file system are counted together, however
 * many folders they are in, and that a fill counts what others have there.
 */
class DatabaseFileSystemsTest {
    private static final int DATABASE_BYTES = 5000;

    @TempDir
    Path folder;

    private List<DatabasePlace> places() throws IOException {
        List<Path> volumes = List.of(
                Files.createDirectories(folder.resolve("one")),
                Files.createDirectories(folder.resolve("other")));
        List<DatabasePlace> places = DatabasePlace.deal(volumes, List.of(folder), 3);
        for (DatabasePlace place : places) {
            Files.createDirectories(place.database());
            Files.write(place.database().resolve(MailboxDatabase.FILE), new byte[DATABASE_BYTES]);
        }
        return places;
    }

    @Test
    void aFileSystemIsCountedOnce() throws IOException {
        Repeat counted = new DatabaseFileSystems(places()).counted().getFirst();
        assertThat(new DatabaseFileSystems(places()).counted()).hasSize(1);
        assertThat(counted.name(VolumeFigures.VOLUME))
                .isEqualTo(folder.resolve("one").toString());
        assertThat(counted.count(VolumeFigures.DATABASE_BYTES)).isEqualTo(3 * DATABASE_BYTES);
        double formatted = Files.getFileStore(folder).getTotalSpace();
        assertThat(counted.count(VolumeFigures.FORMATTED_BYTES)).isEqualTo(formatted);
        assertThat(VolumeFigures.USED_PERCENT.value(counted)).isBetween(0.0, 100.0);
    }
}
