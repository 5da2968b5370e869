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
import java.util.Collections;
import java.util.List;

/**
 * One message over one connection: a mail transaction, and what it brought each recipient. A result is
 * noted as soon as its reply is there, so that it holds whatever becomes of the connection after it.
 * One delivery thread.
 */
final class NextHopTransaction {
    private final NextHopConnection connection;
    private final Lease lease;
    private final boolean binary;
    /** The places of the recipients to be tried. An address may stand there twice. */
    private final List<Integer> open = new ArrayList<>();

    private final List<@Nullable RecipientResult> results;
    private boolean answered;

    /** The next hop ended the connection before it answered anything to the message. */
    static final class ClosedException extends IOException {
        private static final long serialVersionUID = 1L;

        ClosedException(NextHopReply reply) {
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
        this.results = new ArrayList<>(Collections.nCopies(recipients, null));
        for (int i = 0; i < recipients; i++) {
            if (lease.result(i).isOpen()) {
                open.add(i);
            }
        }
    }

    /**
     * Does the transaction.
     *
     * @return whether the connection can be used again
     * @throws ClosedException if the next hop closes and has answered nothing
     * @throws IOException if the connection breaks; what is known by then is kept
     * @throws LineCheck.NotTextException if the content can't be sent so; nobody has it
     */
    boolean run() throws IOException, LineCheck.NotTextException {
        boolean pipelines = connection.has("PIPELINING");
        boolean chunks = connection.has("CHUNKING");
        // With one recipient nothing is lost by asking for DATA before the answer to RCPT.
        boolean dataAtOnce = pipelines && !chunks && open.size() == 1;
        connection.write(mail());
        if (pipelines) {
            for (int recipient : open) {
                connection.write(rcpt(recipient));
            }
        }
        if (dataAtOnce) {
            connection.write("DATA");
        }
        NextHopReply mailReply = connection.reply("MAIL");
        if (mailReply.isClosing()) {
            throw new ClosedException(mailReply);
        }
        answered = true;
        List<Integer> accepted = new ArrayList<>();
        if (mailReply.isSuccess()) {
            recipients(pipelines, accepted);
        } else {
            note(open, mailReply);
            for (int i = 0; pipelines && i < open.size(); i++) {
                connection.reply("RCPT");
            }
        }
        if (dataAtOnce) {
            return data(accepted);
        }
        if (accepted.isEmpty()) {
            return reset();
        }
        if (chunks) {
            return chunks(accepted);
        }
        connection.write("DATA");
        return data(accepted);
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
        List<RecipientResult> now = new ArrayList<>();
        for (int i = 0; i < results.size(); i++) {
            RecipientResult result = results.get(i);
            now.add(result == null ? RecipientResult.pending(unanswered) : result);
        }
        RecipientResult first = now.get(open.getFirst());
        for (int recipient : open) {
            if (!now.get(recipient).equals(first)) {
                return new Outcome.Partial(now);
            }
        }
        return switch (first.state()) {
            case DELIVERED -> new Outcome.Delivered();
            case PENDING, DELAYED -> new Outcome.Deferred(first.reply());
            case FAILED -> new Outcome.Undeliverable(first.reply());
        };
    }

    private void recipients(boolean pipelines, List<Integer> accepted) throws IOException {
        for (int recipient : open) {
            if (!pipelines) {
                connection.write(rcpt(recipient));
            }
            NextHopReply reply = connection.reply("RCPT");
            if (reply.isSuccess()) {
                accepted.add(recipient);
            } else {
                note(recipient, reply);
            }
        }
    }

    private boolean data(List<Integer> accepted) throws IOException, LineCheck.NotTextException {
        NextHopReply go = connection.replyToData();
        if (go.code() != NextHopReply.START_INPUT) {
            note(accepted, go);
            return !go.isClosing() && reset();
        }
        if (accepted.isEmpty()) {
            // RFC 2920 3.1: it wants content that nobody is to have.
            connection.write(".");
            connection.replyToContent();
            return reset();
        }
        try (InputStream content = content()) {
            connection.writeLines(content, new LineCheck(connection.has("8BITMIME")));
        }
        return end(accepted);
    }

    private boolean chunks(List<Integer> accepted) throws IOException, LineCheck.NotTextException {
        LineCheck check = binary ? null : new LineCheck(connection.has("8BITMIME"));
        NextHopReply refusal;
        try (InputStream content = content()) {
            refusal = connection.writeChunks(content, check);
        }
        if (refusal != null) {
            note(accepted, refusal);
            // What the next hop makes of the chunk that is under way isn't worth finding out.
            return false;
        }
        return end(accepted);
    }

    private boolean end(List<Integer> accepted) throws IOException {
        boolean lmtp = connection.hop().protocol() == NextHop.Protocol.LMTP;
        if (!lmtp) {
            NextHopReply reply = connection.replyToContent();
            note(accepted, reply);
            return !reply.isClosing();
        }
        boolean closing = false;
        for (int recipient : accepted) {
            // One answer for each RCPT that was accepted, in their order (RFC 2033 4.2).
            NextHopReply reply = connection.replyToContent();
            note(recipient, reply);
            closing |= reply.isClosing();
        }
        return !closing;
    }

    private boolean reset() throws IOException {
        connection.write("RSET");
        return connection.reply("RSET").isSuccess();
    }

    private void note(List<Integer> recipients, NextHopReply reply) {
        for (int recipient : recipients) {
            note(recipient, reply);
        }
    }

    private void note(int recipient, NextHopReply reply) {
        String said = connection.hop() + ": " + reply;
        results.set(
                recipient,
                reply.isSuccess()
                        ? RecipientResult.DELIVERED
                        : reply.isPermanent()
                                ? RecipientResult.failed(said)
                                : RecipientResult.pending(said));
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
