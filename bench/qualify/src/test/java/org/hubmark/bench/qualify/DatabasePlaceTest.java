package org.hubmark.bench.qualify;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/** Looks at a database whose tables come and go, as those of an open one do. */
@Timeout(60)
class DatabasePlaceTest {
    private static final int LOOKS = 2000;
    private static final int TABLES = 20;

    @TempDir
    private Path folder;

    @Test
    void tablesMayGoWhileTheyAreLookedAt() throws IOException, InterruptedException {
        DatabasePlace place = new DatabasePlace("I.1", folder.resolve("db"), folder.resolve("log"));
        Files.createDirectory(place.database());
        Files.write(place.database().resolve("000001.sst"), new byte[100]);
        AtomicBoolean ended = new AtomicBoolean();
        AtomicReference<IOException> failure = new AtomicReference<>();
        Thread compactions = Thread.ofPlatform().start(() -> {
            try {
                while (!ended.get()) {
                    for (int i = 0; i < TABLES; i++) {
                        Files.write(place.database().resolve("1" + i + ".sst"), new byte[10]);
                    }
                    for (int i = 0; i < TABLES; i++) {
                        Files.delete(place.database().resolve("1" + i + ".sst"));
                    }
                }
            } catch (IOException e) {
                failure.set(e);
            }
        });
        try {
            for (int i = 0; i < LOOKS; i++) {
                assertThat(place.databaseBytes()).isBetween(100L, 100L + 10 * TABLES);
                assertThat(place.tables()).isNotEmpty();
            }
        } finally {
            ended.set(true);
            compactions.join();
        }
        assertThat(failure.get()).isNull();
    }
}
