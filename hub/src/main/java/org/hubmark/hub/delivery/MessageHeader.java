package org.hubmark.hub.delivery;

import org.hubmark.core.Lease;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** The header of a message, as it is kept of a dead letter that needs no more. */
final class MessageHeader {
    /** More than almost any header has; what is longer is cut off at the end of a line. */
    static final int OCTETS_MAX = 16 << 10;

    private MessageHeader() {}

    /** {@return the header with its line ends, as it is; null if the content can't be read} */
    static byte @Nullable [] of(Lease lease) {
        try (InputStream content = lease.openContent()) {
            byte[] octets = content.readNBytes(OCTETS_MAX);
            return Arrays.copyOf(octets, end(octets));
        } catch (IOException e) {
            return null;
        }
    }

    /** {@return how many octets come before the empty line, or before the line that isn't whole} */
    private static int end(byte[] octets) {
        int lineStart = 0;
        for (int i = 0; i < octets.length; i++) {
            if (octets[i] == '\n') {
                if (i == lineStart || (i == lineStart + 1 && octets[lineStart] == '\r')) {
                    return lineStart;
                }
                lineStart = i + 1;
            }
        }
        return octets.length < OCTETS_MAX ? octets.length : lineStart;
    }
}
