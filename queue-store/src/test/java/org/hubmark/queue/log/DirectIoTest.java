package org.hubmark.queue.log;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.queue.simulation.SimulatedVolume;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;

/** When the log goes past the page cache: by what a trial measures, and never against a setting. */
class DirectIoTest {
    private static final long MICROS = 1_000;
    private static final long MILLIS = 1_000_000;

    @TempDir
    private Path folder;

    @Test
    void whatIsAsFastOrALittleSlowerGoesPast() {
        assertThat(DirectIo.judge(300 * MICROS, 200 * MICROS)).isEmpty();
        assertThat(DirectIo.judge(300 * MICROS, 450 * MICROS)).isEmpty();
        assertThat(DirectIo.judge(4 * MILLIS, 3 * MILLIS)).isEmpty();
    }

    @Test
    void whatIsSlowerByMoreThanHalfStaysInTheCache() {
        assertThat(DirectIo.judge(300 * MICROS, 451 * MICROS))
                .isEqualTo("is not used: a write and sync takes 451 us, through the cache 300");
    }

    @Test
    void aSpindleStaysInTheCache() {
        assertThat(DirectIo.judge(5 * MILLIS, 4 * MILLIS)).contains("as long as a spindle's turn");
    }

    @Test
    void aTrialLeavesNothing() throws IOException {
        Volume volume = new DirectoryVolume(folder);
        DirectIo.AUTO.use(volume);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void offAndWhatIsNoFolderStayAsTheyAre() throws IOException {
        Volume volume = new DirectoryVolume(folder);
        assertThat(DirectIo.OFF.use(volume)).isSameAs(volume);
        Volume simulated = new SimulatedVolume("log");
        assertThat(DirectIo.AUTO.use(simulated)).isSameAs(simulated);
    }
}
