package org.hubmark.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;

/**
 * Proves, with volumes whose free space the test sets, that mail is refused before a volume is full,
 * that what is still to be written counts, and that it is taken again when there is room.
 */
class FreeSpaceTest {
    private long queueFree = 1000;
    private long owed;

    @Test
    void refusesBelowTheReserveAndRecovers() throws IOException {
        FreeSpace space = new FreeSpace(() -> queueFree, () -> owed, 100);
        assertThat(space.hasRoomForMail(false)).isTrue();
        owed = 901;
        assertThat(space.hasRoomForMail(false)).isFalse();
        owed = 900;
        assertThat(space.hasRoomForMail(false)).isTrue();
        queueFree = 99;
        owed = 0;
        assertThat(space.hasRoomForMail(false)).isFalse();
    }

    @Test
    void nothingElseGetsTheRoomOfARewriting() throws IOException {
        FreeSpace space = new FreeSpace(() -> queueFree, () -> owed, 100);
        queueFree = 500;
        space.reserve(200);
        assertThat(space.spareBytes()).isEqualTo(250);
        assertThat(space.hasRoomFor(250)).isTrue();
        assertThat(space.hasRoomFor(251)).isFalse();
        owed = 201;
        assertThat(space.hasRoomForMail(false)).isFalse();
        space.reserve(0);
        assertThat(space.hasRoomForMail(false)).isTrue();
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
