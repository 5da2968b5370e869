package org.hubmark.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hubmark.core.StoreException;
import org.hubmark.queue.log.LogFormat;
import org.hubmark.queue.log.VolumeFile;
import org.hubmark.queue.simulation.SimulatedVolume;
import org.hubmark.queue.table.ContentExtent;
import org.hubmark.queue.table.ContentFiles;
import org.hubmark.queue.table.ContentPlace;
import org.hubmark.queue.table.QueueBatch;
import org.hubmark.queue.table.QueueDatabase;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Proves that what is appended to content files comes back, however long the extents are and
 * wherever the writes end, that what was synced outlives a power cut, and that damage is found: on
 * a simulated volume, with a real queue database beside it.
 */
class ContentFilesTest {
    private static final int BUFFER_BYTES = 2 * LogFormat.PAGE_BYTES;
    private static final long FILE_BYTES = 8L * LogFormat.PAGE_BYTES;

    @TempDir
    Path queueVolume;

    private final SimulatedVolume volume = new SimulatedVolume("content");

    @BeforeEach
    void makeTheDatabase() throws IOException {
        QueueDatabase.create(queueVolume, false);
    }

    @Test
    void extentsOfAnyLengthComeBack() throws IOException {
        long seed = Long.getLong("hubmark.seed", 1);
        Random random = new Random(seed);
        try (ContentFiles files = ContentFiles.open(volume, Map.of());
                QueueDatabase database = QueueDatabase.open(queueVolume, false, null);
                QueueBatch batch = database.newBatch()) {
            ContentWriter writer = new ContentWriter(files, BUFFER_BYTES, FILE_BYTES);
            List<byte[]> written = new ArrayList<>();
            List<ContentPlace> places = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                byte[] octets = StoreUnderTest.octets(i, random.nextInt(3 * BUFFER_BYTES));
                ByteBuffer between =
                        ByteBuffer.allocateDirect(octets.length + 2).put(1, octets);
                between.position(1).limit(1 + octets.length);
                places.add(writer.append(between, ContentExtent.of(between)));
                written.add(octets);
                if (random.nextInt(4) == 0) {
                    writer.write();
                    assertThat(files.read(places.getLast())).isEqualTo(octets);
                }
                if (random.nextInt(8) == 0) {
                    writer.sync(batch);
                }
            }
            writer.sync(batch);
            volume.crash(seed);
            Map<Long, Long> all = files.bytesBelow(files.nextNumber());
            assertThat(all).as("files, seed %d", seed).hasSizeGreaterThan(2);
            try (ContentFiles again = ContentFiles.open(volume, all)) {
                for (int i = 0; i < places.size(); i++) {
                    assertThat(again.read(places.get(i)))
                            .as("extent %d, seed %d", i, seed)
                            .isEqualTo(written.get(i));
                }
            }
        }
    }

    @Test
    void aChangedBitAndACutOffFileAreFound() throws IOException {
        try (ContentFiles files = ContentFiles.open(volume, Map.of());
                QueueDatabase database = QueueDatabase.open(queueVolume, false, null);
                QueueBatch batch = database.newBatch()) {
            ContentWriter writer = new ContentWriter(files, BUFFER_BYTES, FILE_BYTES);
            byte[] octets = StoreUnderTest.octets(1, 1000);
            ContentExtent extent = ContentExtent.of(ByteBuffer.wrap(octets));
            ContentPlace place = writer.append(ByteBuffer.wrap(octets), extent);
            writer.sync(batch);
            try (VolumeFile file = volume.open("content-000001.data")) {
                byte changed = (byte) (octets[500] ^ 1);
                file.write(500, new ByteBuffer[] {ByteBuffer.wrap(new byte[] {changed})}, 1);
            }
            assertThatThrownBy(() -> files.read(place))
                    .hasMessageContaining("content-000001.data, offset 0")
                    .hasMessageContaining("checksum");
            ContentPlace beyond = new ContentPlace(place.file(), LogFormat.PAGE_BYTES, extent);
            assertThatThrownBy(() -> files.read(beyond)).hasMessageContaining("ends before");
            ContentPlace nowhere = new ContentPlace(place.file() + 1, 0, extent);
            assertThatThrownBy(() -> files.read(nowhere)).hasMessageContaining("is gone");
        }
    }

    @Test
    void filesThatNothingNamesGoAndTheirNumbersAreNotUsedAgain() throws IOException {
        try (ContentFiles files = ContentFiles.open(volume, Map.of())) {
            assertThat(files.create()).isEqualTo(1);
            assertThat(files.create()).isEqualTo(2);
        }
        try (ContentFiles files = ContentFiles.open(volume, Map.of(1L, 0L))) {
            assertThat(volume.list()).hasSize(2);
            files.deleteUnnamed();
            assertThat(volume.list()).containsExactly("content-000001.data");
            assertThat(files.create()).isEqualTo(3);
        }
    }

    @Test
    void aPlaceThatIsNoneIsRefused() {
        byte[] place = new ContentPlace(1, 2, new ContentExtent(3, 4)).encode();
        for (int length = 0; length < place.length; length++) {
            byte[] cut = new byte[length];
            System.arraycopy(place, 0, cut, 0, length);
            assertThatThrownBy(() -> ContentPlace.decode(cut)).isInstanceOf(StoreException.class);
        }
        place[Long.BYTES] = -1;
        assertThatThrownBy(() -> ContentPlace.decode(place)).hasMessageContaining("is damaged");
    }
}
