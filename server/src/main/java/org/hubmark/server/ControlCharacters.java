package org.hubmark.server;

/**
 * Control characters, which must not steer a terminal. A class of its own, so that the first line of a log
 * loads nothing else.
 */
final class ControlCharacters {
    private ControlCharacters() {}

    /** {@return a text that came from outside, with a question mark for each of them} */
    static String masked(String text) {
        StringBuilder printable = new StringBuilder(text.length());
        text.codePoints()
                .forEach(c -> printable.appendCodePoint(Character.isISOControl(c) ? '?' : c));
        return printable.toString();
    }
}
