package org.hubmark.hub;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * One connection to a next hop, greeted (RFC 5321, RFC 2033). One delivery thread at a time; the timer
 * closes it when a write doesn't end. After an {@link IOException} it can only be closed.
 */
final class NextHopConnection implements AutoCloseable {
    private static final int REPLY_LINE_OCTETS_MAX = 2048;
    private static final int REPLY_LINES_MAX = 100;
    private static final int BUFFER_BYTES = 64 << 10;

    /**
     * How long the next hop may take (RFC 5321 4.5.3.2).
     *
     * @param connect to accept the connection; RFC 5321 has no value
     * @param command for the greeting (4.5.3.2.1), MAIL (.2) and RCPT (.3)
     * @param data for the answer to DATA (.4)
     * @param block to take a block of content (.5)
     * @param end for the answer to the end of content (.6)
     */
    record Timeouts(
            Duration connect, Duration command, Duration data, Duration block, Duration end) {
        static final Timeouts OF_THE_RFC = new Timeouts(
                Duration.ofSeconds(30),
                Duration.ofMinutes(5),
                Duration.ofMinutes(2),
                Duration.ofMinutes(3),
                Duration.ofMinutes(10));
    }

    /**
     * A reply, its lines joined by spaces.
     *
     * @param code three digits
     */
    record Reply(int code, String text) {
        boolean isPositive() {
            return code < 400;
        }

        boolean isPermanent() {
            return code >= 500;
        }

        @Override
        public String toString() {
            return code + " " + text;
        }
    }

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private final Timeouts timeouts;
    private final ScheduledExecutorService timer;
    private Set<String> extensions = Set.of();

    private NextHopConnection(Socket socket, Timeouts timeouts, ScheduledExecutorService timer)
            throws IOException {
        this.socket = socket;
        this.timeouts = timeouts;
        this.timer = timer;
        this.in = new BufferedInputStream(socket.getInputStream());
        this.out = new BufferedOutputStream(socket.getOutputStream(), BUFFER_BYTES);
    }

    /**
     * Connects and greets.
     *
     * @throws IOException if there is nobody, or nobody who takes mail now; the message says why
     */
    static NextHopConnection open(
            DeliverySpec.NextHop hop,
            String hostName,
            Timeouts timeouts,
            ScheduledExecutorService timer)
            throws IOException {
        Socket socket = new Socket();
        boolean opened = false;
        try {
            socket.setTcpNoDelay(true);
            socket.connect(new InetSocketAddress(hop.host(), hop.port()), (int)
                    timeouts.connect().toMillis());
            NextHopConnection connection = new NextHopConnection(socket, timeouts, timer);
            connection.greet(hop.protocol(), hostName);
            opened = true;
            return connection;
        } finally {
            if (!opened) {
                socket.close();
            }
        }
    }

    /** {@return whether the next hop has said that it knows an extension} */
    boolean has(String extension) {
        return extensions.contains(extension);
    }

    /** Puts a command behind those that wait to be sent. */
    void write(String command) throws IOException {
        out.write((command + "\r\n").getBytes(StandardCharsets.UTF_8));
    }

    /** Sends what waits and reads one reply. */
    Reply reply() throws IOException {
        return reply(timeouts.command());
    }

    /** Reads the reply to DATA. */
    Reply replyToData() throws IOException {
        return reply(timeouts.data());
    }

    /** Reads a reply to the end of content. */
    Reply replyToEnd() throws IOException {
        return reply(timeouts.end());
    }

    /** Sends content with its end, dot-stuffed (RFC 5321 4.5.2). */
    void writeContent(InputStream content) throws IOException {
        byte[] block = new byte[BUFFER_BYTES];
        boolean atLineStart = true;
        byte last = '\n';
        for (int octets = read(content, block); octets >= 0; octets = read(content, block)) {
            int from = 0;
            for (int i = 0; i < octets; i++) {
                if (atLineStart && block[i] == '.') {
                    writeTimed(block, from, i - from);
                    from = i;
                    out.write('.');
                }
                atLineStart = block[i] == '\n';
                last = block[i];
            }
            writeTimed(block, from, octets - from);
        }
        out.write((last == '\n' ? ".\r\n" : "\r\n.\r\n").getBytes(StandardCharsets.US_ASCII));
    }

    /** Says goodbye without waiting for an answer, and closes. */
    void quit() {
        try {
            write("QUIT");
            flush();
        } catch (IOException e) {
            // It has gone before us.
        }
        close();
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new IllegalStateException("a socket can't be closed", e);
        }
    }

    private void greet(DeliverySpec.NextHop.Protocol protocol, String hostName) throws IOException {
        requirePositive(reply(), "greeting");
        String verb = protocol == DeliverySpec.NextHop.Protocol.LMTP ? "LHLO " : "EHLO ";
        write(verb + hostName);
        Reply hello = reply();
        if (hello.isPermanent() && protocol == DeliverySpec.NextHop.Protocol.SMTP) {
            write("HELO " + hostName);
            hello = reply();
        } else {
            Set<String> known = new TreeSet<>();
            for (String line : hello.text().split("\n", -1)) {
                known.add(line.split(" ", 2)[0].toUpperCase(Locale.ROOT));
            }
            extensions = known;
        }
        requirePositive(hello, verb.strip());
    }

    private static void requirePositive(Reply reply, String to) throws IOException {
        if (!reply.isPositive()) {
            throw new IOException("answered " + reply + " to " + to);
        }
    }

    private Reply reply(Duration timeout) throws IOException {
        flush();
        socket.setSoTimeout((int) Math.max(1, timeout.toMillis()));
        StringBuilder text = new StringBuilder();
        for (int lines = 0; lines < REPLY_LINES_MAX; lines++) {
            String line = readLine();
            if (!line.matches("[2-5][0-9][0-9]([ -].*)?")) {
                throw new IOException("answered what is no reply: '" + line + "'");
            }
            text.append(lines == 0 ? "" : "\n").append(line.length() > 4 ? line.substring(4) : "");
            if (line.length() == 3 || line.charAt(3) == ' ') {
                return new Reply(Integer.parseInt(line.substring(0, 3)), text.toString());
            }
        }
        throw new IOException("answered more than " + REPLY_LINES_MAX + " lines at once");
    }

    private String readLine() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int octet = in.read(); octet != '\n'; octet = in.read()) {
            if (octet < 0) {
                throw new EOFException("closed the connection");
            }
            if (line.length() == REPLY_LINE_OCTETS_MAX) {
                throw new IOException(
                        "answered a line of more than " + REPLY_LINE_OCTETS_MAX + " octets");
            }
            // A control character of the peer's has no business in our logs.
            line.append(octet >= ' ' && octet <= '~' ? (char) octet : octet == '\r' ? "" : "?");
        }
        return line.toString();
    }

    private void writeTimed(byte[] block, int from, int octets) throws IOException {
        timed(() -> out.write(block, from, octets));
    }

    private void flush() throws IOException {
        timed(out::flush);
    }

    /** What may block until the peer reads on. */
    private interface Write {
        void run() throws IOException;
    }

    /** Java has no timeout for writing to a socket, so the timer closes it. */
    private void timed(Write write) throws IOException {
        Future<?> end =
                timer.schedule(this::close, timeouts.block().toMillis(), TimeUnit.MILLISECONDS);
        try {
            write.run();
        } finally {
            end.cancel(false);
        }
    }

    /** A content that can't be read is our own fault, not the next hop's. */
    private static int read(InputStream content, byte[] block) {
        try {
            return content.read(block);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
