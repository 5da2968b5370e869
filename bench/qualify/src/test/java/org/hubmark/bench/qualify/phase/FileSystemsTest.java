package org.hubmark.bench.qualify.phase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import org.hubmark.bench.kit.document.Repeat;
import org.hubmark.bench.qualify.pages.DatabasePlace;
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
class FileSystemsTest {
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
            Files.write(place.pages(), new byte[DATABASE_BYTES]);
        }
        return places;
    }

    /** /dev/shm is a file system of its own. */
    @Test
    void aVolumeOfLogsAloneIsCountedToo() throws IOException {
        Path shm = Path.of("/dev/shm");
        assumeThat(DatabasePlace.device(folder)).isNotEqualTo(DatabasePlace.device(shm));
        List<DatabasePlace> places = places().stream()
                .map(place -> new DatabasePlace(
                        place.instance(), place.database(), shm.resolve("hubmark-nothing")))
                .toList();
        List<Repeat> counted = FileSystems.counted(places);
        assertThat(counted)
                .extracting(one -> one.texts(VolumeFigures.ROLES))
                .containsExactly(List.of("database"), List.of("log"));
        assertThat(counted.getLast().name(VolumeFigures.VOLUME)).isEqualTo("/dev/shm");
        assertThat(counted.getLast().count(VolumeFigures.FORMATTED_BYTES)).isPositive();
        assertThat(counted.getLast().count(VolumeFigures.DATABASE_BYTES)).isNaN();
    }

    @Test
    void aFileSystemIsCountedOnce() throws IOException {
        Repeat counted = FileSystems.counted(places()).getFirst();
        assertThat(FileSystems.counted(places())).hasSize(1);
        assertThat(counted.texts(VolumeFigures.ROLES)).containsExactly("database", "log");
        assertThat(counted.name(VolumeFigures.VOLUME))
                .isEqualTo(folder.resolve("one").toString());
        assertThat(counted.count(VolumeFigures.DATABASE_BYTES)).isEqualTo(3 * DATABASE_BYTES);
        double formatted = Files.getFileStore(folder).getTotalSpace();
        assertThat(counted.count(VolumeFigures.FORMATTED_BYTES)).isEqualTo(formatted);
        assertThat(VolumeFigures.USED_PERCENT.value(counted)).isBetween(0.0, 100.0);
    }
}
