package org.hubmark.bench.users;

import org.hubmark.bench.users.imap.ImapAddress;
import org.hubmark.bench.users.profile.Population;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Where the users of a level have their mail. Any thread.
 *
 * @param prefix of the names of their own folders; often empty
 * @param archiveNext by user, the UID of the next message that comes into the folder for moved mail, as
 *     it was before the run
 */
record MailPlaces(
        MailTarget target,
        ImapAddress imap,
        Population population,
        String prefix,
        AtomicLongArray archiveNext) {
    MailPlaces(MailTarget target, ImapAddress imap, Population population, String prefix) {
        this(target, imap, population, prefix, new AtomicLongArray(population.users()));
    }

    /** {@return the folder that keeps copies of what was sent} */
    String sent() {
        return prefix + "Sent";
    }

    /** {@return the folder into which messages are moved} */
    String archive() {
        return prefix + "Archive";
    }

    /** {@return the first UID of what came into that folder since the run began} */
    long archivedBefore(int user) {
        return Math.max(1, archiveNext.get(user));
    }
}
