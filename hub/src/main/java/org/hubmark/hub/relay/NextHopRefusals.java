package org.hubmark.hub.relay;

import org.hubmark.smtp.client.SmtpReply;

import java.util.Set;

/** Tells refusals of this hub from refusals of a message. */
final class NextHopRefusals {
    private static final Set<Integer> CODES = Set.of(521, 530, 534, 535, 538);
    private static final Set<String> STATUSES = Set.of("5.7.8", "5.7.9", "5.7.11", "5.7.57");

    private NextHopRefusals() {}

    /**
     * {@return whether a reply is about what this hub is to the next hop, and not about a message} RFC 4954 6:
     * authentication is required (530) or was too weak (534, 538, X.7.11), or failed (535, X.7.8). RFC 3207 4:
     * STARTTLS is (530). Exchange: X.7.57. RFC 7504: it takes no mail (521). RFC 5321 4.2.2: it does not know
     * the command, or does not want it now (500, 502, 503, 504); Postfix has 504 for a name in EHLO that
     * isn't qualified.
     */
    static boolean concernHub(SmtpReply reply) {
        return reply.code() == 500
                || (reply.code() >= 502 && reply.code() <= 504)
                || CODES.contains(reply.code())
                || STATUSES.contains(reply.status());
    }
}
