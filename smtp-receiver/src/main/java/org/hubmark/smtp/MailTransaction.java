package org.hubmark.smtp;

import org.hubmark.core.BodyType;
import org.hubmark.core.ContentBudget;
import org.hubmark.core.Envelope;
import org.hubmark.core.OwnName;
import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * One mail transaction (RFC 5321 3.3), from MAIL to its end. Used by one event loop, but closed by
 * whoever has its envelope last.
 *
 * <p>Its envelope counts against a budget: a message may have thousands of recipients, and a peer
 * many connections.
 */
final class MailTransaction implements AutoCloseable {
    private static final int LINE_OCTETS_MAX = 78;

    /** Reserved at a time, so that most envelopes take from the budget once. */
    private static final int ENVELOPE_BYTES_STEP = 1 << 10;

    private static final int ENVELOPE_BYTES_FIXED = 256;

    final PathCommand.Mail mail;
    final Instant receivedAt;
    final List<String> forwardPaths = new ArrayList<>(2);
    private final ContentBudget budget;
    private long envelopeBytes;
    private long reservedBytes;

    /** Whether a BDAT has begun its content. */
    boolean chunked;

    private MailTransaction(PathCommand.Mail mail, Instant receivedAt, ContentBudget budget) {
        this.mail = mail;
        this.receivedAt = receivedAt;
        this.budget = budget;
    }

    /** {@return a transaction without recipients, or null when the budget has no room} */
    static @Nullable MailTransaction open(
            PathCommand.Mail mail, Instant receivedAt, ContentBudget budget) {
        MailTransaction opened = new MailTransaction(mail, receivedAt, budget);
        long bytes = ENVELOPE_BYTES_FIXED + Envelope.memoryBytes(mail.reversePath());
        return opened.reserve(bytes) ? opened : null;
    }

    /** Adds a recipient, or says false when the budget has no room for it. */
    boolean add(String forwardPath) {
        if (!reserve(Envelope.memoryBytes(forwardPath))) {
            return false;
        }
        forwardPaths.add(forwardPath);
        return true;
    }

    /** Gives back what the envelope took from the budget. */
    @Override
    public void close() {
        budget.release(reservedBytes);
        reservedBytes = 0;
    }

    private boolean reserve(long bytes) {
        if (envelopeBytes + bytes > reservedBytes) {
            if (!budget.reserve(ENVELOPE_BYTES_STEP)) {
                return false;
            }
            reservedBytes += ENVELOPE_BYTES_STEP;
        }
        envelopeBytes += bytes;
        return true;
    }

    /**
     * {@return the envelope}
     *
     * @param eightBit whether the content has octets above 127. Then it is 8BITMIME whatever the peer said of
     *     it, since the next hop has to be told (RFC 6152 3)
     */
    Envelope envelope(String peer, boolean eightBit) {
        BodyType declared = mail.bodyType();
        BodyType bodyType =
                eightBit && declared == BodyType.SEVEN_BIT ? BodyType.EIGHT_BIT_MIME : declared;
        return new Envelope(mail.reversePath(), forwardPaths, bodyType, receivedAt, peer);
    }

    /**
     * {@return the trace field to put on top (RFC 5321 4.4)} It names the recipient if there is but
     * one, so that no recipient learns of another (7.2).
     *
     * @param protocol SMTP, ESMTP, or ESMTPS (RFC 3848)
     */
    byte[] traceField(
            String greetedAs,
            String peer,
            String hostName,
            String protocol,
            String id,
            String date) {
        StringBuilder field = new StringBuilder(256)
                .append("Received: from ")
                .append(greetedAs)
                .append(greetedAs.length() + peer.length() + 20 > LINE_OCTETS_MAX ? "\r\n\t" : " ")
                .append("([")
                .append(peer.isEmpty() ? "unknown" : peer)
                .append("])\r\n\tby ")
                .append(hostName)
                .append(hostName.length() > 40 ? "\r\n\t" : " ")
                .append("with ")
                .append(protocol)
                .append(" id ")
                .append(id);
        if (forwardPaths.size() == 1) {
            String forwardPath = forwardPaths.get(0);
            boolean folds = forwardPath.length() + date.length() + 10 > LINE_OCTETS_MAX;
            field.append("\r\n\tfor <").append(forwardPath).append(folds ? ">;\r\n\t" : ">; ");
        } else {
            field.append(";\r\n\t");
        }
        return field.append(date).append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    /** {@return an address as a literal of RFC 5321 4.1.3 has it, without brackets} */
    static String peerOf(SocketAddress address) {
        if (!(address instanceof InetSocketAddress inet) || inet.getAddress() == null) {
            return "";
        }
        String literal = OwnName.literal(inet.getAddress());
        return literal.substring(1, literal.length() - 1);
    }
}
