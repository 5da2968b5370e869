package org.hubmark.hub.relay;

import org.hubmark.smtp.TextScan;

/**
 * Looks through content on its way out, block by block, for what must not leave as text: a CR or LF
 * that isn't part of CRLF, which some servers take for the end of a line and so of a message; a NUL
 * (RFC 5321 2.3.8 and 4.1.1.4, RFC 2045 2.7); an octet above 127 where the next hop hasn't said that it
 * takes them (RFC 6152 3: not "under any circumstances"). What the sender declared doesn't count: the
 * queue may hold anything.
 *
 * <p>Every octet of every message passes here, so it is looked at by the scan that the receiver has for
 * text, and one by one only where that stops.
 */
final class LineCheck {
    private static final TextScan SCAN = TextScan.best();

    private final boolean eightBit;
    private boolean afterCr;
    private boolean atLineStart = true;

    /** Content that is text except for one thing. */
    static final class NotTextException extends Exception {
        private static final long serialVersionUID = 1L;

        NotTextException(String what) {
            super(what);
        }
    }

    /**
     * Begins with the first line.
     *
     * @param eightBit whether octets above 127 may pass
     */
    LineCheck(boolean eightBit) {
        this.eightBit = eightBit;
    }

    /** Looks through the next octets. */
    void check(byte[] octets, int from, int to) throws NotTextException {
        int dot = checkToDot(octets, from, to);
        while (dot < to) {
            dot = checkToDot(octets, dot, to);
        }
    }

    /**
     * Looks through the next octets up to a dot that begins a line.
     *
     * @return where it is, to be called again from there on; or {@code to} if there is none
     */
    int checkToDot(byte[] octets, int from, int to) throws NotTextException {
        int index = from;
        while (index < to) {
            if (atLineStart) {
                atLineStart = false;
                if (octets[index] == '.') {
                    return index;
                }
            }
            index = afterCr ? index : afterPlain(octets, index, to);
            if (index < to) {
                check(octets[index]);
                atLineStart = octets[index] == '\n';
                index++;
            }
        }
        return to;
    }

    /** {@return whether the octets so far have ended with a line, where they were looked at for dots} */
    boolean isAtLineStart() {
        return atLineStart;
    }

    /** There are no more. */
    void end() throws NotTextException {
        if (afterCr) {
            throw new NotTextException("a bare CR");
        }
    }

    private void check(byte octet) throws NotTextException {
        if (octet == '\n' && !afterCr) {
            throw new NotTextException("a bare LF");
        }
        if (octet != '\n' && afterCr) {
            throw new NotTextException("a bare CR");
        }
        if (octet == 0) {
            throw new NotTextException("a NUL");
        }
        if (octet < 0 && !eightBit) {
            throw new NotTextException("an octet above 127");
        }
        afterCr = octet == '\r';
    }

    /**
     * {@return the index of an octet up to which all may pass, and no line begins with a dot} Never {@code
     * to}: whether the last octet ends a line is to be known.
     */
    private int afterPlain(byte[] octets, int from, int to) {
        return SCAN.plainLines(octets, from, to - 1, eightBit);
    }
}
