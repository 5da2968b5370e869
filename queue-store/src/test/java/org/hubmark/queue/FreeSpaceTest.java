package org.hubmark.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;

/**
 * Proves, with volumes whose free space the test sets, that mail is refused before a volume is full,
 * that what is still to be written counts, and that it is taken again when there is room.
 */
class FreeSpaceTest {
    private long logFree = 1000;
    private long queueFree = 1000;
    private long owed;

    @Test
    void refusesBelowTheReserveAndRecovers() throws IOException {
        FreeSpace space = new FreeSpace(() -> logFree, () -> queueFree, () -> owed, 100);
        assertThat(space.fullVolume()).isNull();
        logFree = 99;
        assertThat(space.fullVolume()).isEqualTo("log volume");
        logFree = 100;
        assertThat(space.fullVolume()).isNull();
        owed = 901;
        assertThat(space.fullVolume()).isEqualTo("queue volume");
        owed = 900;
        assertThat(space.fullVolume()).isNull();
        queueFree = 0;
        assertThat(space.fullVolume()).isEqualTo("queue volume");
    }

    @Test
    void aFullVolumeClosesTheGateAndOpensItAgain() {
        Gate gate = new Gate();
        gate.full("log volume");
        assertThat(gate.refusal()).isNotNull();
        gate.full(null);
        assertThat(gate.refusal()).isNull();
        gate.closing();
        gate.full("log volume");
        assertThat(gate.refusal()).isEqualTo(Gate.CLOSING);
        gate.broken();
        assertThat(gate.refusal()).isEqualTo(Gate.BROKEN);
    }
}
