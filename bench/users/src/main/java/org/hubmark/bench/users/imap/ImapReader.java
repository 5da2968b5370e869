package org.hubmark.bench.users.imap;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Reads responses of an IMAP server. What isn't one is a {@link ProtocolException} with its first
 * {@value #SAID_MAX} characters, literals left out: then nobody knows any more where the next one begins,
 * and the connection is of no use. One thread.
 */
final class ImapReader {
    /** Longest text outside of literals in one response; the answer to UID SEARCH may be long. */
    static final int LINE_OCTETS_MAX = 1 << 20;

    static final int LITERAL_OCTETS_MAX = 128 << 20;
    static final int DEPTH_MAX = 32;

    static final int SAID_MAX = 200;

    private static final int BUFFER_OCTETS = 4096;
    /** The digits of the longest number. */
    private static final int DIGITS_MAX = 18;

    private final InputStream in;
    private final byte[] buffer = new byte[BUFFER_OCTETS];
    private int position;
    private int limit;
    /** Outside literals, of the response that is being read. */
    private int lineOctets;
    /** The first of these. */
    private final StringBuilder said = new StringBuilder();

    ImapReader(InputStream in) {
        this.in = in;
    }

    /** {@return whether the server has said more than was asked for} */
    boolean hasMore() {
        return position < limit;
    }

    /**
     * Waits for the server to say something.
     *
     * @throws java.net.SocketTimeoutException when it says nothing for as long as the socket waits
     */
    void await() throws IOException {
        var unused = peek();
    }

    /** {@return the next response} */
    ImapResponse read() throws IOException {
        lineOctets = 0;
        said.setLength(0);
        String tag = word();
        if (tag.equals(ImapResponse.CONTINUE)) {
            return new ImapResponse(tag, -1, "", line(), List.of());
        }
        if (tag.isEmpty() || peek() != ' ') {
            throw error("sent a line that is not a response");
        }
        skip(' ');
        String name = word();
        long number = -1;
        if (isNumber(name) && tag.equals(ImapResponse.UNTAGGED)) {
            number = Long.parseLong(name);
            skip(' ');
            name = word();
        }
        String upper = name.toUpperCase(Locale.ROOT);
        if (upper.isEmpty()) {
            throw error("said a response without a name");
        }
        if (ImapResponse.STATES.contains(upper) || !tag.equals(ImapResponse.UNTAGGED)) {
            return new ImapResponse(tag, number, upper, line(), List.of());
        }
        return new ImapResponse(tag, number, upper, "", values('\r', 0));
    }

    private static boolean isNumber(String word) {
        return !word.isEmpty()
                && word.length() <= DIGITS_MAX
                && word.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    private String word() throws IOException {
        StringBuilder word = new StringBuilder();
        for (int octet = peek(); octet > ' '; octet = peek()) {
            word.append((char) next());
        }
        return word.toString();
    }

    /** {@return the rest of the line, without the blank before it} */
    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int octet = next(); octet != '\n'; octet = next()) {
            if (octet != '\r') {
                line.append((char) octet);
            }
        }
        return line.toString().strip();
    }

    /** Reads values up to an end, and that end. */
    private List<ImapValue> values(int end, int depth) throws IOException {
        if (depth > DEPTH_MAX) {
            throw error("said more than " + DEPTH_MAX + " parentheses inside each other");
        }
        List<ImapValue> values = new ArrayList<>();
        while (true) {
            int octet = peek();
            if (octet == end) {
                next();
                if (end == '\r') {
                    skip('\n');
                }
                return values;
            }
            switch (octet) {
                case ' ' -> next();
                case '(' -> {
                    next();
                    values.add(new ImapValue.Items(values(')', depth + 1)));
                }
                case '"' -> values.add(new ImapValue.Text(quoted()));
                case '{', '~' -> values.add(new ImapValue.Text(literal()));
                case '\r', '\n', ')' ->
                    throw error("sent a response whose parentheses don't match");
                default -> values.add(atom());
            }
        }
    }

    private String quoted() throws IOException {
        StringBuilder text = new StringBuilder();
        next();
        for (int octet = next(); octet != '"'; octet = next()) {
            int plain = octet == '\\' ? next() : octet;
            if (plain == '\r' || plain == '\n') {
                throw error("sent a quoted string without an end");
            }
            text.append((char) plain);
        }
        return text.toString();
    }

    /** {123}, or ~{123} of binary content (RFC 9051 4.3.1). */
    private String literal() throws IOException {
        if (peek() == '~') {
            next();
        }
        skip('{');
        long length = 0;
        for (int octet = next(); octet != '}'; octet = next()) {
            if (octet == '+') {
                continue;
            }
            if (octet < '0' || octet > '9') {
                throw error("sent a literal whose length is not a number");
            }
            length = 10 * length + octet - '0';
            if (length > LITERAL_OCTETS_MAX) {
                throw error("said a literal of more than " + LITERAL_OCTETS_MAX + " octets");
            }
        }
        skip('\r');
        skip('\n');
        return octets((int) length);
    }

    private String octets(int length) throws IOException {
        // Not made at once: a server may promise more than it sends.
        StringBuilder text = new StringBuilder(Math.min(length, BUFFER_OCTETS));
        for (int left = length; left > 0; ) {
            if (position == limit) {
                fill();
            }
            int take = Math.min(left, limit - position);
            text.append(new String(buffer, position, take, StandardCharsets.ISO_8859_1));
            position += take;
            left -= take;
        }
        return text.toString();
    }

    /** An atom goes on inside brackets: BODY[HEADER.FIELDS (TO)]. */
    private ImapValue atom() throws IOException {
        StringBuilder atom = new StringBuilder();
        int brackets = 0;
        while (true) {
            int octet = peek();
            if (octet == '\r' || octet == '\n') {
                break;
            }
            if (brackets == 0 && (octet == ' ' || octet == '(' || octet == ')')) {
                break;
            }
            if (octet == '[') {
                brackets++;
            } else if (octet == ']' && brackets > 0) {
                brackets--;
            }
            atom.append((char) next());
        }
        return atom.toString().equalsIgnoreCase("NIL")
                ? new ImapValue.Nil()
                : new ImapValue.Text(atom.toString());
    }

    private void skip(int expected) throws IOException {
        int octet = next();
        if (octet != expected) {
            throw error("sent a response that is not one of IMAP");
        }
    }

    /** {@return an error with what the server said last, and the rest of the line as far as it is here} */
    ProtocolException error(String what) {
        for (int i = position; i < limit && buffer[i] != '\r' && buffer[i] != '\n'; i++) {
            keep(buffer[i] & 0xff);
        }
        return new ProtocolException(what + ": '" + said + "'");
    }

    private int peek() throws IOException {
        if (position == limit) {
            fill();
        }
        return buffer[position] & 0xff;
    }

    private int next() throws IOException {
        int octet = peek();
        position++;
        if (++lineOctets > LINE_OCTETS_MAX) {
            throw error("said more than " + LINE_OCTETS_MAX + " octets in a line");
        }
        keep(octet);
        return octet;
    }

    private void keep(int octet) {
        if (said.length() < SAID_MAX && octet != '\r' && octet != '\n') {
            // A control character of the peer's has no business in our reports.
            said.append(octet < ' ' || octet > '~' ? '?' : (char) octet);
        }
    }

    private void fill() throws IOException {
        int count = in.read(buffer);
        if (count < 0) {
            throw new EOFException("closed the connection");
        }
        position = 0;
        limit = count;
    }
}
