package org.hubmark.bench.users.embedded;

import com.icegreen.greenmail.Managers;
import com.icegreen.greenmail.server.AbstractServer;
import com.icegreen.greenmail.server.ProtocolHandler;
import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Locale;

/**
 * A mailbox server in memory (GreenMail), on loopback: takes mail by SMTP for accounts that it makes
 * beforehand, and shows it by IMAP. Any thread.
 */
public final class MailboxServer implements AutoCloseable {
    private static final int ANY_PORT = 0;
    /** The least that RFC 3501, section 5.4, lets an idle client have. */
    private static final int AUTOLOGOUT_MILLIS = 30 * 60 * 1000;

    private final GreenMail smtp;
    private final Imap imap;

    private MailboxServer(GreenMail smtp, Imap imap) {
        this.smtp = smtp;
        this.imap = imap;
    }

    /**
     * Starts one.
     *
     * @param format of the addresses of users, with %d; a user's address is also the name to log on with
     */
    public static MailboxServer start(int users, String format, String password)
            throws InterruptedException {
        String loopback = InetAddress.getLoopbackAddress().getHostAddress();
        GreenMail smtp =
                new GreenMail(new ServerSetup(ANY_PORT, loopback, ServerSetup.PROTOCOL_SMTP));
        for (int user = 1; user <= users; user++) {
            String address = String.format(Locale.ROOT, format, user);
            var unused = smtp.setUser(address, address, password);
        }
        smtp.start();
        Imap imap = new Imap(
                new ServerSetup(ANY_PORT, loopback, ServerSetup.PROTOCOL_IMAP), smtp.getManagers());
        imap.setClientSocketTimeout(AUTOLOGOUT_MILLIS);
        imap.startService();
        boolean running = imap.waitTillRunning(imap.getServerSetup().getServerStartupTimeout());
        if (!running) {
            smtp.stop();
            throw new IllegalStateException("the mailbox server does not start");
        }
        return new MailboxServer(smtp, imap);
    }

    /** {@return where it takes mail} */
    public InetSocketAddress smtp() {
        return at(smtp.getSmtp().getPort());
    }

    /** {@return where it shows mail} */
    public InetSocketAddress imap() {
        return at(imap.getPort());
    }

    private static InetSocketAddress at(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    /** Waits until a number of messages have come; false when a time is over before that. */
    public boolean awaitMail(int messages, Duration timeout) {
        return smtp.waitForIncomingEmail(timeout.toMillis(), messages);
    }

    @Override
    public void close() {
        imap.stopService();
        smtp.stop();
    }

    /** GreenMail's own has connections that two threads write into. */
    private static final class Imap extends AbstractServer {
        Imap(ServerSetup setup, Managers managers) {
            super(setup, managers);
        }

        @Override
        protected ProtocolHandler createProtocolHandler(Socket client) {
            return new MailboxConnection(managers, client);
        }
    }
}
