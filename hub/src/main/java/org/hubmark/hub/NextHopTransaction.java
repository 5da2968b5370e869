package org.hubmark.hub;

import org.hubmark.core.BodyType;
import org.hubmark.core.Lease;
import org.hubmark.core.Outcome;
import org.hubmark.core.RecipientResult;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One message over one connection: a mail transaction, and what it brought each recipient. A result is
 * noted as soon as its reply is there, so that it holds whatever becomes of the connection after it.
 * One delivery thread.
 *
 * <p>It has three steps, so that others can be under way behind it: {@link #request} or {@link
 * #requestAhead} writes what may go out before an answer, {@link #respond} reads the answers to the
 * envelope and writes the content if that is still to be done, {@link #conclude} reads the answers to
 * the content.
 */
final class NextHopTransaction {
    /** Their answers have to find room in the socket's buffer while we write. */
    private static final int RECIPIENTS_AHEAD_MAX = 100;

    private final NextHopConnection connection;
    private final Lease lease;
    private final boolean binary;
    /** The places of the recipients to be tried. An address may stand there twice. */
    private final int[] open;

    private final @Nullable RecipientResult[] results;
    private final List<Integer> accepted = new ArrayList<>();
    private boolean answered;

    /** Whether it began with RSET, behind another message. */
    private boolean behind;

    private boolean dataRequested;
    private boolean contentWritten;

    /** Whether the next hop may think that it is still in this transaction. */
    private boolean unfinished;

    /** Whether what the next hop makes of what was sent isn't worth finding out. */
    private boolean unusable;

    /** The position on the connection of the end of content. */
    private long end = Long.MAX_VALUE;

    /** The next hop ended the connection before it answered anything to the message. */
    static final class ClosedException extends IOException {
        private static final long serialVersionUID = 1L;

        ClosedException(SmtpReply reply) {
            super(reply.toString());
        }
    }

    /**
     * Makes ready.
     *
     * @param binary whether the content is sent as binary (RFC 3030), so that it may hold anything
     */
    NextHopTransaction(NextHopConnection connection, Lease lease, boolean binary) {
        this.connection = connection;
        this.lease = lease;
        this.binary = binary;
        int recipients = lease.envelope().forwardPaths().size();
        this.results = new RecipientResult[recipients];
        int[] places = new int[recipients];
        int count = 0;
        for (int i = 0; i < recipients; i++) {
            if (lease.result(i).isOpen()) {
                places[count++] = i;
            }
        }
        this.open = Arrays.copyOf(places, count);
    }

    /** {@return the message} */
    Lease lease() {
        return lease;
    }

    /** Writes what may go out before the first answer. */
    void request() {
        StringBuilder commands = new StringBuilder(mail());
        if (connection.has("PIPELINING")) {
            appendRecipients(commands);
            // With one recipient nothing is lost by asking for DATA before the answer to RCPT.
            dataRequested = !connection.has("CHUNKING") && open.length == 1;
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
        appendRecipients(commands);
        behind = true;
        if (!connection.has("CHUNKING")) {
            dataRequested = open.length == 1;
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
            }
            contentWritten();
        }
    }

    /** {@return whether it can go out ahead of an answer, over a connection that pipelines} */
    boolean mayGoAhead() {
        return open.length <= RECIPIENTS_AHEAD_MAX;
    }

    /** {@return whether another message may be written behind this one} */
    boolean mayBeFollowed() {
        return contentWritten && !unusable;
    }

    /**
     * Reads what the next hop says to the envelope, and writes the content if somebody takes it.
     *
     * @throws ClosedException if the next hop closes and has answered nothing
     * @throws IOException if the connection breaks; what is known by then is kept
     * @throws LineCheck.NotTextException if the content can't be sent so; nobody has it
     */
    void respond() throws IOException, LineCheck.NotTextException {
        if (behind) {
            SmtpReply reset = connection.reply("RSET");
            if (reset.isClosing()) {
                throw new ClosedException(reset);
            }
            if (!reset.isSuccess()) {
                // Then MAIL could be refused for the sake of the message before.
                throw new IOException("answered " + reset + " to RSET");
            }
        }
        SmtpReply mailReply = connection.reply("MAIL");
        if (mailReply.isClosing()) {
            throw new ClosedException(mailReply);
        }
        answered = true;
        boolean pipelines = connection.has("PIPELINING");
        if (mailReply.isSuccess()) {
            recipients(pipelines);
        } else {
            for (int recipient : open) {
                note(recipient, mailReply);
            }
            for (int i = 0; pipelines && i < open.length; i++) {
                connection.reply("RCPT");
            }
        }
        unfinished = true;
        if (contentWritten) {
            return;
        }
        if (dataRequested) {
            data();
        } else if (!accepted.isEmpty()) {
            if (connection.has("CHUNKING")) {
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

    /** {@return whether the next hop has answered anything} */
    boolean wasAnswered() {
        return answered;
    }

    /**
     * {@return what came of it}
     *
     * @param unanswered what to say of the recipients that got no answer
     */
    Outcome outcome(String unanswered) {
        RecipientResult first = null;
        boolean alike = true;
        for (int recipient : open) {
            RecipientResult result = results[recipient];
            if (result == null) {
                result = RecipientResult.pending(unanswered);
                results[recipient] = result;
            }
            alike &= first == null || result.equals(first);
            first = first == null ? result : first;
        }
        if (first == null) {
            throw new IllegalStateException(lease.id() + " has no open recipient");
        }
        if (!alike) {
            List<RecipientResult> all = new ArrayList<>(results.length);
            for (RecipientResult result : results) {
                all.add(result == null ? RecipientResult.pending(unanswered) : result);
            }
            return new Outcome.Partial(all);
        }
        return switch (first.state()) {
            case DELIVERED -> new Outcome.Delivered();
            case PENDING, DELAYED -> new Outcome.Deferred(first.reply());
            case FAILED -> new Outcome.Undeliverable(first.reply());
        };
    }

    private void recipients(boolean pipelines) throws IOException {
        for (int recipient : open) {
            if (!pipelines) {
                connection.write(rcpt(recipient));
            }
            SmtpReply reply = connection.reply("RCPT");
            if (reply.isSuccess()) {
                accepted.add(recipient);
            } else {
                note(recipient, reply);
            }
        }
    }

    private void data() throws IOException, LineCheck.NotTextException {
        SmtpReply go = connection.replyToData();
        if (!go.asksForContent()) {
            note(accepted, go);
            return;
        }
        if (accepted.isEmpty()) {
            // RFC 2920 3.1: it wants content that nobody is to have.
            connection.write(".");
        } else {
            try (InputStream content = content()) {
                connection.writeLines(content, new LineCheck(connection.has("8BITMIME")));
            }
        }
        contentWritten();
    }

    private void chunks() throws IOException, LineCheck.NotTextException {
        LineCheck check = check();
        boolean pipelines = connection.has("PIPELINING");
        int unanswered = 0;
        long left = lease.sizeBytes();
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
        }
    }

    /** Reads answers to chunks before the last; a refusal is the answer to the message. */
    private boolean taken(int chunks) throws IOException {
        for (int i = 0; i < chunks; i++) {
            SmtpReply reply = connection.replyToContent();
            if (!reply.isSuccess()) {
                note(accepted, reply);
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
        if (accepted.isEmpty()) {
            connection.replyToContent();
            return;
        }
        boolean lmtp = connection.hop().protocol() == NextHop.Protocol.LMTP;
        boolean allTaken = true;
        // LMTP has one for each RCPT that was accepted, in their order (RFC 2033 4.2).
        for (int i = 0; i < (lmtp ? accepted.size() : 1); i++) {
            SmtpReply reply = connection.replyToContent();
            if (reply.isSuccess() && !connection.mayHaveSent(end)) {
                throw new IOException("answered " + reply + " before it had the content");
            }
            allTaken &= reply.isSuccess();
            if (lmtp) {
                note(accepted.get(i), reply);
            } else {
                note(accepted, reply);
            }
        }
        // RFC 3030 2: what follows a BDAT that was refused is a RSET. DATA leaves nothing behind.
        unfinished = !allTaken && connection.has("CHUNKING");
    }

    private boolean reset() throws IOException {
        connection.write("RSET");
        return connection.reply("RSET").isSuccess();
    }

    private void note(List<Integer> recipients, SmtpReply reply) {
        for (int recipient : recipients) {
            note(recipient, reply);
        }
    }

    private void note(int recipient, SmtpReply reply) {
        if (reply.isSuccess()) {
            results[recipient] = RecipientResult.DELIVERED;
            return;
        }
        String said = connection.hop() + ": " + reply;
        results[recipient] =
                reply.isPermanent() ? RecipientResult.failed(said) : RecipientResult.pending(said);
    }

    private @Nullable LineCheck check() {
        return binary ? null : new LineCheck(connection.has("8BITMIME"));
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

    private void appendRecipients(StringBuilder commands) {
        for (int recipient : open) {
            commands.append("\r\n").append(rcpt(recipient));
        }
    }

    private String rcpt(int recipient) {
        return "RCPT TO:<" + lease.envelope().forwardPaths().get(recipient) + ">";
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
