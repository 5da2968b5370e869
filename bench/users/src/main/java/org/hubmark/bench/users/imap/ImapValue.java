package org.hubmark.bench.users.imap;

import java.util.List;

/**
 * A value in a response.
 *
 * @param text octets as characters of ISO 8859-1; empty of a list, and of NIL
 * @param items of a list in parentheses
 */
record ImapValue(String text, List<ImapValue> items) {}
