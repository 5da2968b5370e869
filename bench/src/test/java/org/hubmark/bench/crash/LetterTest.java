package org.hubmark.bench.crash;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.hub.SmtpClient;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Proves that a message is known again whatever is put on top, and that no changed octet passes. */
class LetterTest {
    private static final long TOKEN = 123_456_789;

    @Test
    void isKnownBelowFieldsOfAServer() {
        byte[] content = Letter.content(TOKEN);
        byte[] received = join("Received: from x\r\n\tby y; now\r\n", content);
        assertThat(Letter.token(received)).isEqualTo(TOKEN);
        assertThat(Letter.digest(received, false)).isEqualTo(Letter.digest(content, false));
    }

    @Test
    void lineEndsCountOnlyWhereTheyMustBeKept() {
        byte[] content = Letter.content(TOKEN);
        byte[] bare = new String(content, StandardCharsets.US_ASCII)
                .replace("\r\n", "\n")
                .getBytes(StandardCharsets.US_ASCII);
        assertThat(Letter.digest(bare, true)).isEqualTo(Letter.digest(content, true));
        assertThat(Letter.digest(bare, false)).isNotEqualTo(Letter.digest(content, false));
    }

    @Test
    void everyChangedOctetChangesTheDigestOrTheToken() {
        byte[] content = Letter.content(TOKEN);
        byte[] digest = Letter.digest(content, false);
        for (int i = 0; i < Math.min(content.length, 2000); i++) {
            byte[] changed = content.clone();
            changed[i] ^= 1;
            boolean known = Letter.token(changed) == TOKEN;
            assertThat(known && Arrays.equals(Letter.digest(changed, false), digest))
                    .as("octet %d", i)
                    .isFalse();
        }
    }

    @Test
    void noLineOfWhatIsSentEndsTheDataEarly() {
        for (long token = 1; token < 50; token++) {
            byte[] content = Letter.content(token);
            String sent = new String(SmtpClient.stuffed(content), StandardCharsets.US_ASCII);
            assertThat(sent.indexOf("\r\n.\r\n")).isEqualTo(sent.length() - 5);
            assertThat(sent.substring(0, sent.length() - 3).replace("\r\n..", "\r\n."))
                    .isEqualTo(new String(content, StandardCharsets.US_ASCII));
        }
    }

    private static byte[] join(String top, byte[] rest) {
        byte[] first = top.getBytes(StandardCharsets.US_ASCII);
        byte[] all = Arrays.copyOf(first, first.length + rest.length);
        System.arraycopy(rest, 0, all, first.length, rest.length);
        return all;
    }
}
