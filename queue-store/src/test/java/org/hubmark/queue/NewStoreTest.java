package org.hubmark.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.core.QueueId;
import org.hubmark.core.Receipt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Proves that a power cut in the first moments of a new store loses nothing that was accepted and leaves
 * nothing that can't be opened. The cut takes every name whose folder was not synced: those of the
 * volumes' own folders, of what lies in them, and of the segments.
 */
@Timeout(120)
class NewStoreTest {
    @TempDir
    Path folder;

    private final ForgetfulFiles files = new ForgetfulFiles();

    @Test
    void aCutAnywhereLeavesAStoreThatOpens() throws IOException {
        int cuts = 0;
        for (int nth = 1; nth < 100 && cuts == nth - 1; nth++) {
            Path home = files.path(folder).resolve("several" + nth).resolve("levels");
            files.cutBefore(nth);
            QueueId id = null;
            try {
                StoreUnderTest queue = open(home);
                if (queue.offer(100, StoreUnderTest.TO).join() instanceof Receipt.Queued queued) {
                    id = queued.id();
                }
                queue.kill();
            } catch (IOException e) {
                assertThat(e).as("cut %d", nth).hasMessageContaining("simulated");
            }
            cuts += files.isOff() ? 1 : 0;
            files.forget();
            // Where nothing was cut before, the first mail is there after a cut, too.
            try (StoreUnderTest again = open(home)) {
                assertThat(id == null || again.store().find(id).isPresent())
                        .as("cut %d", nth)
                        .isTrue();
                again.enqueue(100);
            }
        }
        assertThat(cuts).isBetween(10, 98);
    }

    private static StoreUnderTest open(Path home) throws IOException {
        return StoreUnderTest.at(home).log(64 << 10, 2).open();
    }
}
