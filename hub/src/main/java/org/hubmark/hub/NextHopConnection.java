package org.hubmark.hub;

import org.jspecify.annotations.Nullable;

import java.io.BufferedOutputStream;
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

import javax.net.ssl.SSLSocket;

/**
 * One connection to a next hop (RFC 5321, RFC 2033). One delivery thread at a time; any thread may
 * close it, as the timer does when a write doesn't end. After an {@link IOException} it can only be
 * closed.
 *
 * <p>A reply is a success (2xx), 4xx or 5xx; only the one to DATA is 354. Anything else is an {@link
 * IOException}: the peer and we don't agree on where in the dialogue we are.
 */
final class NextHopConnection implements AutoCloseable {
    private static final int BUFFER_BYTES = 64 << 10;

    /** Octets of content in a BDAT: large beside its round trip, and 16 of them are few megabytes. */
    private static final int CHUNK_BYTES = 256 << 10;

    private final NextHop hop;
    private final NextHopSettings.Timeouts timeouts;
    private final ScheduledExecutorService timer;
    private final Socket plain = new Socket();
    private final long openedNanos = System.nanoTime();
    private long usedNanos = openedNanos;
    private int messages;
    private Socket socket = plain;
    private @Nullable OutputStream out;
    private @Nullable ReplyReader replies;
    private Set<String> extensions = Set.of();
    private byte[] block = new byte[0];

    /** STARTTLS was offered and did not work. */
    static final class TlsException extends IOException {
        private static final long serialVersionUID = 1L;

        TlsException(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }

    /** A connection that {@link #open} opens. */
    NextHopConnection(
            NextHop hop, NextHopSettings.Timeouts timeouts, ScheduledExecutorService timer) {
        this.hop = hop;
        this.timeouts = timeouts;
        this.timer = timer;
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

    /** It has carried a message. */
    void used() {
        messages++;
        usedNanos = System.nanoTime();
    }

    /** {@return whether it has had its time, or its messages} */
    boolean isWornOut(NextHopSettings limits) {
        long nowNanos = System.nanoTime();
        return messages >= limits.connectionMessagesMax()
                || nowNanos - openedNanos >= limits.connectionAge().toNanos()
                || nowNanos - usedNanos >= limits.connectionIdle().toNanos();
    }

    /** Puts a command behind those that wait to be sent. */
    void write(String command) throws IOException {
        byte[] line = (command + "\r\n").getBytes(StandardCharsets.UTF_8);
        timed(() -> out().write(line));
    }

    /** Sends what waits and reads one reply: 2xx, 4xx or 5xx. */
    NextHopReply reply(String to) throws IOException {
        return expectCompletion(read(timeouts.command()), to);
    }

    /** Sends what waits and reads the reply to DATA: 354, 4xx or 5xx. */
    NextHopReply replyToData() throws IOException {
        NextHopReply reply = read(timeouts.data());
        if (reply.code() < 400 && reply.code() != NextHopReply.START_INPUT) {
            throw new IOException("answered " + reply + " to DATA");
        }
        return reply;
    }

    /** Sends what waits and reads a reply to content: 2xx, 4xx or 5xx. */
    NextHopReply replyToContent() throws IOException {
        return expectCompletion(read(timeouts.end()), "content");
    }

    /**
     * Sends content as lines with their end, dot-stuffed (RFC 5321 4.5.2). A last line without CRLF
     * gets one, without which there would be no end (4.1.1.4).
     *
     * @throws LineCheck.NotTextException at what can't be sent so: content without its end was sent
     */
    void writeLines(InputStream content, LineCheck check)
            throws IOException, LineCheck.NotTextException {
        byte[] octets = block();
        boolean atLineStart = true;
        for (int count = read(content, octets); count > 0; count = read(content, octets)) {
            check.check(octets, count);
            int from = 0;
            for (int i = 0; i < count; i++) {
                if (atLineStart && octets[i] == '.') {
                    writeTimed(octets, from, i - from);
                    from = i;
                    out().write('.');
                }
                atLineStart = octets[i] == '\n';
            }
            writeTimed(octets, from, count - from);
        }
        check.end();
        write(atLineStart ? "." : "\r\n.");
    }

    /**
     * Sends content as it is, in chunks (RFC 3030). The reply to the last one is not read.
     *
     * @param check null for content that may hold any octet
     * @return why the rest was not sent, or null
     * @throws LineCheck.NotTextException at what can't be sent so: content without its end was sent
     */
    @Nullable
    NextHopReply writeChunks(InputStream content, @Nullable LineCheck check)
            throws IOException, LineCheck.NotTextException {
        byte[] octets = block();
        boolean pipelines = has("PIPELINING");
        int unanswered = 0;
        while (true) {
            int count = read(content, octets);
            boolean last = count < octets.length;
            if (check != null) {
                check.check(octets, count);
                if (last) {
                    check.end();
                }
            }
            write("BDAT " + count + (last ? " LAST" : ""));
            writeTimed(octets, 0, count);
            unanswered += last ? 0 : 1;
            // One chunk ahead: neither side waits for the other, and few replies are under way.
            int aheadMax = pipelines && !last ? 1 : 0;
            for (; unanswered > aheadMax; unanswered--) {
                NextHopReply reply = replyToContent();
                if (!reply.isSuccess()) {
                    return reply;
                }
            }
            if (last) {
                return null;
            }
        }
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
            // Not the TLS socket: closing that one waits for a write that hangs.
            plain.close();
        } catch (IOException e) {
            throw new IllegalStateException("a socket can't be closed", e);
        }
    }

    private void use(Socket connected) throws IOException {
        socket = connected;
        replies = new ReplyReader(connected);
        out = new BufferedOutputStream(connected.getOutputStream(), BUFFER_BYTES);
    }

    private void greet(String hostName) throws IOException {
        extensions = Set.of();
        boolean lmtp = hop.protocol() == NextHop.Protocol.LMTP;
        String verb = lmtp ? "LHLO" : "EHLO";
        write(verb + " " + hostName);
        NextHopReply hello = reply(verb);
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
        NextHopReply go = reply("STARTTLS");
        if (!go.isSuccess()) {
            throw new TlsException("answered " + go + " to STARTTLS", null);
        }
        if (replies().hasMore()) {
            // Somebody in between could have put it there, to be taken for something sent by TLS.
            throw new TlsException("said something in plain text behind STARTTLS", null);
        }
        socket.setSoTimeout((int) timeouts.command().toMillis());
        Future<?> end = closeAfter(timeouts.command());
        SSLSocket secured;
        try {
            secured = tls.handshake(plain, hop);
        } catch (IOException e) {
            throw new TlsException("TLS failed: " + e.getMessage(), e);
        } finally {
            end.cancel(false);
        }
        use(secured);
        greet(hostName);
    }

    private static void requireSuccess(NextHopReply reply, String to) throws IOException {
        if (!reply.isSuccess()) {
            throw new IOException("answered " + reply + " to " + to);
        }
    }

    private static NextHopReply expectCompletion(NextHopReply reply, String to) throws IOException {
        if (reply.code() / 100 == 3) {
            throw new IOException("answered " + reply + " to " + to);
        }
        return reply;
    }

    private NextHopReply read(Duration timeout) throws IOException {
        flush();
        return replies().read(timeout);
    }

    private void writeTimed(byte[] octets, int from, int count) throws IOException {
        if (count > 0) {
            timed(() -> out().write(octets, from, count));
        }
    }

    private void flush() throws IOException {
        timed(out()::flush);
    }

    /** What may block until the peer reads on. */
    private interface Write {
        void run() throws IOException;
    }

    private void timed(Write write) throws IOException {
        Future<?> end = closeAfter(timeouts.block());
        try {
            write.run();
        } finally {
            end.cancel(false);
        }
    }

    /** Java has no timeout for writing to a socket, so the timer closes it. */
    private Future<?> closeAfter(Duration timeout) {
        return timer.schedule(this::close, timeout.toMillis(), TimeUnit.MILLISECONDS);
    }

    private byte[] block() {
        if (block.length == 0) {
            block = new byte[CHUNK_BYTES];
        }
        return block;
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

    /** Fills the block, unless the content ends. What can't be read is our own fault. */
    private static int read(InputStream content, byte[] octets) {
        try {
            return content.readNBytes(octets, 0, octets.length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
