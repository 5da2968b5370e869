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
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.regex.Pattern;

/**
 * Reads responses of an IMAP server. What isn't one is a {@link ProtocolException}: then nobody knows any
 * more where the next one begins, and the connection is of no use. One thread.
 */
final class ImapReader {
    /** Longest text outside of literals in one response; the answer to UID SEARCH may be long. */
    static final int LINE_OCTETS_MAX = 1 << 20;

    static final int LITERAL_OCTETS_MAX = 128 << 20;
    static final int DEPTH_MAX = 32;

    private static final int BUFFER_OCTETS = 4096;
    private static final int NONE = -1;
    private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");
    private static final Pattern LENGTH = Pattern.compile("\\d{1,9}");
    /** Those that have text behind them (RFC 9051 7.1). */
    private static final Set<String> STATES = Set.of("OK", "NO", "BAD", "BYE", "PREAUTH");

    private final InputStream in;
    /** The octet that was looked at. */
    private int ahead = NONE;
    /** Outside literals, of the response that is being read. */
    private int lineOctets;

    ImapReader(InputStream in) {
        this.in = new BufferedInputStream(in, BUFFER_OCTETS);
    }

    /** {@return whether the server has said more than was asked for} */
    boolean hasMore() throws IOException {
        return ahead != NONE || in.available() > 0;
    }

    /** {@return the next response} */
    ImapResponse read() throws IOException {
        lineOctets = 0;
        String tag = word();
        if (tag.equals(ImapResponse.CONTINUE)) {
            return new ImapResponse(tag, -1, "", line(), List.of());
        }
        skip(' ');
        String name = word();
        long number = -1;
        if (NUMBER.matcher(name).matches()) {
            number = Long.parseLong(name);
            skip(' ');
            name = word();
        }
        if (tag.isEmpty() || name.isEmpty()) {
            throw new ProtocolException("sent a line that is not a response");
        }
        boolean isText = !tag.equals(ImapResponse.UNTAGGED) || STATES.contains(name);
        return isText
                ? new ImapResponse(tag, number, name, line(), List.of())
                : new ImapResponse(tag, number, name, "", values('\r', 0));
    }

    private String word() throws IOException {
        return until(octet -> octet <= ' ').toUpperCase(Locale.ROOT);
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
            throw new ProtocolException(
                    "said more than " + DEPTH_MAX + " parentheses inside each other");
        }
        List<ImapValue> values = new ArrayList<>();
        while (peek() != end) {
            switch (peek()) {
                case ' ' -> skip(' ');
                case '(' -> {
                    skip('(');
                    values.add(new ImapValue("", values(')', depth + 1)));
                }
                case '"' -> values.add(new ImapValue(quoted(), List.of()));
                case '{' -> values.add(new ImapValue(literal(), List.of()));
                case '\r', '\n', ')' ->
                    throw new ProtocolException("sent a response whose parentheses don't match");
                default -> values.add(new ImapValue(atom(), List.of()));
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
                throw new ProtocolException("sent a quoted string without an end");
            }
            text.append((char) plain);
        }
        return text.toString();
    }

    private String literal() throws IOException {
        skip('{');
        String digits = until(octet -> octet == '}' || octet == '\n');
        int length = LENGTH.matcher(digits).matches() ? Integer.parseInt(digits) : -1;
        if (length < 0 || length > LITERAL_OCTETS_MAX) {
            throw new ProtocolException(
                    "sent a literal whose length is not a number up to " + LITERAL_OCTETS_MAX);
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
    private String atom() throws IOException {
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
        return atom.toString().equalsIgnoreCase("NIL") ? "" : atom.toString();
    }

    private void skip(int expected) throws IOException {
        if (next() != expected) {
            throw new ProtocolException("sent a response that is not IMAP");
        }
    }

    /**
     * {@return the next octet, which stays; waits for it}
     *
     * @throws java.net.SocketTimeoutException when none comes for as long as the socket waits
     */
    int peek() throws IOException {
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
        if (++lineOctets > LINE_OCTETS_MAX) {
            throw new ProtocolException("said more than " + LINE_OCTETS_MAX + " octets in a line");
        }
        return octet;
    }
}
