package org.hubmark.smtp.client;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;

/**
 * Reads replies from a socket (RFC 5321 4.2). A reply is known by its code: of long text the beginning is
 * kept (4.5.3.1.5 allows 512 octets a line, and some servers have more). What isn't a reply is a {@link
 * ProtocolException}: then it isn't known any more which reply belongs to what, and the connection is of
 * no use. One thread.
 */
public final class ReplyReader {
    private static final int LINE_OCTETS_MAX = 2048;
    private static final int LINES_MAX = 100;

    /** No further line is kept then. Several times the answers to EHLO that are known; a refusal has a line or two. */
    private static final int TEXT_CHARACTERS_MAX = 8 << 10;

    /** More than any server has to say; one that goes on for ever must not hold a delivery. */
    private static final int REPLY_OCTETS_MAX = 1 << 20;

    private static final int BUFFER_OCTETS = 2048;

    private final Socket socket;
    private final InputStream in;
    private final byte[] octets = new byte[BUFFER_OCTETS];
    private final StringBuilder line = new StringBuilder();
    private int position;
    private int limit;
    private int replyOctets;
    private int longest;

    /** Reads from a socket, which stays the caller's to close. */
    public ReplyReader(Socket socket) throws IOException {
        this.socket = socket;
        this.in = socket.getInputStream();
    }

    /**
     * Reads one reply.
     *
     * @param timeout for all of it: a peer that says an octet now and then has no more time than one
     *     that is silent
     * @throws ProtocolException when the peer says something else
     */
    public SmtpReply read(Duration timeout) throws IOException {
        long deadlineNanos = System.nanoTime() + timeout.toNanos();
        StringBuilder more = null;
        String text = "";
        int code = 0;
        replyOctets = 0;
        for (int lines = 0; ; lines++) {
            readLine(deadlineNanos);
            int lineCode = code(line);
            if (lines > 0 && lineCode != code) {
                throw new ProtocolException(
                        "answered " + code + " and in the same reply " + lineCode);
            }
            code = lineCode;
            String words = line.length() > 4 ? line.substring(4) : "";
            if (lines == 0) {
                text = words;
            } else if (lines < LINES_MAX && (more == null || more.length() < TEXT_CHARACTERS_MAX)) {
                more = more == null ? new StringBuilder(text) : more;
                more.append('\n').append(words);
            }
            if (line.length() == 3 || line.charAt(3) == ' ') {
                longest = Math.max(longest, replyOctets);
                return new SmtpReply(code, more == null ? text : more.toString());
            }
        }
    }

    /** {@return whether something was read that belongs to no reply yet} */
    public boolean hasMore() {
        return position < limit;
    }

    /** {@return the octets of the longest reply so far} */
    public int longest() {
        return longest;
    }

    private static int code(CharSequence line) throws IOException {
        boolean wellFormed = line.length() >= 3
                && line.charAt(0) >= '2'
                && line.charAt(0) <= '5'
                && isDigit(line.charAt(1))
                && isDigit(line.charAt(2))
                && (line.length() == 3 || line.charAt(3) == ' ' || line.charAt(3) == '-');
        if (!wellFormed) {
            throw new ProtocolException("answered with a line that is not a reply: '" + line + "'");
        }
        return Integer.parseInt(line, 0, 3, 10);
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private void readLine(long deadlineNanos) throws IOException {
        line.setLength(0);
        for (int octet = next(deadlineNanos); octet != '\n'; octet = next(deadlineNanos)) {
            if (octet != '\r' && line.length() < LINE_OCTETS_MAX) {
                // A control character of the peer's has no business in our logs.
                line.append(octet >= ' ' && octet <= '~' ? (char) octet : '?');
            }
        }
    }

    private int next(long deadlineNanos) throws IOException {
        if (position == limit) {
            long leftMillis = (deadlineNanos - System.nanoTime()) / 1_000_000;
            if (leftMillis <= 0) {
                throw new SocketTimeoutException("did not answer in time");
            }
            socket.setSoTimeout((int) Math.min(leftMillis, Integer.MAX_VALUE));
            limit = read();
            position = 0;
        }
        if (++replyOctets > REPLY_OCTETS_MAX) {
            throw new ProtocolException(
                    "answered more than " + REPLY_OCTETS_MAX + " octets at once");
        }
        return octets[position++];
    }

    private int read() throws IOException {
        int count;
        try {
            count = in.read(octets);
        } catch (SocketTimeoutException e) {
            throw new SocketTimeoutException("did not answer in time");
        }
        if (count < 0) {
            throw new EOFException("closed the connection");
        }
        return count;
    }
}
