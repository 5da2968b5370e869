package org.hubmark.bench.load;

import io.netty.buffer.ByteBuf;

import org.hubmark.core.QueueId;

/**
 * Finds the ends of SMTP replies (RFC 5321 4.2) in bytes as they come, and keeps the text only of those
 * that refuse something or that are asked for.
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
     * @param keepsText whether the text of a reply that refuses nothing is needed too
     * @return its code, {@link #INCOMPLETE} when the buffer is used up, or {@link #MALFORMED}
     */
    int next(ByteBuf in, boolean keepsText) {
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
            } else if (!accept(octet, keepsText)) {
                return MALFORMED;
            }
        }
        return INCOMPLETE;
    }

    /** {@return the last line of the reply, when its text was kept} */
    String text() {
        return code + text.toString().stripTrailing();
    }

    /** {@return the value of the queue id that a reply whose text was kept ends with, or -1} */
    long queueId() {
        int end = text.length();
        while (end > 0 && text.charAt(end - 1) == ' ') {
            end--;
        }
        return QueueId.valueIn(text, end - QueueId.TEXT_LENGTH);
    }

    private boolean accept(byte octet, boolean keepsText) {
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
        if (column >= 3 && (keepsText || code >= REFUSED) && text.length() < TEXT_MAX) {
            text.append(octet >= ' ' && octet <= '~' ? (char) octet : ' ');
        }
        return ++column <= LINE_OCTETS_MAX;
    }
}
