package org.hubmark.bench.users;

import org.hubmark.bench.users.imap.Fetched;
import org.hubmark.bench.users.imap.ImapClient;
import org.hubmark.bench.users.profile.Population;
import org.hubmark.bench.users.profile.UserProfile;

import java.io.IOException;
import java.util.SplittableRandom;

/**
 * Makes the mailboxes ready before a run: the folders, some messages to read, and as many bytes as they
 * are to hold at first. What is there already stays and counts. Blocks; any thread.
 *
 * @param id in the messages, which tells them from those of a run
 */
record MailboxPreparation(UserProfile profile, MailPlaces places, MessageWriter writer, String id) {
    /** Read mail to begin with; the limit of the smallest inbox in the source is 20. */
    private static final int INBOX_MSGS = 20;

    private static final String SIZES = "(RFC822.SIZE)";

    /** Makes one mailbox ready. */
    void prepare(int user, SplittableRandom random) throws IOException {
        try (ImapClient client = places.logOn(user)) {
            client.create(MailPlaces.SENT);
            client.create(MailPlaces.ARCHIVE);
            int wanted = Math.min(INBOX_MSGS, Math.max(1, profile.mailbox().inboxLimitMsgs() / 2));
            for (long there = client.select(MailPlaces.INBOX); there < wanted; there++) {
                append(client, MailPlaces.INBOX, user, random);
            }
            long mailboxBytes = profile.mailbox().bytes();
            long left = mailboxBytes > 0 ? mailboxBytes - size(client, MailPlaces.INBOX) : 0;
            left -= left > 0 ? size(client, MailPlaces.ARCHIVE) : 0;
            while (left > 0) {
                left -= append(client, MailPlaces.ARCHIVE, user, random);
            }
            var unused = client.select(MailPlaces.ARCHIVE);
            places.archiveNext().set(user, client.uidNext());
            client.logOut();
        }
    }

    private static long size(ImapClient client, String folder) throws IOException {
        return client.select(folder) == 0
                ? 0
                : client.fetch("1:*", SIZES).stream()
                        .mapToLong(Fetched::sizeBytes)
                        .sum();
    }

    /** Appends a read message from another user to this user and others. */
    private long append(ImapClient client, String folder, int user, SplittableRandom random)
            throws IOException {
        Population population = places.population();
        int sender = population.other(user, random);
        String others = population.choose(sender, profile, random).to();
        String to = population.address(user) + (others.isEmpty() ? "" : ", " + others);
        byte[] content = writer.write(
                new MessageWriter.Head(
                        id + "." + user + "." + random.nextLong(Long.MAX_VALUE),
                        population.address(sender),
                        to,
                        MessageWriter.SUBJECT),
                profile.draw(random),
                null,
                random);
        client.append(folder, content);
        return content.length;
    }
}
