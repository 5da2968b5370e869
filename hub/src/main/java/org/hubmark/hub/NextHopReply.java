package org.hubmark.hub;

/**
 * A reply of a next hop.
 *
 * @param code three digits, 200 to 599
 * @param text printable US-ASCII; the lines of a longer reply are joined by line ends
 */
record NextHopReply(int code, String text) {
    /** RFC 5321 3.8: the server ends the connection. */
    static final int CLOSING = 421;

    /** RFC 5321 4.2.3: start mail input. */
    static final int START_INPUT = 354;

    boolean isSuccess() {
        return code / 100 == 2;
    }

    boolean isPermanent() {
        return code / 100 == 5;
    }

    boolean isClosing() {
        return code == CLOSING;
    }

    /** {@return all of it in one line} */
    @Override
    public String toString() {
        return code + " " + text.replace('\n', ' ');
    }
}
