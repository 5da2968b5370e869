package org.hubmark.core;

import java.io.IOException;
import java.io.InputStream;

/**
 * The right, and the duty, to try to deliver one message now. Not written anywhere: after a restart
 * everything due is due again.
 *
 * @param id the message
 * @param envelope its envelope
 * @param sizeBytes the octets of its content
 * @param attempts how many attempts were made before this one
 * @param content opens its content
 */
public record Lease(
        QueueId id, Envelope envelope, long sizeBytes, int attempts, ContentSource content) {

    /** {@return the content from its first octet} The caller closes the stream. */
    public InputStream openContent() throws IOException {
        return content.open();
    }
}
