package org.hubmark.bench.durability;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Random;

/**
 * A message that can be known again: its first header field carries its token in the ledger, and the
 * digest covers everything from that field on. What a server puts on top (Received fields) is its
 * affair. Made again from its token alone, octet for octet.
 */
final class LedgerMessage {
    /** Octets at the beginning of a message in our own hub that contain its token. */
    static final int TOKEN_BYTES_MAX = 2048;

    private static final String FIELD = "X-Hubmark-Ledger: ";
    private static final byte[] ALPHABET =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/."
                    .getBytes(StandardCharsets.US_ASCII);
    private static final int LINE_LENGTH = 76;
    private static final int SMALL_BYTES_MAX = 12_000;
    private static final int LARGE_BYTES_MAX = 150_000;
    private static final int ONE_IN_LARGE = 32;

    private LedgerMessage() {}

    /** {@return the content of the message with that token, with CRLF line ends} */
    static byte[] content(long token) {
        return content(token, 1);
    }

    /** {@return the same, but shorter by so much} */
    static byte[] content(long token, int shorter) {
        Random random = Seeds.random(token);
        int bytes = random.nextInt(ONE_IN_LARGE) == 0
                ? random.nextInt(LARGE_BYTES_MAX / shorter)
                : random.nextInt(SMALL_BYTES_MAX / shorter);
        StringBuilder text = new StringBuilder(bytes + 400);
        text.append(FIELD).append(token).append("\r\n");
        text.append("From: ledger@sender.example\r\nTo: ledger@recipient.example\r\n");
        text.append("Date: Sat, 21 Nov 2026 12:00:00 +0000\r\n");
        text.append("Message-ID: <").append(token).append("@ledger.example>\r\n");
        text.append("Subject: ").append(token).append("\r\n\r\n");
        byte[] line = new byte[LINE_LENGTH];
        byte[] noise = new byte[LINE_LENGTH];
        for (int left = bytes; left > 0; left -= LINE_LENGTH + 2) {
            random.nextBytes(noise);
            for (int i = 0; i < LINE_LENGTH; i++) {
                line[i] = ALPHABET[(noise[i] & 0xff) % ALPHABET.length];
            }
            text.append(new String(line, StandardCharsets.US_ASCII)).append("\r\n");
        }
        return text.toString().getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * {@return the digest of a message from its token on; null if there is none in it}
     *
     * @param anyLineEnds whether the server may keep CRLF as LF
     */
    static byte @Nullable [] digest(byte[] message, boolean anyLineEnds) {
        int start = start(message);
        if (start < 0) {
            return null;
        }
        byte[] octets = Arrays.copyOfRange(message, start, message.length);
        return sha256().digest(
                        anyLineEnds
                                ? new String(octets, StandardCharsets.ISO_8859_1)
                                        .replace("\r", "")
                                        .getBytes(StandardCharsets.ISO_8859_1)
                                : octets);
    }

    /** {@return the token of a message, or -1 if it carries none} */
    static long token(byte[] message) {
        int start = start(message);
        if (start < 0) {
            return -1;
        }
        long token = 0;
        for (int i = start + FIELD.length(); i < message.length; i++) {
            if (message[i] < '0' || message[i] > '9') {
                break;
            }
            token = token * 10 + message[i] - '0';
        }
        return token;
    }

    /** The field stands at the start of a line, near the top. */
    private static int start(byte[] message) {
        return ("\n" + new String(message, StandardCharsets.ISO_8859_1)).indexOf("\n" + FIELD);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
