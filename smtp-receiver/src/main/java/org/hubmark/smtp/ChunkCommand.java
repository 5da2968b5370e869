package org.hubmark.smtp;

import org.jspecify.annotations.Nullable;

import java.util.Locale;

/**
 * Arguments of a BDAT command (RFC 3030).
 *
 * @param octets that follow it
 * @param last whether the message ends with them
 */
record ChunkCommand(long octets, boolean last) {
    /** {@return null if it is malformed} */
    static @Nullable ChunkCommand parse(String argument) {
        int space = argument.indexOf(' ');
        int end = space < 0 ? argument.length() : space;
        long octets = PathCommand.number(argument, 0, end);
        boolean last = space >= 0;
        boolean wellFormed = octets >= 0
                && (!last
                        || argument.substring(end + 1).toUpperCase(Locale.ROOT).equals("LAST"));
        return wellFormed ? new ChunkCommand(octets, last) : null;
    }
}
