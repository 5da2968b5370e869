package org.hubmark.queue.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hubmark.queue.log.LogFormat;
import org.hubmark.queue.log.VolumeFile;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Proves that the simulated volume knows what a power cut would take, by writes between syncs. */
final class SimulatedVolumeTest {
    private final SimulatedVolume volume = new SimulatedVolume("log");

    @Test
    void theOldestWriteThatWasNotSyncedIsKnown() throws IOException {
        VolumeFile first = volume.create("first");
        VolumeFile second = volume.create("second");
        assertThat(volume.unsyncedSinceNanos()).isEmpty();
        long beforeNanos = System.nanoTime();
        write(first);
        long betweenNanos = System.nanoTime();
        write(first);
        write(second);
        assertThat(volume.unsyncedSinceNanos().orElseThrow()).isBetween(beforeNanos, betweenNanos);
        first.sync();
        assertThat(volume.unsyncedSinceNanos().orElseThrow()).isGreaterThanOrEqualTo(betweenNanos);
        second.sync();
        assertThat(volume.unsyncedSinceNanos()).isEmpty();
    }

    @Test
    void whatAFailedSyncHasLostStaysUnsynced() throws IOException {
        VolumeFile file = volume.create("file");
        write(file);
        volume.failSync(1, 1);
        assertThatThrownBy(file::sync).isInstanceOf(IOException.class);
        write(file);
        file.sync();
        assertThat(volume.unsyncedSinceNanos()).isPresent();
        volume.crash(1);
        assertThat(volume.unsyncedSinceNanos()).isEmpty();
    }

    private static void write(VolumeFile file) throws IOException {
        file.write(0, new ByteBuffer[] {ByteBuffer.allocate(LogFormat.PAGE_BYTES)}, 1);
    }
}
