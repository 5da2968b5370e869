package org.hubmark.bench.users.embedded;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;

import org.hubmark.core.OutputFile;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;

/**
 * A mailbox server in memory (GreenMail), on loopback: takes mail by SMTP for accounts that it makes
 * beforehand, and shows it by IMAP. Any thread.
 */
public final class MailboxServer implements AutoCloseable {
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();
    /** The least that RFC 3501, section 5.4, lets an idle client have. */
    private static final int AUTOLOGOUT_MILLIS = 30 * 60 * 1000;

    private final GreenMail server;

    private MailboxServer(GreenMail server) {
        this.server = server;
    }

    /**
     * Runs one in a process of its own, which ends when its standard input is closed. Arguments: how many
     * users, the form of their addresses, the file for the port that takes mail.
     */
    public static void main(String[] arguments) throws IOException {
        int users = Integer.parseInt(arguments[0]);
        MailboxServer server = start(users, arguments[1], EmbeddedSystem.PASSWORD);
        OutputFile.write(Path.of(arguments[2]), server.smtp().getPort() + "\n");
        System.out.println("listening on 127.0.0.1:" + server.imap().getPort());
        System.out.flush();
        while (System.in.read() >= 0) {
            // Until it is closed, or we are killed.
        }
        Runtime.getRuntime().halt(0);
    }

    /**
     * Starts one.
     *
     * @param format of the addresses of users, with %d; a user's address is also the name to log on with
     */
    public static MailboxServer start(int users, String format, String password) {
        GreenMail server = new GreenMail(new ServerSetup[] {
            setup(ServerSetup.PROTOCOL_SMTP), setup(ServerSetup.PROTOCOL_IMAP)
        });
        for (int user = 1; user <= users; user++) {
            String address = String.format(Locale.ROOT, format, user);
            var unused = server.setUser(address, address, password);
        }
        server.getImap().setClientSocketTimeout(AUTOLOGOUT_MILLIS);
        server.start();
        return new MailboxServer(server);
    }

    /** Any free port. */
    private static ServerSetup setup(String protocol) {
        return new ServerSetup(0, LOOPBACK.getHostAddress(), protocol);
    }

    /** {@return where it takes mail} */
    public InetSocketAddress smtp() {
        return new InetSocketAddress(LOOPBACK, server.getSmtp().getPort());
    }

    /** {@return where it shows mail} */
    public InetSocketAddress imap() {
        return new InetSocketAddress(LOOPBACK, server.getImap().getPort());
    }

    /** Waits until a number of messages have come; false when a time is over before that. */
    public boolean awaitMail(int messages, Duration timeout) {
        return server.waitForIncomingEmail(timeout.toMillis(), messages);
    }

    @Override
    public void close() {
        server.stop();
    }
}
