package org.hubmark.hub;

/**
 * Looks through content on its way out, block by block, for what must not leave as text: a CR or LF
 * that isn't part of CRLF, which some servers take for the end of a line and so of a message; a NUL
 * (RFC 5321 2.3.8 and 4.1.1.4, RFC 2045 2.7); an octet above 127 where the next hop hasn't said that it
 * takes them (RFC 6152 3: not "under any circumstances"). What the sender declared doesn't count: the
 * queue may hold anything.
 */
final class LineCheck {
    private final boolean eightBit;
    private boolean afterCr;

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
    void check(byte[] octets, int length) throws NotTextException {
        for (int i = 0; i < length; i++) {
            byte octet = octets[i];
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
    }

    /** There are no more. */
    void end() throws NotTextException {
        if (afterCr) {
            throw new NotTextException("a bare CR");
        }
    }
}
