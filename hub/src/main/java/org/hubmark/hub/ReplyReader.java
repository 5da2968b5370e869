package org.hubmark.hub;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;

/**
 * Reads replies from a socket (RFC 5321 4.2). What isn't one is a {@link ProtocolException}: then it
 * isn't known any more which reply belongs to what, and the connection is of no use. One thread.
 */
final class ReplyReader {
    private static final int LINE_OCTETS_MAX = 2048;
    private static final int LINES_MAX = 100;

    private final Socket socket;
    private final InputStream in;
    private final byte[] octets = new byte[LINE_OCTETS_MAX];
    private final StringBuilder line = new StringBuilder();
    private int position;
    private int limit;

    ReplyReader(Socket socket) throws IOException {
        this.socket = socket;
        this.in = socket.getInputStream();
    }

    /**
     * Reads one reply.
     *
     * @param timeout for all of it: a peer that says an octet now and then has no more time than one
     *     that is silent
     */
    SmtpReply read(Duration timeout) throws IOException {
        long deadlineNanos = System.nanoTime() + timeout.toNanos();
        String text = "";
        int code = 0;
        for (int lines = 0; lines < LINES_MAX; lines++) {
            String next = readLine(deadlineNanos);
            int lineCode = code(next);
            if (lines > 0 && lineCode != code) {
                throw new ProtocolException(
                        "answered " + code + " and in the same reply " + lineCode);
            }
            code = lineCode;
            String words = next.length() > 4 ? next.substring(4) : "";
            text = lines == 0 ? words : text + "\n" + words;
            if (next.length() == 3 || next.charAt(3) == ' ') {
                return new SmtpReply(code, text);
            }
        }
        throw new ProtocolException("answered more than " + LINES_MAX + " lines at once");
    }

    /** {@return whether the peer has said more than was asked for} */
    boolean hasMore() {
        return position < limit;
    }

    private static int code(String line) throws IOException {
        boolean wellFormed = line.length() >= 3
                && line.charAt(0) >= '2'
                && line.charAt(0) <= '5'
                && isDigit(line.charAt(1))
                && isDigit(line.charAt(2))
                && (line.length() == 3 || line.charAt(3) == ' ' || line.charAt(3) == '-');
        if (!wellFormed) {
            throw new ProtocolException("answered what is no reply: '" + line + "'");
        }
        return Integer.parseInt(line, 0, 3, 10);
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private String readLine(long deadlineNanos) throws IOException {
        line.setLength(0);
        for (int octet = next(deadlineNanos); octet != '\n'; octet = next(deadlineNanos)) {
            if (line.length() == LINE_OCTETS_MAX) {
                throw new ProtocolException(
                        "answered a line of more than " + LINE_OCTETS_MAX + " octets");
            }
            if (octet != '\r') {
                // A control character of the peer's has no business in our logs.
                line.append(octet >= ' ' && octet <= '~' ? (char) octet : '?');
            }
        }
        return line.toString();
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
