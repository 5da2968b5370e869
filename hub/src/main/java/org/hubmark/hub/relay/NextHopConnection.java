package org.hubmark.hub.relay;

import org.hubmark.core.OwnName;
import org.hubmark.hub.delivery.NextHop;
import org.hubmark.hub.delivery.NextHopSettings;
import org.hubmark.smtp.client.ReplyReader;
import org.hubmark.smtp.client.SmtpReply;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

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

    /** Octets of content that are read at once for DATA. */
    static final int BLOCK_BYTES = 64 << 10;

    /** Answers that are under way have to find room in the buffers between us: a socket has 64 KiB and more. */
    private static final int ANSWERS_BYTES_MAX = 64 << 10;

    /**
     * Refused messages after which it carries no more. Less than half of what Exim bears (smtp_accept_max_nonmail), since
     * those under way then may be refused too.
     */
    private static final int REFUSED_MAX = 4;

    /** RFC 5321 4.5.3.1.5. */
    private static final int REPLY_BYTES = 512;

    /** How long the answer to QUIT is waited for. */
    private static final Duration QUIT_TIMEOUT = Duration.ofSeconds(5);

    /** RFC 5321 4.2.3: closing transmission channel. */
    private static final int GOODBYE = 221;

    /** Replies that answer nothing, before it isn't worth reading on. */
    private static final int SURPLUS_MAX = 100;

    private static final byte[] DOT = {'.'};
    private static final byte[] LINE_END = {'\r', '\n'};

    private static final Logger LOG = LoggerFactory.getLogger(NextHopConnection.class);

    private final NextHop hop;
    private final NextHopSettings.Timeouts timeouts;
    private final Socket plain = new Socket();
    private final long openedNanos = System.nanoTime();
    private long usedNanos = openedNanos;
    private int messages;

    /** Messages that the next hop has taken, and how many it may get. */
    private int taken;

    private int messagesMax = Integer.MAX_VALUE;

    private Socket socket = plain;
    private @Nullable OutputStream out;
    private @Nullable ReplyReader replies;
    private HopExtensions extensions = HopExtensions.NONE;
    private String ownName = "";

    private final WriteBuffer waiting = new WriteBuffer();

    /** Octets that were written here; and those of them that the socket got, if writing them failed too. */
    private long written;

    private long handedOver;

    /**
     * Replies that are to come for all that was written, for what the socket got of it, and those that have
     * come: reply number n answers what was asked for as the nth. The greeting is the first.
     */
    private long expected = 1;

    private long due = 1;
    private long answered;

    /** How many were answered when TLS began; -1 by plain text. */
    private long securedAt = -1;

    private @Nullable IOException writeFailure;
    private boolean closing;

    /** Whether it was kept and nothing was heard since, and whether that was waited for. */
    private boolean kept;

    private boolean dead;
    private long takenNanos;

    /** Whether the next hop has shown that it counts right: see {@link #confirm}. */
    private boolean confirmed;

    /** When a write under way has to have ended; 0 while there is none. The timer reads it. */
    private volatile long writeEndNanos;

    /** The next hop has said something that answers nothing, so that answers can't be told apart. */
    static final class SurplusException extends IOException {
        private static final long serialVersionUID = 1L;

        SurplusException(String said) {
            super("said " + said + " without being asked");
        }
    }

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
     * @param hostName what we call ourselves; empty for our address
     * @throws TlsException if the next hop offers TLS, and then it fails
     * @throws IOException if there is nobody, or nobody who takes mail now; the message says why
     */
    void open(InetSocketAddress address, String hostName, NextHopTls tls) throws IOException {
        create();
        plain.connect(address, (int) timeouts.connect().toMillis());
        use(plain);
        requireSuccess(reply("the greeting"), "the greeting");
        ownName = hostName.isEmpty() ? OwnName.literal(plain.getLocalAddress()) : hostName;
        greeted(hello(timeouts.command()));
        switch (tls.mode()) {
            case NONE -> {}
            case OPPORTUNISTIC -> {
                if (has("STARTTLS") && !tls.stalls(hop, System.nanoTime())) {
                    startTls(tls);
                }
            }
            case REQUIRED -> {
                if (!has("STARTTLS")) {
                    throw new IOException("does not offer STARTTLS, and tls=required");
                }
                startTls(tls);
            }
        }
    }

    /** The socket is made here: what fails is on our side. */
    private void create() throws IOException {
        try {
            plain.setTcpNoDelay(true);
        } catch (IOException e) {
            throw NextHopPool.outOfDescriptors(e);
        }
    }

    /** {@return what it is connected to} */
    NextHop hop() {
        return hop;
    }

    /** {@return whether the next hop has said that it knows an extension} */
    boolean has(String extension) {
        return extensions.has(extension);
    }

    /** {@return what the next hop has said of itself} */
    HopExtensions extensions() {
        return extensions;
    }

    /** It waits for the next message, and nobody would notice if the next hop ended meanwhile. */
    void keep() {
        kept = true;
    }

    /** {@return whether its next hop has said nothing more since it was kept} */
    boolean isDead() {
        return dead;
    }

    /** {@return whether it has carried no message since a dead one was taken} */
    boolean isAsOldAs(NextHopConnection dead) {
        return usedNanos - dead.takenNanos < 0;
    }

    /**
     * It has carried a message, which the next hop has taken or not. After some that were refused it carries no
     * more: Exim cuts a connection at the eleventh RSET behind a refusal. Answers under way are lost
     * then, and what they stand for is delivered twice.
     */
    void used(boolean isTaken) {
        messages++;
        taken += isTaken ? 1 : 0;
        if (messages - taken >= REFUSED_MAX) {
            limit(messages);
        }
        usedNanos = System.nanoTime();
    }

    /** {@return messages that it has carried} */
    int messages() {
        return messages;
    }

    /** {@return messages that the next hop has taken} */
    int taken() {
        return taken;
    }

    /** It carries no more messages than that. */
    void limit(int messagesMax) {
        this.messagesMax = messagesMax;
    }

    /** {@return whether it has had its time, or its messages} */
    boolean isWornOut(NextHopSettings limits) {
        return System.nanoTime() - usedNanos >= limits.connectionIdle().toNanos()
                || !mayCarry(1, limits);
    }

    /** {@return whether it has carried no message yet} */
    boolean isFresh() {
        return messages == 0;
    }

    /** {@return whether so many more messages may go over it, with those under way} */
    boolean mayCarry(int more, NextHopSettings limits) {
        return messages + more <= Math.min(limits.connectionMessagesMax(), messagesMax)
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

    /**
     * {@return whether all that was asked is answered, and nothing more was said} What was said in between
     * is no answer to what comes next (RFC 5321 4.2: each command has one reply).
     */
    boolean isQuiet() {
        try {
            return answered == expected && !replies().hasMore() && !hasInput();
        } catch (IOException e) {
            return false;
        }
    }

    /** {@return whether the answers to so many more commands find room, so that neither side waits for the other} */
    boolean hasRoomFor(int commands) {
        int longest = replies == null ? REPLY_BYTES : Math.max(REPLY_BYTES, replies.longest());
        return (expected - answered + commands) * longest <= ANSWERS_BYTES_MAX;
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
        expected += commands(lines);
    }

    /** More replies are to come for what was written last: LMTP has one for each recipient (RFC 2033 4.2). */
    void expectMore(int replies) {
        expected += replies;
        due += replies;
    }

    /** {@return whether nothing waits to be sent} Sends first, unless a reply is there to be read before that. */
    boolean sendUnlessAnswered() throws IOException {
        if (!replies().hasMore()) {
            flush();
        }
        return waiting.count() == 0;
    }

    /** Sends what waits and reads one reply: 2xx, 4xx or 5xx. */
    SmtpReply reply(String to) throws IOException {
        Duration timeout = kept ? timeouts.kept() : timeouts.command();
        dead = kept;
        takenNanos = dead ? System.nanoTime() : takenNanos;
        SmtpReply reply = expectCompletion(read(timeout), to);
        kept = false;
        dead = false;
        return reply;
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
        if (!check.isAtLineStart()) {
            write(LINE_END, 0, LINE_END.length);
        }
        write(".");
    }

    /**
     * Writes commands and the chunk that they end with (RFC 3030), all or nothing.
     *
     * @param octets how many the chunk has, {@link #CHUNK_BYTES} at most
     * @param last whether the content ends with it
     * @throws LineCheck.NotTextException at what can't be sent so: nothing of all this will be sent
     */
    void writeChunk(String commands, InputStream content, int octets, LineCheck check, boolean last)
            throws LineCheck.NotTextException {
        byte[] lines = (commands + "BDAT " + octets + (last ? " LAST\r\n" : "\r\n"))
                .getBytes(StandardCharsets.UTF_8);
        if (waiting.room() < lines.length + octets) {
            flush();
        }
        int begin = waiting.count() + lines.length;
        byte[] array = waiting.room(lines.length + octets);
        if (read(content, array, begin, octets) != octets) {
            throw new UncheckedIOException(
                    new IOException("the content ends before its size is reached"));
        }
        check.check(array, begin, begin + octets);
        if (last) {
            check.end();
        }
        System.arraycopy(lines, 0, array, waiting.count(), lines.length);
        waiting.setCount(begin + octets);
        written += lines.length + octets;
        expected += commands(lines);
    }

    /**
     * Asks for something whose answer can't be mistaken for that to another command: EHLO, for what it said
     * of itself. It has to be the last command for the moment (RFC 2920 3.1), and ends a transaction (RFC
     * 5321 4.1.4). A next hop that refuses it is asked for the end of the connection instead, and is not {@link
     * #isConfirmed} then.
     *
     * @return replies that stood before it and answer nothing; none from a next hop that counts right
     */
    List<SmtpReply> confirm() throws IOException {
        confirmed = false;
        write(verb() + " " + ownName);
        send();
        List<SmtpReply> surplus = new ArrayList<>();
        while (surplus.size() < SURPLUS_MAX) {
            SmtpReply reply = readReply(timeouts.confirm());
            if (isHello(reply)) {
                answered = expected;
                confirmed = true;
                return surplus;
            }
            surplus.add(reply);
            if (reply.code() >= 500 && reply.code() <= 503) {
                return confirmByQuit(surplus);
            }
        }
        throw new SurplusException("more than " + SURPLUS_MAX + " replies");
    }

    /**
     * What came may be the answer to EHLO, or to something before: then that to EHLO is still to come. There
     * is no other reply that begins with 221.
     */
    private List<SmtpReply> confirmByQuit(List<SmtpReply> surplus) throws IOException {
        write("QUIT");
        send();
        while (surplus.size() < SURPLUS_MAX) {
            SmtpReply reply = readReply(QUIT_TIMEOUT);
            if (reply.code() == GOODBYE) {
                // Each command has one reply, so the last one is that to EHLO.
                surplus.removeLast();
                return surplus;
            }
            surplus.add(reply);
        }
        throw new SurplusException("more than " + SURPLUS_MAX + " replies");
    }

    /** The values of extensions may differ: room that is left. */
    private static boolean isHello(SmtpReply reply) {
        return reply.isSuccess() && HopExtensions.of(reply).has("CHUNKING");
    }

    /** {@return whether it has answered {@link #confirm} the last time} */
    boolean isConfirmed() {
        return confirmed;
    }

    /** Says goodbye, waits a moment for the answer (RFC 5321 4.1.1.10), and closes. */
    void quit() {
        try {
            if (isQuiet()) {
                write("QUIT");
                SmtpReply unused = read(QUIT_TIMEOUT);
                endTls();
            }
        } catch (IOException e) {
            // It has ended, which is all that was wanted.
            LOG.debug("{} did not answer QUIT: {}", hop, e.getMessage());
        } finally {
            close();
        }
    }

    /** Without a word by TLS the end could be somebody else's cut (RFC 8446 6.1). Nobody waits for the answer. */
    private void endTls() throws IOException {
        if (socket instanceof SSLSocket secured) {
            beginWrite(QUIT_TIMEOUT);
            secured.shutdownOutput();
        }
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

    private SmtpReply hello(Duration timeout) throws IOException {
        extensions = HopExtensions.NONE;
        write(verb() + " " + ownName);
        return expectCompletion(read(timeout), verb());
    }

    private void greeted(SmtpReply answer) throws IOException {
        if (answer.isPermanent() && hop.protocol() == NextHop.Protocol.SMTP) {
            write("HELO " + ownName);
            requireSuccess(reply("HELO"), "HELO");
            return;
        }
        requireSuccess(answer, verb());
        extensions = HopExtensions.of(answer);
    }

    private String verb() {
        return hop.protocol() == NextHop.Protocol.LMTP ? "LHLO" : "EHLO";
    }

    private void startTls(NextHopTls tls) throws IOException {
        write("STARTTLS");
        SmtpReply go = reply("STARTTLS");
        if (!go.isSuccess()) {
            throw new TlsException("answered " + go + " to STARTTLS", null);
        }
        if (replies().hasMore()) {
            // Somebody in between could have put it there, to be taken for something sent by TLS.
            throw new TlsException("sent plain text after STARTTLS", null);
        }
        long beganNanos = System.nanoTime();
        SmtpReply answer;
        try {
            use(handshake(tls));
            securedAt = answered;
            // By TLS 1.3 a server refuses a client's certificate behind the handshake, in place of
            // this answer.
            answer = hello(timeouts.handshake());
        } catch (IOException e) {
            long nowNanos = System.nanoTime();
            if (nowNanos - beganNanos >= timeouts.handshake().toNanos()) {
                tls.stalled(hop, nowNanos);
            }
            throw new TlsException("TLS failed: " + e.getMessage(), e);
        }
        greeted(answer);
    }

    private SSLSocket handshake(NextHopTls tls) throws IOException {
        socket.setSoTimeout((int) timeouts.handshake().toMillis());
        beginWrite(timeouts.handshake());
        try {
            return tls.handshake(plain, hop);
        } finally {
            writeEndNanos = 0;
        }
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

    /** Sends what waits and reads the next reply, which has to be to something that was sent before it came. */
    private SmtpReply read(Duration timeout) throws IOException {
        var unused = sendUnlessAnswered();
        if (writeFailure instanceof SurplusException) {
            throw writeFailure;
        }
        if (answered == due && writeFailure == null) {
            throw surplus();
        }
        SmtpReply reply = readReply(timeout);
        answered++;
        return reply;
    }

    private SmtpReply readReply(Duration timeout) throws IOException {
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

    /** {@return that the next hop has said something before it was asked} With its words, as far as they are there. */
    private IOException surplus() {
        String said;
        try {
            said = readReply(Duration.ofSeconds(1)).toString();
        } catch (IOException e) {
            said = "something";
        }
        return new SurplusException(said);
    }

    private boolean hasInput() throws IOException {
        // Behind a handshake by TLS session tickets come unasked, until the first reply is read.
        return answered != securedAt && plain.getInputStream().available() > 0;
    }

    private void write(byte[] octets, int from, int count) {
        int index = from;
        while (index < from + count) {
            if (waiting.room() == 0) {
                flush();
            }
            int fits = Math.min(from + count - index, waiting.room());
            waiting.add(octets, index, fits);
            index += fits;
        }
        written += count;
    }

    /** Sends what waits, or drops it once a write has failed, or if the next hop has said what nobody asked for. */
    private void flush() {
        if (waiting.count() == 0 || writeFailure != null) {
            waiting.clear();
            return;
        }
        try {
            if (answered == due && (replies().hasMore() || hasInput())) {
                waiting.clear();
                writeFailure = surplus();
            } else {
                send();
            }
        } catch (IOException e) {
            writeFailure = e;
        }
    }

    private void send() {
        handedOver = written;
        due = expected;
        beginWrite(timeouts.block());
        try {
            waiting.send(out());
        } catch (IOException e) {
            writeFailure = e;
        } finally {
            writeEndNanos = 0;
        }
    }

    /** {@return how many commands lines are} Each has a reply. */
    private static int commands(byte[] lines) {
        int count = 0;
        for (byte octet : lines) {
            count += octet == '\n' ? 1 : 0;
        }
        return count;
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
