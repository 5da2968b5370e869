package org.hubmark.core;

import java.time.Instant;
import java.util.List;
import java.util.Objects;

/**
 * Sender, recipients and transport parameters of a message (RFC 5321 2.3.1).
 *
 * <p>Checked where it is made, whoever makes it: its texts go into commands to other servers, into
 * Received fields and logs, so none of them may hold what would end a line or a path there.
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

    /** Octets of a path without its brackets (RFC 5321 4.5.3.1.3). */
    public static final int PATH_OCTETS_MAX = 254;

    /** Recipients of a message; what is queued may have so many. */
    public static final int FORWARD_PATHS_MAX = 100_000;

    /** Recipients that a receiver may take: with the longest paths they fit a record of the queue. */
    public static final int FORWARD_PATHS_TAKEN_MAX = 8_000;

    /** Octets of the peer: more than any address literal takes. */
    public static final int PEER_OCTETS_MAX = 255;

    /** Heap of an envelope without its recipients: the object, the list, the instant and texts. */
    private static final int FIXED_BYTES = 160;

    /** Heap of a text beside its octets, and of the reference to it. */
    private static final int TEXT_BYTES = 64;

    /**
     * Copies the list and checks the texts.
     *
     * @throws IllegalArgumentException if there is no recipient, or a text that can't be what it is
     *     said to be; the message says which
     */
    public Envelope {
        forwardPaths = List.copyOf(forwardPaths);
        Objects.requireNonNull(bodyType, "bodyType");
        Objects.requireNonNull(receivedAt, "receivedAt");
        if (forwardPaths.isEmpty()) {
            throw new IllegalArgumentException("an envelope needs at least one forward-path");
        }
        if (forwardPaths.size() > FORWARD_PATHS_MAX) {
            throw new IllegalArgumentException("an envelope has at most " + FORWARD_PATHS_MAX
                    + " forward-paths, not " + forwardPaths.size());
        }
        if (!reversePath.isEmpty()) {
            requirePath("reverse-path", reversePath);
        }
        for (String forwardPath : forwardPaths) {
            requirePath("forward-path", forwardPath);
        }
        requirePeer(peer);
    }

    /** {@return about how much heap an envelope takes, for budgets} */
    public long memoryBytes() {
        long bytes = FIXED_BYTES + memoryBytes(reversePath);
        for (String forwardPath : forwardPaths) {
            bytes += memoryBytes(forwardPath);
        }
        return bytes;
    }

    /** {@return about how much heap a path of an envelope takes} */
    public static long memoryBytes(String path) {
        return (long) TEXT_BYTES + path.length();
    }

    /**
     * A receiver has parsed its paths by the whole grammar; this is what keeps any text from being
     * read as something else later: printable ASCII, and no space or angle bracket but in quotes.
     */
    private static void requirePath(String name, String path) {
        boolean quoted = false;
        boolean wellFormed = !path.isEmpty() && path.length() <= PATH_OCTETS_MAX;
        for (int i = 0; wellFormed && i < path.length(); i++) {
            char c = path.charAt(i);
            if (c == '"') {
                quoted = !quoted;
            } else if (c == '\\' && quoted) {
                i++;
                wellFormed = i < path.length() && path.charAt(i) >= ' ' && path.charAt(i) <= '~';
            } else {
                wellFormed = c >= ' ' && c <= '~' && (quoted || (c != ' ' && c != '<' && c != '>'));
            }
        }
        if (!wellFormed || quoted) {
            throw new IllegalArgumentException(
                    "the " + name + " is not a mailbox: 1 to " + PATH_OCTETS_MAX
                            + " printable ASCII characters; spaces and angle brackets in quotes only");
        }
    }

    private static void requirePeer(String peer) {
        boolean wellFormed = peer.length() <= PEER_OCTETS_MAX;
        for (int i = 0; wellFormed && i < peer.length(); i++) {
            char c = peer.charAt(i);
            wellFormed = c > ' ' && c <= '~' && c != '(' && c != ')' && c != '\\';
        }
        if (!wellFormed) {
            throw new IllegalArgumentException("the peer is not an address: at most "
                    + PEER_OCTETS_MAX + " printable ASCII characters, no spaces and parentheses");
        }
    }
}
