package org.hubmark.hub.relay;

import org.hubmark.core.BodyType;
import org.hubmark.core.Lease;
import org.hubmark.core.Outcome;
import org.hubmark.hub.delivery.NextHop;
import org.hubmark.smtp.client.SmtpReply;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;

/**
 * One message over one connection: a mail transaction, or several one after the other where it has more
 * recipients than the next hop takes at once. A result is noted as soon as its reply is there, so that it
 * holds whatever becomes of the connection after it. One delivery thread.
 *
 * <p>A transaction has three steps, so that others can be under way behind it: {@link #request} or {@link
 * #requestAhead} writes what may go out before an answer, {@link #respond} reads the answers to the
 * envelope and writes the content if that is still to be done, {@link #conclude} reads the answers to
 * the content. {@link #goOn} begins the next one.
 */
final class NextHopTransaction {
    private final NextHopConnection connection;
    private final NextHopPool pool;
    private final Lease lease;

    /** Whether the content leaves by BDAT. */
    private final boolean chunked;

    private final ContentMemory.Part memory;
    private final Duration memoryWait;
    private final NextHopRecipients recipients;
    private boolean answered;

    /** Whether something was refused. */
    private boolean refused;

    /** Whether it began with RSET, behind another message. */
    private boolean behind;

    /** Recipients that are written. */
    private int written;

    private boolean dataRequested;
    private boolean contentWritten;

    /** Whether the next hop may think that it is still in this transaction. */
    private boolean unfinished;

    /** Whether what the next hop makes of what was sent isn't worth finding out. */
    private boolean unusable;

    /** The position on the connection of the end of content. */
    private long end = Long.MAX_VALUE;

    /** Whether this connection takes no more, so that the message goes over another one at once. */
    private boolean elsewhere;

    private boolean chunkUnknown;

    /** The next hop has answered with what is about this hub or the connection, and nobody has the message. */
    static final class TurnedAwayException extends IOException {
        private static final long serialVersionUID = 1L;
        private final transient SmtpReply reply;

        TurnedAwayException(SmtpReply reply) {
            super(reply.toString());
            this.reply = reply;
        }

        /** {@return the answer} */
        SmtpReply reply() {
            return reply;
        }
    }

    /** The next hop took some recipients and closed at the next one: nobody has the message. */
    static final class TooManyException extends IOException {
        private static final long serialVersionUID = 1L;

        TooManyException(SmtpReply reply) {
            super(reply.toString());
        }
    }

    /**
     * Makes ready.
     *
     * @param memory for the content
     * @param memoryWait how long that may be waited for
     */
    NextHopTransaction(
            NextHopPool pool,
            NextHopConnection connection,
            Lease lease,
            ContentMemory.Part memory,
            Duration memoryWait) {
        this.pool = pool;
        this.connection = connection;
        this.lease = lease;
        this.chunked = connection.has("CHUNKING") && pool.mayChunk();
        this.memory = memory;
        this.memoryWait = memoryWait;
        this.recipients = new NextHopRecipients(lease, connection.hop());
        boolean any = begin();
        if (!any) {
            throw new IllegalStateException(lease.id() + " has no open recipient");
        }
    }

    /** {@return the message} */
    Lease lease() {
        return lease;
    }

    /** Writes what may go out before the first answer. */
    void request() {
        StringBuilder commands = new StringBuilder(mail());
        if (connection.has("PIPELINING")) {
            // MAIL and DATA are commands too.
            while (written < recipients.count() && connection.hasRoomFor(written + 3)) {
                commands.append("\r\n").append(recipients.command(written++));
            }
            // With one recipient nothing is lost by asking for DATA before the answer to RCPT.
            // Where a reply has been long there may be no room for that to RCPT: then DATA waits as
            // well.
            dataRequested = !chunked && recipients.count() == 1 && written == 1;
            commands.append(dataRequested ? "\r\nDATA" : "");
        }
        connection.write(commands.toString());
    }

    /**
     * Writes what may go out before the answers to the message before it: the envelope, as RFC 2920 3.1
     * has it, behind a RSET in case that message is refused; and by BDAT, which RFC 3030 2 lets follow,
     * the content too, unless it is large.
     *
     * @throws LineCheck.NotTextException if the content can't be sent so; then nothing was written
     */
    void requestAhead() throws LineCheck.NotTextException {
        StringBuilder commands = new StringBuilder("RSET\r\n").append(mail());
        for (; written < recipients.count(); written++) {
            commands.append("\r\n").append(recipients.command(written));
        }
        behind = true;
        if (!chunked) {
            dataRequested = recipients.count() == 1;
            connection.write(commands.append(dataRequested ? "\r\nDATA" : "").toString());
        } else if (lease.sizeBytes() > NextHopConnection.CHUNK_BYTES) {
            connection.write(commands.toString());
        } else {
            int octets = (int) lease.sizeBytes();
            try (InputStream content = content()) {
                connection.writeChunk(
                        commands.append("\r\n").toString(), content, octets, check(), true);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } finally {
                memory.contentRead();
            }
            contentWritten();
        }
    }

    /**
     * {@return whether it can go out ahead of an answer, over a connection that pipelines} Then it has taken
     * the memory for that.
     */
    boolean mayGoAhead() {
        return !recipients.hasLeft()
                && lease.sizeBytes() <= connection.extensions().sizeMax()
                && connection.hasRoomFor(recipients.count() + 3)
                && (!chunked || memory.take(lease, Duration.ZERO));
    }

    /** {@return whether another message may be written behind this one} */
    boolean mayBeFollowed() {
        return contentWritten && !unusable;
    }

    /** {@return whether it was written behind another message} */
    boolean isBehind() {
        return behind;
    }

    /** {@return whether the content leaves by BDAT, so that no 354 shows which answer is which} */
    boolean isChunked() {
        return chunked;
    }

    /**
     * Reads the answer to the RSET that it began with, behind another message.
     *
     * @throws TurnedAwayException if the next hop closes
     * @throws NextHopConnection.SurplusException if it isn't one: then it is that to something before
     */
    void awaitReset() throws IOException {
        if (!behind) {
            return;
        }
        SmtpReply reset = connection.reply("RSET");
        if (reset.isClosing()) {
            throw new TurnedAwayException(reset);
        }
        if (!reset.isSuccess()) {
            throw new NextHopConnection.SurplusException(reset.toString());
        }
    }

    /**
     * Reads what the next hop says to the envelope, and writes the content if somebody takes it.
     *
     * @throws TurnedAwayException if the next hop closes and has answered nothing
     * @throws TooManyException if it closes since there are too many recipients
     * @throws ContentMemory.LackException if there is no memory for the content
     * @throws IOException if the connection breaks; what is known by then is kept
     * @throws LineCheck.NotTextException if the content can't be sent so; nobody has it
     */
    void respond() throws IOException, LineCheck.NotTextException {
        SmtpReply mailReply = connection.reply("MAIL");
        if (mailReply.isClosing() && !recipients.hasDelivered()) {
            throw new TurnedAwayException(mailReply);
        }
        answered = true;
        if (mailReply.isSuccess()) {
            askRecipients();
        } else {
            see(mailReply);
            elsewhere = isOfConnection(mailReply);
            recipients.refused(mailReply);
            for (int i = 0; i < written; i++) {
                connection.reply("RCPT");
            }
        }
        unfinished = true;
        if (contentWritten) {
            return;
        }
        if (dataRequested) {
            data();
        } else if (recipients.accepted() > 0) {
            if (chunked) {
                chunks();
            } else {
                connection.write("DATA");
                data();
            }
        }
    }

    /**
     * Reads what the next hop says to the content.
     *
     * @param followed whether the next message was requested, which ends this one whatever came of it
     * @return whether the connection can be used again
     */
    boolean conclude(boolean followed) throws IOException {
        if (contentWritten) {
            answers();
        }
        if (unusable || connection.isClosing()) {
            return false;
        }
        return followed || !unfinished || reset();
    }

    /** {@return whether recipients are left for a transaction of their own} */
    boolean hasLeft() {
        return recipients.hasLeft();
    }

    /** Begins a transaction for the recipients that are left, and writes what may go out. */
    void goOn() {
        behind = false;
        written = 0;
        dataRequested = false;
        contentWritten = false;
        unfinished = false;
        end = Long.MAX_VALUE;
        boolean unused = begin();
        request();
    }

    /** {@return whether the next hop has answered anything} */
    boolean wasAnswered() {
        return answered;
    }

    /** {@return whether something of it was refused} */
    boolean wasRefused() {
        return refused;
    }

    /** {@return whether it has to go over another connection, since this one takes no more} Nobody has it. */
    boolean goesElsewhere() {
        return elsewhere;
    }

    /** {@return whether that is since the next hop does not know BDAT} */
    boolean isChunkUnknown() {
        return chunkUnknown;
    }

    /** {@return the answer by which it was turned away by the next hop, which is about this hub; or null} */
    @Nullable
    SmtpReply turnedAway() {
        return recipients.hasDelivered() || recipients.refusal() != null
                ? null
                : recipients.turnedAway();
    }

    /** {@return whether somebody has the message} */
    boolean hasDelivered() {
        return recipients.hasDelivered();
    }

    /** Tells the pool what the answers say of the next hop. */
    void tellPool() {
        SmtpReply refusal = recipients.refusal();
        if (!answered) {
            return;
        }
        if (recipients.hasDelivered()) {
            pool.took();
        } else if (refusal != null && recipients.wereAllRefused()) {
            if (pool.refused(lease.envelope(), refusal, recipients.wasAnyAccepted())) {
                recipients.putOffRefused();
            }
        } else {
            pool.reached();
        }
    }

    /**
     * {@return what came of it}
     *
     * @param unanswered what to say of the recipients that got no answer
     */
    Outcome outcome(String unanswered) {
        return recipients.outcome(unanswered);
    }

    private boolean begin() {
        return recipients.begin(pool.recipientsMax());
    }

    private void askRecipients() throws IOException {
        for (int i = 0; i < recipients.count(); i++) {
            if (i == written) {
                connection.write(recipients.command(written++));
            }
            SmtpReply reply = connection.reply("RCPT");
            see(reply);
            // Others have a limit of recipients, for all messages of a connection.
            elsewhere |= i == 0
                    && isOfConnection(reply)
                    && (reply.code() / 100 == 5
                            || reply.isClosing()
                            || NextHopRecipients.maySayTooMany(reply));
            if (reply.isClosing() && recipients.accepted() > 0) {
                // It takes so many and no more: they are begun with anew, over another connection.
                pool.takesRecipients(recipients.accepted());
                if (!recipients.hasDelivered()) {
                    throw new TooManyException(reply);
                }
            }
            recipients.answered(i, reply);
        }
        elsewhere &= recipients.accepted() == 0;
        if (recipients.saidTooMany() && recipients.accepted() > 0) {
            pool.takesRecipients(recipients.accepted());
        }
        recipients.close();
    }

    private void data() throws IOException, LineCheck.NotTextException {
        SmtpReply go = connection.replyToData();
        if (!go.asksForContent()) {
            concluded(go);
            return;
        }
        if (recipients.accepted() == 0) {
            // RFC 2920 3.1: it wants content that nobody is to have.
            connection.write(".");
        } else {
            awaitMemory();
            try (InputStream content = content()) {
                connection.writeLines(content, check());
            } finally {
                memory.contentRead();
            }
        }
        contentWritten();
    }

    private void chunks() throws IOException, LineCheck.NotTextException {
        LineCheck check = check();
        boolean pipelines = connection.has("PIPELINING");
        int unanswered = 0;
        long left = lease.sizeBytes();
        awaitMemory();
        try (InputStream content = content()) {
            while (left > NextHopConnection.CHUNK_BYTES && !connection.isEnding()) {
                connection.writeChunk("", content, NextHopConnection.CHUNK_BYTES, check, false);
                left -= NextHopConnection.CHUNK_BYTES;
                unanswered++;
                // One chunk ahead: neither side waits for the other, and few replies are under way.
                if (!taken(unanswered - (pipelines ? 1 : 0))) {
                    return;
                }
                unanswered = pipelines ? 1 : 0;
            }
            if (!connection.isEnding()) {
                connection.writeChunk("", content, (int) left, check, true);
            }
            if (taken(unanswered)) {
                contentWritten();
            }
        } finally {
            memory.contentRead();
        }
    }

    /** All that was written before has been sent, since it is answered. */
    private void awaitMemory() throws ContentMemory.LackException {
        memory.close();
        if (!memory.take(lease, memoryWait)) {
            throw new ContentMemory.LackException();
        }
    }

    /** Reads answers to chunks before the last; a refusal is the answer to the message. */
    private boolean taken(int chunks) throws IOException {
        for (int i = 0; i < chunks; i++) {
            SmtpReply reply = connection.replyToContent();
            if (!reply.isSuccess()) {
                if (!refusedChunks(reply)) {
                    concluded(reply);
                }
                unusable = true;
                return false;
            }
        }
        return true;
    }

    private void contentWritten() {
        contentWritten = true;
        if (!connection.isEnding()) {
            end = connection.position();
        }
    }

    private void answers() throws IOException {
        int accepted = recipients.accepted();
        if (accepted == 0) {
            connection.replyToContent();
            return;
        }
        boolean lmtp = connection.hop().protocol() == NextHop.Protocol.LMTP;
        boolean allTaken = true;
        if (lmtp) {
            connection.expectMore(accepted - 1);
        }
        // LMTP has one for each RCPT that was accepted, in their order (RFC 2033 4.2).
        for (int i = 0; i < (lmtp ? accepted : 1); i++) {
            SmtpReply reply = connection.replyToContent();
            if (reply.isSuccess() && !connection.mayHaveSent(end)) {
                throw new IOException("answered " + reply + " before it had the content");
            }
            if (i == 0 && refusedChunks(reply)) {
                return;
            }
            allTaken &= reply.isSuccess();
            if (lmtp) {
                see(reply);
                recipients.concluded(i, reply);
            } else {
                concluded(reply);
            }
        }
        // RFC 3030 2: what follows a BDAT that was refused is a RSET. DATA leaves nothing behind.
        unfinished = !allTaken && chunked;
    }

    /** 421 refuses nothing: it ends the connection. */
    private void see(SmtpReply reply) {
        refused |= !reply.isSuccess() && !reply.isClosing();
    }

    private void concluded(SmtpReply reply) {
        see(reply);
        int count = recipients.accepted();
        elsewhere |= count > 0 && count == recipients.count() && isOfConnection(reply);
        if (recipients.concluded(reply)) {
            pool.takesRecipients(count / 2);
        }
    }

    /** {@return whether the next hop doesn't know BDAT, although it says so} The message goes by DATA then. */
    private boolean refusedChunks(SmtpReply reply) {
        chunkUnknown = isChunked()
                && NextHopRefusals.isCommandUnknown(reply)
                && connection.taken() == 0
                && !recipients.hasDelivered();
        if (chunkUnknown) {
            see(reply);
            pool.avoidChunks();
            elsewhere = true;
            // It may have taken the content for commands.
            unusable = true;
        }
        return chunkUnknown;
    }

    /**
     * {@return whether a refusal may be about the connection, since it has taken messages before} Servers limit
     * the messages of a connection by 4xx. If it is about the message a new connection brings the same.
     */
    private boolean isOfConnection(SmtpReply reply) {
        return connection.taken() > 0
                && !recipients.hasDelivered()
                && (reply.code() / 100 == 4 || NextHopRefusals.concernHub(reply));
    }

    /** What was answered stands, whatever comes behind it. */
    private boolean reset() {
        try {
            connection.write("RSET");
            return connection.reply("RSET").isSuccess();
        } catch (IOException e) {
            return false;
        }
    }

    private LineCheck check() {
        return new LineCheck(connection.has("8BITMIME"));
    }

    private String mail() {
        StringBuilder mail = new StringBuilder("MAIL FROM:<")
                .append(lease.envelope().reversePath())
                .append('>');
        if (connection.has("SIZE")) {
            mail.append(" SIZE=").append(lease.sizeBytes());
        }
        if (lease.envelope().bodyType() == BodyType.EIGHT_BIT_MIME && connection.has("8BITMIME")) {
            mail.append(" BODY=8BITMIME");
        }
        return mail.toString();
    }

    /** A content that can't be read is our own fault, not the next hop's. */
    private InputStream content() {
        try {
            return lease.openContent();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
