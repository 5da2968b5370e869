package org.hubmark.bench.load;

import io.netty.buffer.ByteBuf;

/**
 * Finds the ends of SMTP replies (RFC 5321 4.2) in bytes as they come, and makes text only of those
 * that refuse something.
 * One thread: the connection's event loop.
 */
final class ReplyParser {
    /** More bytes are needed. */
    static final int INCOMPLETE = 0;
    /** What came is no SMTP reply; nothing further can be understood. */
    static final int MALFORMED = -1;

    /** RFC 5321 4.5.3.1.5 says 512; some servers say more. */
    private static final int LINE_OCTETS_MAX = 4096;

    private static final int REFUSED = 400;
    /** Enough to say why. */
    private static final int TEXT_MAX = 160;

    private final StringBuilder text = new StringBuilder();
    private int column;
    private int code;
    private boolean last;

    /**
     * Reads up to the end of the next reply.
     *
     * @return its code, {@link #INCOMPLETE} when the buffer is used up, or {@link #MALFORMED}
     */
    int next(ByteBuf in) {
        while (in.isReadable()) {
            byte octet = in.readByte();
            if (octet == '\n') {
                boolean whole = column >= 3;
                column = 0;
                if (!whole) {
                    return MALFORMED;
                }
                if (last) {
                    return code;
                }
            } else if (!accept(octet)) {
                return MALFORMED;
            }
        }
        return INCOMPLETE;
    }

    /** {@return the last line of the reply, when its code is 400 or more} */
    String text() {
        return code + text.toString().stripTrailing();
    }

    private boolean accept(byte octet) {
        if (column < 3) {
            if (octet < '0' || octet > '9') {
                return false;
            }
            code = column == 0 ? octet - '0' : code * 10 + octet - '0';
            last = true;
            text.setLength(0);
        } else if (column == 3) {
            // A code alone on its line, without text, ends a reply too.
            last = octet != '-';
            if (octet != ' ' && octet != '-' && octet != '\r') {
                return false;
            }
        }
        if (column >= 3 && code >= REFUSED && text.length() < TEXT_MAX) {
            text.append(octet >= ' ' && octet <= '~' ? (char) octet : ' ');
        }
        return ++column <= LINE_OCTETS_MAX;
    }
}
