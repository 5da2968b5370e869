package org.hubmark.bench.users;

/**
 * A message in the inbox of a user, as the client knows it. Its user's thread.
 */
final class Message {
    private final long uid;
    private final int from;
    private final String to;
    private final int recipients;
    private final boolean multipart;
    private boolean read;

    /**
     * Makes one.
     *
     * @param from the user who wrote it; -1 for somebody else
     * @param to the addresses as the message has them
     * @param recipients how many got it
     * @param multipart whether something is attached
     */
    Message(long uid, int from, String to, int recipients, boolean multipart, boolean read) {
        this.uid = uid;
        this.from = from;
        this.to = to;
        this.recipients = recipients;
        this.multipart = multipart;
        this.read = read;
    }

    long uid() {
        return uid;
    }

    int from() {
        return from;
    }

    String to() {
        return to;
    }

    int recipients() {
        return recipients;
    }

    boolean isMultipart() {
        return multipart;
    }

    boolean isRead() {
        return read;
    }

    void markRead() {
        read = true;
    }
}
