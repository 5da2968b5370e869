package org.hubmark.bench.users;

import org.hubmark.bench.users.imap.ImapClient;
import org.hubmark.bench.users.result.MailSystem;
import org.hubmark.core.UserError;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * What a mail system says of itself before the first user comes.
 *
 * @param target it, for the results
 * @param prefix what stands before the names of a user's own folders
 */
record ServerFacts(MailSystem target, String prefix) {
    /**
     * {@return what it says} Blocks.
     *
     * @param first the places of a level; the folders' prefix need not be known
     * @throws UserError when it can't be reached, or does not let in the first user
     */
    static ServerFacts ask(MailPlaces first, Submission submission, boolean embedded) {
        MailTarget mail = first.target();
        String greeting;
        try {
            greeting = submission.greeting();
        } catch (IOException e) {
            throw UserError.failed(
                    "--smtp " + text(mail.smtp()) + ": " + TaskFailure.inFull("SMTP", e));
        }
        String user = first.population().address(0);
        try (ImapClient client = ImapClient.open(first.imap())) {
            client.logOn(user, mail.password(0));
            String prefix = client.prefix();
            MailSystem found = new MailSystem(
                    embedded,
                    text(mail.smtp()),
                    text(mail.imap()),
                    mail.encrypted(),
                    greeting,
                    client.greeting(),
                    client.capabilities().stream().sorted().toList(),
                    lacks(client));
            client.logOut();
            return new ServerFacts(found, prefix);
        } catch (IOException e) {
            throw UserError.failed("--imap " + text(mail.imap()) + ", user " + user + ": "
                    + TaskFailure.inFull("IMAP", e));
        }
    }

    private static List<String> lacks(ImapClient client) {
        List<String> lacks = new ArrayList<>();
        if (!client.has("MOVE")) {
            lacks.add("no MOVE: messages were copied, marked as deleted and expunged");
        }
        if (!client.has("UIDPLUS")) {
            lacks.add("no UIDPLUS: EXPUNGE of the whole folder in place of UID EXPUNGE");
        }
        if (!client.canIdle()) {
            lacks.add("no IDLE that can be used: clients looked for new mail by NOOP");
        }
        return lacks;
    }

    private static String text(InetSocketAddress address) {
        return address.getHostString() + ":" + address.getPort();
    }
}
