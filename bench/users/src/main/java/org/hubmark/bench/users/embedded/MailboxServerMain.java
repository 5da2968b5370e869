package org.hubmark.bench.users.embedded;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * A mailbox server in memory (GreenMail), on loopback: takes mail by SMTP for accounts that it makes
 * beforehand, and shows it by IMAP. A process of its own; it ends when its standard input is closed.
 */
final class MailboxServerMain {
    private static final String LOOPBACK = "127.0.0.1";
    private static final int ANY_PORT = 0;
    /** The least that RFC 3501, section 5.4, lets an idle client have. */
    private static final int AUTOLOGOUT_MILLIS = 30 * 60 * 1000;

    private MailboxServerMain() {}

    /** Arguments: how many users, the form of their addresses, their password, the file for the ports. */
    public static void main(String[] arguments) throws IOException {
        int users = Integer.parseInt(arguments[0]);
        String format = arguments[1];
        String password = arguments[2];
        Path ports = Path.of(arguments[3]);
        GreenMail server = new GreenMail(new ServerSetup[] {
            new ServerSetup(ANY_PORT, LOOPBACK, ServerSetup.PROTOCOL_SMTP),
            new ServerSetup(ANY_PORT, LOOPBACK, ServerSetup.PROTOCOL_IMAP)
        });
        for (int user = 1; user <= users; user++) {
            String address = String.format(Locale.ROOT, format, user);
            var unused = server.setUser(address, address, password);
        }
        server.start();
        // It is 30 s else, and a client that looks for mail each minute would be logged off.
        server.getImap().setClientSocketTimeout(AUTOLOGOUT_MILLIS);
        int imap = server.getImap().getPort();
        Files.write(ports, List.of(String.valueOf(server.getSmtp().getPort())));
        System.out.println("listening on " + LOOPBACK + ":" + imap);
        System.out.flush();
        while (System.in.read() >= 0) {
            // Until it is closed, or we are killed.
        }
        Runtime.getRuntime().halt(0);
    }
}
