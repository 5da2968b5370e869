package org.hubmark.hub;

import org.jspecify.annotations.Nullable;

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

import javax.net.ssl.SSLSocket;

/**
 * One connection to a next hop (RFC 5321, RFC 2033). One delivery thread at a time; any thread may
 * close it, as the timer does when a write doesn't end. After an {@link IOException} it can only be
 * closed.
 *
 * <p>What is written waits in a buffer until a reply is read, so that commands and content leave
 * together. A write that fails shows at the next reply that doesn't come: the next hop may have said
 * why it has gone, and has answered what it took before.
 *
 * <p>A reply is a success (2xx), 4xx or 5xx; only the one to DATA is 354. Anything else is an {@link
 * IOException}: the peer and we don't agree on where in the dialogue we are.
 */
final class NextHopConnection implements AutoCloseable {
    /** Octets of content in a BDAT: large beside its round trip, and 16 of them are few megabytes. */
    static final int CHUNK_BYTES = 256 << 10;

    /** A chunk, and the commands before it. */
    private static final int BUFFER_BYTES = CHUNK_BYTES + (64 << 10);

    private static final int BLOCK_BYTES = 64 << 10;
    private static final byte[] DOT = {'.'};

    private final NextHop hop;
    private final NextHopSettings.Timeouts timeouts;
    private final Socket plain = new Socket();
    private final long openedNanos = System.nanoTime();
    private long usedNanos = openedNanos;
    private int messages;
    private Socket socket = plain;
    private @Nullable OutputStream out;
    private @Nullable ReplyReader replies;
    private Set<String> extensions = Set.of();

    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int buffered;

    /** Octets that were written here; and those of them that the socket got, if writing them failed too. */
    private long written;

    private long handedOver;

    private @Nullable IOException writeFailure;
    private boolean closing;

    /** When a write under way has to have ended; 0 while there is none. The timer reads it. */
    private volatile long writeEndNanos;

    /** STARTTLS was offered and did not work. */
    static final class TlsException extends IOException {
        private static final long serialVersionUID = 1L;

        TlsException(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }

    /** A connection that {@link #open} opens. */
    NextHopConnection(NextHop hop, NextHopSettings.Timeouts timeouts) {
        this.hop = hop;
        this.timeouts = timeouts;
    }

    /**
     * Connects and greets.
     *
     * @param hostName what we call ourselves
     * @throws TlsException if the next hop offers TLS, and then it fails
     * @throws IOException if there is nobody, or nobody who takes mail now; the message says why
     */
    void open(InetSocketAddress address, String hostName, NextHopTls tls) throws IOException {
        plain.setTcpNoDelay(true);
        plain.connect(address, (int) timeouts.connect().toMillis());
        use(plain);
        requireSuccess(reply("the greeting"), "the greeting");
        greet(hostName);
        switch (tls.mode()) {
            case NONE -> {}
            case OPPORTUNISTIC -> {
                if (has("STARTTLS")) {
                    startTls(hostName, tls);
                }
            }
            case REQUIRED -> {
                if (!has("STARTTLS")) {
                    throw new IOException("does not offer STARTTLS, and tls=required");
                }
                startTls(hostName, tls);
            }
        }
    }

    /** {@return what it is connected to} */
    NextHop hop() {
        return hop;
    }

    /** {@return whether the next hop has said that it knows an extension} */
    boolean has(String extension) {
        return extensions.contains(extension);
    }

    /** {@return whether the next hop takes content that may hold any octet} */
    boolean takesBinary() {
        return has("CHUNKING") && has("BINARYMIME");
    }

    /** It has carried a message. */
    void used() {
        messages++;
        usedNanos = System.nanoTime();
    }

    /** {@return whether it has had its time, or its messages} */
    boolean isWornOut(NextHopSettings limits) {
        return System.nanoTime() - usedNanos >= limits.connectionIdle().toNanos()
                || !mayCarry(1, limits);
    }

    /** {@return whether so many more messages may go over it, with those under way} */
    boolean mayCarry(int more, NextHopSettings limits) {
        return messages + more <= limits.connectionMessagesMax()
                && System.nanoTime() - openedNanos < limits.connectionAge().toNanos();
    }

    /** {@return whether it has come to its end: a write has failed, or the next hop is closing} */
    boolean isEnding() {
        return writeFailure != null || closing;
    }

    /** {@return whether the next hop has said that it is closing: it does nothing more that was sent} */
    boolean isClosing() {
        return closing;
    }

    /** {@return octets written so far; what is sent next comes behind them} */
    long position() {
        return written;
    }

    /** {@return whether what was written up to a position may have reached the next hop} */
    boolean mayHaveSent(long position) {
        return position <= handedOver;
    }

    /** Puts a command, or several with line ends between them, behind what waits to be sent. */
    void write(String commands) {
        byte[] lines = (commands + "\r\n").getBytes(StandardCharsets.UTF_8);
        write(lines, 0, lines.length);
    }

    /** Sends what waits and reads one reply: 2xx, 4xx or 5xx. */
    SmtpReply reply(String to) throws IOException {
        return expectCompletion(read(timeouts.command()), to);
    }

    /** Sends what waits and reads the reply to DATA: 354, 4xx or 5xx. */
    SmtpReply replyToData() throws IOException {
        SmtpReply reply = read(timeouts.data());
        if (reply.code() < 400 && !reply.asksForContent()) {
            throw new IOException("answered " + reply + " to DATA");
        }
        return reply;
    }

    /** Sends what waits and reads a reply to content: 2xx, 4xx or 5xx. */
    SmtpReply replyToContent() throws IOException {
        return expectCompletion(read(timeouts.end()), "content");
    }

    /**
     * Writes content as lines with their end, dot-stuffed (RFC 5321 4.5.2). A last line without CRLF
     * gets one, without which there would be no end (4.1.1.4).
     *
     * @throws LineCheck.NotTextException at what can't be sent so: content without its end was sent
     */
    void writeLines(InputStream content, LineCheck check) throws LineCheck.NotTextException {
        byte[] octets = new byte[BLOCK_BYTES];
        int count = read(content, octets, 0, octets.length);
        while (count > 0 && !isEnding()) {
            int from = 0;
            int dot = check.checkToDot(octets, from, count);
            while (dot < count) {
                write(octets, from, dot - from);
                write(DOT, 0, 1);
                from = dot;
                dot = check.checkToDot(octets, from, count);
            }
            write(octets, from, count - from);
            count = read(content, octets, 0, octets.length);
        }
        if (isEnding()) {
            return;
        }
        check.end();
        write(check.isAtLineStart() ? "." : "\r\n.");
    }

    /**
     * Writes commands and the chunk that they end with (RFC 3030), all or nothing.
     *
     * @param octets how many the chunk has, {@link #CHUNK_BYTES} at most
     * @param check null for content that may hold any octet
     * @param last whether the content ends with it
     * @throws LineCheck.NotTextException at what can't be sent so: nothing of all this will be sent
     */
    void writeChunk(
            String commands,
            InputStream content,
            int octets,
            @Nullable LineCheck check,
            boolean last)
            throws LineCheck.NotTextException {
        byte[] lines = (commands + "BDAT " + octets + (last ? " LAST\r\n" : "\r\n"))
                .getBytes(StandardCharsets.UTF_8);
        if (BUFFER_BYTES - buffered < lines.length + octets) {
            flush();
        }
        int linesBegin = buffered;
        write(lines, 0, lines.length);
        int begin = buffered;
        boolean complete = false;
        try {
            if (read(content, buffer, begin, octets) != octets) {
                throw new UncheckedIOException(
                        new IOException("the content ends before its size is reached"));
            }
            if (check != null) {
                check.check(buffer, begin, begin + octets);
                if (last) {
                    check.end();
                }
            }
            buffered += octets;
            written += octets;
            complete = true;
        } finally {
            if (!complete) {
                buffered = linesBegin;
                written -= lines.length;
            }
        }
    }

    /** Says goodbye without waiting for an answer, and closes. */
    void quit() {
        write("QUIT");
        flush();
        close();
    }

    /** Ends a connection whose write should have ended. The timer calls. */
    void closeLate(long nowNanos) {
        long endNanos = writeEndNanos;
        if (endNanos != 0 && nowNanos - endNanos >= 0) {
            close();
        }
    }

    @Override
    public void close() {
        try {
            // Not the TLS socket: closing that one waits for a write that hangs.
            plain.close();
        } catch (IOException e) {
            throw new IllegalStateException("a socket can't be closed", e);
        }
    }

    private void use(Socket connected) throws IOException {
        socket = connected;
        replies = new ReplyReader(connected);
        out = connected.getOutputStream();
    }

    private void greet(String hostName) throws IOException {
        extensions = Set.of();
        boolean lmtp = hop.protocol() == NextHop.Protocol.LMTP;
        String verb = lmtp ? "LHLO" : "EHLO";
        write(verb + " " + hostName);
        SmtpReply hello = reply(verb);
        if (hello.isPermanent() && !lmtp) {
            write("HELO " + hostName);
            requireSuccess(reply("HELO"), "HELO");
            return;
        }
        requireSuccess(hello, verb);
        Set<String> known = new TreeSet<>();
        String[] lines = hello.text().split("\n", -1);
        for (int i = 1; i < lines.length; i++) {
            known.add(lines[i].split(" ", 2)[0].toUpperCase(Locale.ROOT));
        }
        extensions = known;
    }

    private void startTls(String hostName, NextHopTls tls) throws IOException {
        write("STARTTLS");
        SmtpReply go = reply("STARTTLS");
        if (!go.isSuccess()) {
            throw new TlsException("answered " + go + " to STARTTLS", null);
        }
        if (replies().hasMore()) {
            // Somebody in between could have put it there, to be taken for something sent by TLS.
            throw new TlsException("said something in plain text behind STARTTLS", null);
        }
        socket.setSoTimeout((int) timeouts.command().toMillis());
        SSLSocket secured;
        beginWrite(timeouts.command());
        try {
            secured = tls.handshake(plain, hop);
        } catch (IOException e) {
            throw new TlsException("TLS failed: " + e.getMessage(), e);
        } finally {
            writeEndNanos = 0;
        }
        use(secured);
        greet(hostName);
    }

    private static void requireSuccess(SmtpReply reply, String to) throws IOException {
        if (!reply.isSuccess()) {
            throw new IOException("answered " + reply + " to " + to);
        }
    }

    private static SmtpReply expectCompletion(SmtpReply reply, String to) throws IOException {
        if (reply.code() / 100 == 3) {
            throw new IOException("answered " + reply + " to " + to);
        }
        return reply;
    }

    private SmtpReply read(Duration timeout) throws IOException {
        if (!replies().hasMore()) {
            flush();
        }
        try {
            SmtpReply reply = replies().read(timeout);
            closing |= reply.isClosing();
            return reply;
        } catch (IOException e) {
            if (writeFailure == null) {
                throw e;
            }
            writeFailure.addSuppressed(e);
            throw writeFailure;
        }
    }

    private void write(byte[] octets, int from, int count) {
        int index = from;
        while (index < from + count) {
            if (buffered == BUFFER_BYTES) {
                flush();
            }
            int fits = Math.min(from + count - index, BUFFER_BYTES - buffered);
            System.arraycopy(octets, index, buffer, buffered, fits);
            buffered += fits;
            index += fits;
        }
        written += count;
    }

    /** Sends what waits, or drops it once a write has failed. */
    private void flush() {
        int count = buffered;
        buffered = 0;
        if (count == 0 || writeFailure != null) {
            return;
        }
        handedOver = written;
        beginWrite(timeouts.block());
        try {
            out().write(buffer, 0, count);
        } catch (IOException e) {
            writeFailure = e;
        } finally {
            writeEndNanos = 0;
        }
    }

    /** Java has no timeout for writing to a socket, so the timer closes it. */
    private void beginWrite(Duration timeout) {
        // Never 0, which says that there is none.
        writeEndNanos = (System.nanoTime() + timeout.toNanos()) | 1;
    }

    private OutputStream out() throws IOException {
        if (out == null) {
            throw new IOException("is not connected");
        }
        return out;
    }

    private ReplyReader replies() throws IOException {
        if (replies == null) {
            throw new IOException("is not connected");
        }
        return replies;
    }

    /** Fills the space, unless the content ends. What can't be read is our own fault. */
    private static int read(InputStream content, byte[] octets, int from, int space) {
        try {
            return content.readNBytes(octets, from, space);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
