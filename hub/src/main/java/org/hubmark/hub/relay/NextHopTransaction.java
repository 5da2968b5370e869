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
 * <p>A transaction has three steps, so that another envelope can be under way behind it: {@link #request}
 * writes what may go out before an answer, {@link #respond} reads the answers to the envelope and writes
 * the content, {@link #conclude} reads the answers to the content. {@link #goOn} begins the next one.
 */
final class NextHopTransaction {
    private final NextHopConnection connection;
    private final NextHopPool pool;
    private final Lease lease;
    private final boolean binary;

    private final ContentMemory.Part memory;
    private final Duration memoryWait;
    private final NextHopRecipients recipients;
    private boolean answered;

    /** Whether it began with RSET, behind another message. */
    private boolean behind;

    /** Recipients that are written. */
    private int written;

    private boolean dataRequested;
    private boolean contentWritten;

    /** Whether the next hop may think that it is still in this transaction. */
    private boolean unfinished;

    /** The position on the connection of the end of content. */
    private long end = Long.MAX_VALUE;

    /** Whether this connection takes no more, so that the message goes over another one at once. */
    private boolean elsewhere;

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

    /**
     * Makes ready.
     *
     * @param binary whether the content is sent as binary (RFC 3030), so that it may hold anything
     * @param memory for the content
     * @param memoryWait how long that may be waited for
     */
    NextHopTransaction(
            NextHopPool pool,
            NextHopConnection connection,
            Lease lease,
            boolean binary,
            ContentMemory.Part memory,
            Duration memoryWait) {
        this.pool = pool;
        this.connection = connection;
        this.lease = lease;
        this.binary = binary;
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

    /**
     * Writes what may go out before the first answer.
     *
     * @param isBehind whether the message before has no answer yet: then it begins with RSET, in case that one
     *     is refused (RFC 5321 4.1.4)
     */
    void request(boolean isBehind) {
        behind = isBehind;
        StringBuilder commands = new StringBuilder(behind ? "RSET\r\n" : "").append(mail());
        if (connection.has("PIPELINING")) {
            // MAIL and DATA are commands too.
            while (written < recipients.count() && connection.hasRoomFor(written + 3)) {
                commands.append("\r\n").append(recipients.command(written++));
            }
            // With one recipient nothing is lost by asking for DATA before the answer to RCPT.
            // Where a reply has been long there may be no room for that to RCPT: then DATA waits as
            // well.
            dataRequested = !binary && recipients.count() == 1 && written == 1;
            commands.append(dataRequested ? "\r\nDATA" : "");
        }
        connection.write(commands.toString());
    }

    /** {@return whether all of its envelope can go out ahead of an answer} */
    boolean mayGoAhead() {
        return !recipients.hasLeft()
                && lease.sizeBytes() <= connection.extensions().sizeMax()
                && connection.hasRoomFor(recipients.count() + 3);
    }

    /** {@return whether another message may be written behind this one} */
    boolean mayBeFollowed() {
        return contentWritten && !recipients.hasLeft();
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
            elsewhere = isOfConnection(mailReply);
            recipients.refused(mailReply);
            for (int i = 0; i < written; i++) {
                connection.reply("RCPT");
            }
        }
        unfinished = true;
        if (dataRequested) {
            data();
        } else if (recipients.accepted() > 0) {
            if (binary) {
                writeContent();
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
        return !connection.isClosing() && (followed || !unfinished || reset());
    }

    /** {@return whether recipients are left for a transaction of their own} */
    boolean hasLeft() {
        return recipients.hasLeft();
    }

    /** Begins a transaction for the recipients that are left, and writes what may go out. */
    void goOn() {
        written = 0;
        dataRequested = false;
        contentWritten = false;
        unfinished = false;
        end = Long.MAX_VALUE;
        boolean unused = begin();
        request(false);
    }

    /** {@return whether the next hop has answered anything} */
    boolean wasAnswered() {
        return answered;
    }

    /** {@return whether it has to go over another connection, since this one takes no more} Nobody has it. */
    boolean goesElsewhere() {
        return elsewhere;
    }

    /** {@return the answer by which it was turned away by the next hop, which is about this hub; or null} */
    @Nullable
    SmtpReply turnedAway() {
        return recipients.hasDelivered() || recipients.wasAnyRefused()
                ? null
                : recipients.turnedAway();
    }

    /** {@return whether somebody has the message} */
    boolean hasDelivered() {
        return recipients.hasDelivered();
    }

    /** Tells the pool what the answers say of the next hop. */
    void tellPool() {
        if (answered) {
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
        return recipients.begin(NextHopRecipients.TRANSACTION_MAX);
    }

    private void askRecipients() throws IOException {
        for (int i = 0; i < recipients.count(); i++) {
            if (i == written) {
                connection.write(recipients.command(written++));
            }
            SmtpReply reply = connection.reply("RCPT");
            // Others have a limit of recipients, for all messages of a connection.
            elsewhere |= i == 0
                    && isOfConnection(reply)
                    && (reply.code() / 100 == 5
                            || reply.isClosing()
                            || NextHopRecipients.maySayTooMany(reply));
            recipients.answered(i, reply);
        }
        elsewhere &= recipients.accepted() == 0;
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
            contentWritten();
        } else {
            writeContent();
        }
    }

    private void writeContent() throws IOException, LineCheck.NotTextException {
        awaitMemory();
        try (InputStream content = content()) {
            if (binary) {
                connection.writeBinary(content, lease.sizeBytes());
            } else {
                connection.writeLines(content, new LineCheck(connection.has("8BITMIME")));
            }
        } finally {
            memory.contentRead();
        }
        contentWritten();
    }

    /** All that was written before has been sent, since it is answered. */
    private void awaitMemory() throws ContentMemory.LackException {
        if (!memory.take(lease, memoryWait)) {
            throw new ContentMemory.LackException();
        }
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
            allTaken &= reply.isSuccess();
            if (lmtp) {
                recipients.concluded(i, reply);
            } else {
                concluded(reply);
            }
        }
        // RFC 3030 2: what follows a BDAT that was refused is a RSET. DATA leaves nothing behind.
        unfinished = !allTaken && binary;
    }

    private void concluded(SmtpReply reply) {
        int count = recipients.accepted();
        elsewhere |= count > 0 && count == recipients.count() && isOfConnection(reply);
        recipients.concluded(reply);
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

    private String mail() {
        StringBuilder mail = new StringBuilder("MAIL FROM:<")
                .append(lease.envelope().reversePath())
                .append('>');
        if (connection.has("SIZE")) {
            mail.append(" SIZE=").append(lease.sizeBytes());
        }
        if (binary) {
            mail.append(" BODY=BINARYMIME");
        } else if (lease.envelope().bodyType() == BodyType.EIGHT_BIT_MIME
                && connection.has("8BITMIME")) {
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
