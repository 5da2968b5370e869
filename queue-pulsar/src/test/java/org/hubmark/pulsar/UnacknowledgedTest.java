package org.hubmark.pulsar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.hubmark.pulsar.Unacknowledged.Position;
import org.junit.jupiter.api.Test;

/** Which entries wait, by what a broker says of a subscription. */
class UnacknowledgedTest {
    @Test
    void leavesOutWhatIsAcknowledged() {
        Unacknowledged entries = Unacknowledged.parse("3:4", "[(3:5..3:7],(3:9..4:1]]", "4:3");
        assertThat(entries.contains(new Position(3, 4))).isFalse();
        assertThat(entries.contains(new Position(3, 5))).isTrue();
        assertThat(entries.contains(new Position(3, 6))).isFalse();
        assertThat(entries.contains(new Position(3, 7))).isFalse();
        assertThat(entries.contains(new Position(3, 8))).isTrue();
        assertThat(entries.contains(new Position(3, 9))).isTrue();
        assertThat(entries.contains(new Position(3, 10))).isFalse();
        assertThat(entries.contains(new Position(4, 1))).isFalse();
        assertThat(entries.contains(new Position(4, 2))).isTrue();
        assertThat(entries.contains(new Position(4, 3))).isTrue();
        assertThat(entries.contains(new Position(4, 4))).isFalse();
    }

    @Test
    void withoutRangesAllBehindThePositionWait() {
        Unacknowledged entries = Unacknowledged.parse("7:-1", "[]", "7:0");
        assertThat(entries.contains(new Position(7, 0))).isTrue();
        assertThat(entries.contains(new Position(7, 1))).isFalse();
    }

    @Test
    void anotherFormIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Unacknowledged.parse("7", "[]", "7:0"))
                .withMessage("'7' is not a position");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Unacknowledged.parse("7:0", "[7-9]", "7:0"))
                .withMessage("'[7-9]' are not ranges");
    }
}
