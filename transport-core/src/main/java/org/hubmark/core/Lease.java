package org.hubmark.core;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Locale;

/**
 * The right, and the duty, to try to deliver one message now. Not written anywhere: after a restart
 * everything due is due again.
 *
 * @param id the message
 * @param envelope its envelope
 * @param results how far each forward-path has got, in the envelope's order; empty as long as nothing
 *     was settled for any of them, which spares most messages the list
 * @param sizeBytes the octets of its content
 * @param attempts how many attempts were made before this one
 * @param askedFor whether an operator wants this attempt
 * @param content opens its content
 */
public record Lease(
        QueueId id,
        Envelope envelope,
        List<RecipientResult> results,
        long sizeBytes,
        int attempts,
        boolean askedFor,
        ContentSource content) {
    /** Heap beside the envelope: the record, its source of content, its places where it waits. */
    private static final int FIXED_BYTES = 300;

    /**
     * Heap of what is noted of a recipient: a reply of its own, of 128 characters, and its places in lists. Few
     * have longer ones that differ, and not all that is leased is answered at once.
     */
    private static final int RECIPIENT_BYTES = 256;

    /** Copies the results and checks that they are the envelope's. */
    public Lease {
        results = List.copyOf(results);
        if (!results.isEmpty() && results.size() != envelope.forwardPaths().size()) {
            throw new IllegalArgumentException(
                    id + " has " + envelope.forwardPaths().size() + " forward-paths and "
                            + results.size() + " results");
        }
    }

    /** A lease of a message of which nothing is settled. */
    public Lease(
            QueueId id, Envelope envelope, long sizeBytes, int attempts, ContentSource content) {
        this(id, envelope, List.of(), sizeBytes, attempts, false, content);
    }

    /**
     * {@return how far a recipient has got}
     *
     * @param recipient its place among the forward-paths
     */
    public RecipientResult result(int recipient) {
        return results.isEmpty() ? RecipientResult.UNTRIED : results.get(recipient);
    }

    /** {@return whom others must not wait for if it is slow: the domain of the first forward-path, in small letters} */
    public String destination() {
        String forwardPath = envelope.forwardPaths().getFirst();
        return forwardPath.substring(forwardPath.lastIndexOf('@') + 1).toLowerCase(Locale.ROOT);
    }

    /** {@return about how much heap it takes, with what a delivery notes of its recipients} */
    public long memoryBytes() {
        return FIXED_BYTES
                + envelope.memoryBytes()
                + (long) RECIPIENT_BYTES * envelope.forwardPaths().size();
    }

    /** {@return the content from its first octet} The caller closes the stream. */
    public InputStream openContent() throws IOException {
        return content.open();
    }
}
