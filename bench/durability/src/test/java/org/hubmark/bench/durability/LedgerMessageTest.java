package org.hubmark.bench.durability;

import static org.assertj.core.api.Assertions.assertThat;

import org.hubmark.smtp.client.SmtpClient;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Proves that a message is known again whatever is put on top, and that no changed octet passes. */
class LedgerMessageTest {
    private static final long TOKEN = 123_456_789;

    @Test
    void isKnownBelowFieldsOfAServer() {
        byte[] content = LedgerMessage.content(TOKEN);
        byte[] received = ("Received: from x\r\n\tby y; now\r\n"
                        + new String(content, StandardCharsets.US_ASCII))
                .getBytes(StandardCharsets.US_ASCII);
        assertThat(LedgerMessage.token(received)).isEqualTo(TOKEN);
        assertThat(LedgerMessage.digest(received, false))
                .isEqualTo(LedgerMessage.digest(content, false));
    }

    @Test
    void lineEndsCountOnlyWhereTheyMustBeKept() {
        byte[] content = LedgerMessage.content(TOKEN);
        byte[] bare = new String(content, StandardCharsets.US_ASCII)
                .replace("\r\n", "\n")
                .getBytes(StandardCharsets.US_ASCII);
        assertThat(LedgerMessage.digest(bare, true)).isEqualTo(LedgerMessage.digest(content, true));
        assertThat(LedgerMessage.digest(bare, false))
                .isNotEqualTo(LedgerMessage.digest(content, false));
    }

    @Test
    void everyChangedOctetChangesTheDigestOrTheToken() {
        byte[] content = LedgerMessage.content(TOKEN);
        byte[] digest = LedgerMessage.digest(content, false);
        for (int i = 0; i < Math.min(content.length, 2000); i++) {
            byte[] changed = content.clone();
            changed[i] ^= 1;
            boolean known = LedgerMessage.token(changed) == TOKEN;
            assertThat(known && Arrays.equals(LedgerMessage.digest(changed, false), digest))
                    .as("octet %d", i)
                    .isFalse();
        }
    }

    @Test
    void noLineOfWhatIsSentEndsTheDataEarly() {
        for (long token = 1; token < 50; token++) {
            byte[] content = LedgerMessage.content(token);
            String sent = new String(SmtpClient.stuffed(content), StandardCharsets.US_ASCII);
            assertThat(sent.indexOf("\r\n.\r\n")).isEqualTo(sent.length() - 5);
            assertThat(sent.substring(0, sent.length() - 3).replace("\r\n..", "\r\n."))
                    .isEqualTo(new String(content, StandardCharsets.US_ASCII));
        }
    }
}
