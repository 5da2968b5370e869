package org.hubmark.bench.measure.run;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hubmark.core.UserError;
import org.hubmark.hub.audit.AuditShare;
import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.time.Duration;

/** Proves that a load whose audit would fill the disk is refused, and that it fits with enough room. */
class AuditRoomTest {
    private static final Path FOLDER = Path.of("/srv/run");
    private static final double RATE = 30_000;
    /** The longest form of publishing, and its warm-up. */
    private static final Duration HOUR = Duration.ofMinutes(55);

    @Test
    void tenGigabytesHoldAnHourOfAFastServer() {
        assertThatCode(() -> require(AuditShare.ALL, 10_000_000_000L)).doesNotThrowAnyException();
    }

    @Test
    void whatDoesNotFitIsRefused() {
        assertThatThrownBy(() -> require(AuditShare.ALL, 5_000_000_000L))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("99000000 messages (30000/s for 55 min)")
                .hasMessageContaining("/srv/run")
                .hasMessageContaining("--audit sampled");
        assertThatCode(() -> require(AuditShare.SAMPLED, 5_000_000_000L))
                .doesNotThrowAnyException();
        assertThatCode(() -> require(AuditShare.OFF, 0)).doesNotThrowAnyException();
    }

    private static void require(AuditShare share, long freeBytes) {
        AuditRoom.require(FOLDER, share, RATE, HOUR, freeBytes);
    }
}
