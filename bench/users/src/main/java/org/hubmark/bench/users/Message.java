package org.hubmark.bench.users;

/**
 * A message in the inbox of a user, as the client knows it.
 *
 * @param from the user who wrote it; -1 for somebody else
 * @param to the addresses as the message has them
 * @param recipients how many got it
 * @param isMultipart whether something is attached
 */
record Message(long uid, int from, String to, int recipients, boolean isMultipart, boolean isRead) {
    Message read() {
        return new Message(uid, from, to, recipients, isMultipart, true);
    }
}
