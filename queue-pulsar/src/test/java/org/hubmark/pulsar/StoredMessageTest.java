package org.hubmark.pulsar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.hubmark.core.BodyType;
import org.hubmark.core.Envelope;
import org.hubmark.core.QueueId;
import org.hubmark.core.RecipientResult;
import org.hubmark.pulsar.StoredMessage.UnreadableException;
import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;

/**
 * The header of a message on the topic comes back as it was written, its octets are those that docs
 * describe, and whatever else comes is refused by name rather than read as something.
 */
class StoredMessageTest {
    private static final Envelope ENVELOPE = new Envelope(
            "a@example.org",
            List.of("b@example.net", "c@example.net"),
            BodyType.EIGHT_BIT_MIME,
            Instant.parse("2026-11-20T12:00:00.123456789Z"),
            "192.0.2.1");

    @Test
    void comesBackAsItWasWritten() throws UnreadableException {
        StoredMessage message = new StoredMessage(
                new QueueId(4711),
                ENVELOPE,
                3,
                List.of(RecipientResult.DELIVERED, RecipientResult.pending("450 später")));
        byte[] header = message.header();
        byte[] octets = Arrays.copyOf(header, header.length + 5);

        StoredMessage.Parsed parsed = StoredMessage.parse(octets);

        assertThat(parsed.message()).isEqualTo(message);
        assertThat(parsed.contentOffset()).isEqualTo(header.length);
    }

    @Test
    void hasTheDocumentedOctets() {
        Envelope small =
                new Envelope("", List.of("b"), BodyType.SEVEN_BIT, Instant.ofEpochSecond(1, 2), "");
        byte[] header = new StoredMessage(new QueueId(5), small, 0, List.of()).header();
        String fields = "0000000000000005" + "0000000000000001" + "00000002" + "00" + "00000000"
                + "00000000" + "00000000" + "00000001" + "0000000162" + "00000000";
        assertThat(HexFormat.of().formatHex(header))
                .startsWith("484d5051" + "01" + "0000002e")
                .endsWith(fields)
                .hasSize(2 * (StoredMessage.PREFIX_BYTES + fields.length() / 2));
    }

    @Test
    void refusesWhatIsNotOurs() {
        byte[] header = new StoredMessage(new QueueId(5), ENVELOPE, 0, List.of()).header();
        assertThatThrownBy(() -> StoredMessage.parse(new byte[3]))
                .isInstanceOf(UnreadableException.class)
                .hasMessageContaining("too short");
        assertThatThrownBy(() -> StoredMessage.parse(new byte[300]))
                .hasMessageContaining("begins otherwise");
        byte[] newer = header.clone();
        newer[4] = 2;
        assertThatThrownBy(() -> StoredMessage.parse(newer)).hasMessageContaining("version 2");
        assertThatThrownBy(() -> StoredMessage.parse(Arrays.copyOf(header, header.length - 1)))
                .hasMessageContaining("cut off");
        byte[] damaged = header.clone();
        damaged[20] ^= 1;
        assertThatThrownBy(() -> StoredMessage.parse(damaged)).hasMessageContaining("checksum");
    }

    @Test
    void readsNoGarbage() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int i = 0; i < 10_000; i++) {
            byte[] garbage = new StoredMessage(new QueueId(5), ENVELOPE, 0, List.of()).header();
            int place = random.nextInt(garbage.length);
            garbage[place] ^= (byte) (1 + random.nextInt(255));
            assertThatThrownBy(() -> StoredMessage.parse(garbage))
                    .as("seed %d, octet %d", seed, place)
                    .isInstanceOf(UnreadableException.class);
        }
    }
}
