package org.hubmark.bench.users.imap;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntPredicate;
import java.util.regex.Pattern;

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
    private static final int NONE = -1;
    private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");
    /** LITERAL+ of RFC 7888 is for clients, but some servers say it too. */
    private static final Pattern LENGTH = Pattern.compile("\\d{1,9}\\+?");

    private final InputStream in;
    /** The octet that was looked at. */
    private int ahead = NONE;
    /** Outside literals, of the response that is being read. */
    private int lineOctets;
    /** The first of these. */
    private final StringBuilder said = new StringBuilder();

    ImapReader(InputStream in) {
        this.in = new BufferedInputStream(in, BUFFER_OCTETS);
    }

    /** {@return whether the server has said more than was asked for} */
    boolean hasMore() throws IOException {
        return ahead != NONE || in.available() > 0;
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
        String tag = until(octet -> octet <= ' ');
        if (tag.equals(ImapResponse.CONTINUE)) {
            return new ImapResponse(tag, -1, "", line(), List.of());
        }
        if (tag.isEmpty() || peek() != ' ') {
            throw error("sent a line that is not a response");
        }
        skip(' ');
        boolean isAnswer = !tag.equals(ImapResponse.UNTAGGED);
        String name = until(octet -> octet <= ' ');
        long number = -1;
        if (!isAnswer && NUMBER.matcher(name).matches()) {
            number = Long.parseLong(name);
            skip(' ');
            name = until(octet -> octet <= ' ');
        }
        String upper = name.toUpperCase(Locale.ROOT);
        if (upper.isEmpty()) {
            throw error("said a response without a name");
        }
        return isAnswer || ImapResponse.STATES.contains(upper)
                ? new ImapResponse(tag, number, upper, line(), List.of())
                : new ImapResponse(tag, number, upper, "", values('\r', 0));
    }

    /** {@return what stands before the next octet of a kind} */
    private String until(IntPredicate end) throws IOException {
        StringBuilder text = new StringBuilder();
        while (!end.test(peek())) {
            text.append((char) next());
        }
        return text.toString();
    }

    /** {@return the rest of the line, without the blank before it} */
    private String line() throws IOException {
        String line = until(octet -> octet == '\n');
        skip('\n');
        return line.strip();
    }

    /** Reads values up to an end, and that end. */
    private List<ImapValue> values(int end, int depth) throws IOException {
        if (depth > DEPTH_MAX) {
            throw error("said more than " + DEPTH_MAX + " parentheses inside each other");
        }
        List<ImapValue> values = new ArrayList<>();
        while (peek() != end) {
            switch (peek()) {
                case ' ' -> skip(' ');
                case '(' -> {
                    skip('(');
                    values.add(new ImapValue.Items(values(')', depth + 1)));
                }
                case '"' -> values.add(new ImapValue.Text(quoted()));
                case '{', '~' -> values.add(new ImapValue.Text(literal()));
                case '\r', '\n', ')' ->
                    throw error("sent a response whose parentheses don't match");
                default -> values.add(atom());
            }
        }
        skip(end);
        if (end == '\r') {
            skip('\n');
        }
        return values;
    }

    private String quoted() throws IOException {
        StringBuilder text = new StringBuilder();
        skip('"');
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
            skip('~');
        }
        skip('{');
        String digits = until(octet -> octet == '}' || octet == '\n');
        int length = LENGTH.matcher(digits).matches()
                ? Integer.parseInt(digits.replace("+", ""))
                : Integer.MAX_VALUE;
        if (length > LITERAL_OCTETS_MAX) {
            throw error("sent a literal whose length is not a number up to " + LITERAL_OCTETS_MAX);
        }
        skip('}');
        skip('\r');
        skip('\n');
        // Read in pieces: a server may promise more than it sends.
        byte[] octets = in.readNBytes(length);
        if (octets.length < length) {
            throw new EOFException("closed the connection");
        }
        return new String(octets, ISO_8859_1);
    }

    /** An atom goes on inside brackets: BODY[HEADER.FIELDS (TO)]. */
    private ImapValue atom() throws IOException {
        StringBuilder atom = new StringBuilder();
        int brackets = 0;
        for (int octet = peek();
                octet != '\r'
                        && octet != '\n'
                        && (brackets > 0 || (octet != ' ' && octet != '(' && octet != ')'));
                octet = peek()) {
            brackets += octet == '[' ? 1 : octet == ']' && brackets > 0 ? -1 : 0;
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
    ProtocolException error(String what) throws IOException {
        while (said.length() < SAID_MAX && hasMore() && peek() != '\r' && peek() != '\n') {
            keep(ahead);
            ahead = NONE;
        }
        return new ProtocolException(what + ": '" + said + "'");
    }

    private int peek() throws IOException {
        if (ahead == NONE) {
            ahead = in.read();
            if (ahead == NONE) {
                throw new EOFException("closed the connection");
            }
        }
        return ahead;
    }

    private int next() throws IOException {
        int octet = peek();
        ahead = NONE;
        keep(octet);
        if (++lineOctets > LINE_OCTETS_MAX) {
            throw error("said more than " + LINE_OCTETS_MAX + " octets in a line");
        }
        return octet;
    }

    private void keep(int octet) {
        if (said.length() < SAID_MAX && octet != '\r' && octet != '\n') {
            // A control character of the peer's has no business in our reports.
            said.append(octet < ' ' || octet > '~' ? '?' : (char) octet);
        }
    }
}
