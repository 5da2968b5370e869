package org.hubmark.bench.users;

import org.hubmark.bench.users.imap.ImapClient;
import org.hubmark.bench.users.profile.Population;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Where the users of a level have their mail. Any thread.
 *
 * @param timeout for an answer of the server
 * @param archiveNext by user, the UID of the next message that comes into the folder for moved mail, as
 *     it was before the run
 */
record MailPlaces(
        MailTarget target, Population population, Duration timeout, AtomicLongArray archiveNext) {
    static final String INBOX = "INBOX";
    /** The folder that keeps copies of what was sent. */
    static final String SENT = "Sent";

    /** The folder into which messages are moved. */
    static final String ARCHIVE = "Archive";

    MailPlaces(MailTarget target, Population population, Duration timeout) {
        this(target, population, timeout, new AtomicLongArray(population.users()));
    }

    /** {@return a connection of a user who has logged on} */
    ImapClient logOn(int user) throws IOException {
        ImapClient client =
                ImapClient.open(target.imap(), target.imapTls() ? target.tls() : null, timeout);
        try {
            client.logOn(population.address(user), target.password(user));
            return client;
        } catch (IOException | RuntimeException e) {
            client.close();
            throw e;
        }
    }
}
