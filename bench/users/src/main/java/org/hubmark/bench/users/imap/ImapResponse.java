package org.hubmark.bench.users.imap;

import java.util.List;

/**
 * A response (RFC 9051 7).
 *
 * @param tag {@code *} of what was not asked for, {@code +} of a request to go on, else the command's
 * @param number that stands before the name; -1 for none
 * @param name in upper case: OK, EXISTS, FETCH ...; empty behind {@code +}
 * @param text the rest of the line, of a response that is no data
 * @param values the rest, of one that is data
 */
record ImapResponse(String tag, long number, String name, String text, List<ImapValue> values) {
    static final String UNTAGGED = "*";
    static final String CONTINUE = "+";

    /** {@return the words in brackets at the begin of the text; empty for none} */
    String code() {
        int end = text.indexOf(']');
        return text.startsWith("[") && end > 0 ? text.substring(1, end) : "";
    }
}
