package org.hubmark.core;

import java.time.Instant;
import java.util.List;

/**
 * Who sent a message, who is to have it, and how it came to us (RFC 5321 2.3.1).
 *
 * @param reversePath the mailbox of MAIL without angle brackets; empty for the null path
 * @param forwardPaths the mailboxes of RCPT without angle brackets and source routes; at least one
 * @param bodyType what MAIL declared
 * @param receivedAt when the mail transaction was opened
 * @param peer the client's address, as in the Received field; empty when there was none
 */
public record Envelope(
        String reversePath,
        List<String> forwardPaths,
        BodyType bodyType,
        Instant receivedAt,
        String peer) {

    /** Copies the list and checks that there is somebody to deliver to. */
    public Envelope {
        forwardPaths = List.copyOf(forwardPaths);
        if (forwardPaths.isEmpty()) {
            throw new IllegalArgumentException("an envelope needs at least one forward-path");
        }
    }
}
