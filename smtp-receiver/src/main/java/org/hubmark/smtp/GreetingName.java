package org.hubmark.smtp;

/**
 * Name of a client, from HELO or EHLO. It is written into the trace field and decides nothing, so
 * nearly anything is taken, as Postfix does: names with underscores, address literals in any form,
 * octets beyond ASCII. Of several words the first is the name (RFC 5321 4.1.1.1 expects text behind
 * it).
 */
final class GreetingName {
    /** Octets of a domain (RFC 5321 4.5.3.1.2). */
    static final int OCTETS_MAX = 255;

    /** What would begin or end something in a trace field (RFC 5322 3.2). */
    private static final String SPECIALS = "()<>\\\",;@";

    private GreetingName() {}

    /**
     * {@return the name in an argument, with question marks for what is not printable ASCII or would mean
     * something in a trace field; empty if there is none}
     */
    static String of(String argument) {
        int start = PathCommand.skipSpace(argument, 0);
        int end = PathCommand.skipWord(argument, start);
        StringBuilder changed = null;
        for (int i = start; i < end; i++) {
            char c = argument.charAt(i);
            if (c <= ' ' || c > '~' || SPECIALS.indexOf(c) >= 0) {
                changed = changed == null ? new StringBuilder(argument) : changed;
                changed.setCharAt(i, '?');
            }
        }
        return changed == null ? argument.substring(start, end) : changed.substring(start, end);
    }
}
