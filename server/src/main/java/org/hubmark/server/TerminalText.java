package org.hubmark.server;

/** Text as a terminal may have it. A class of its own, so that the first line of a log loads nothing else. */
final class TerminalText {
    private TerminalText() {}

    /** What came from outside must not steer the terminal. */
    static String printable(String text) {
        StringBuilder printable = new StringBuilder(text.length());
        text.codePoints()
                .forEach(c -> printable.appendCodePoint(Character.isISOControl(c) ? '?' : c));
        return printable.toString();
    }
}
