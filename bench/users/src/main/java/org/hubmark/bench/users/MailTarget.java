package org.hubmark.bench.users;

import org.hubmark.bench.load.ClientTls;

import java.net.InetSocketAddress;
import java.util.List;

/**
 * A mail system that is there already, with accounts for all users.
 *
 * @param smtp where mail is submitted; resolved
 * @param imap where it is read; resolved
 * @param smtpTls whether TLS begins before the first word (RFC 8314)
 * @param imapTls likewise
 * @param tls what encrypted connections trust
 * @param authenticates whether users log on by SMTP too
 * @param passwords one for all users, or one for each: the first is user 1's
 */
public record MailTarget(
        InetSocketAddress smtp,
        InetSocketAddress imap,
        boolean smtpTls,
        boolean imapTls,
        ClientTls tls,
        boolean authenticates,
        List<String> passwords) {
    /** {@return one whose users all have one password, and whose connections are not encrypted} */
    static MailTarget plain(InetSocketAddress smtp, InetSocketAddress imap, String password) {
        return new MailTarget(
                smtp, imap, false, false, ClientTls.trustingAll(), false, List.of(password));
    }

    /** {@return the password of a user} The first is 0; there has to be one for each. */
    String password(int user) {
        return passwords.size() == 1 ? passwords.getFirst() : passwords.get(user);
    }
}
