package org.hubmark.bench.users.embedded;

import org.hubmark.core.OutputFile;

import java.io.IOException;
import java.nio.file.Path;

/** A {@link MailboxServer} in a process of its own; it ends when its standard input is closed. */
final class MailboxServerMain {
    private static final String LOOPBACK = "127.0.0.1";

    private MailboxServerMain() {}

    /** Arguments: how many users, the form of their addresses, their password, the file for the ports. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        int users = Integer.parseInt(arguments[0]);
        String format = arguments[1];
        String password = arguments[2];
        Path ports = Path.of(arguments[3]);
        MailboxServer server = MailboxServer.start(users, format, password);
        OutputFile.write(ports, server.smtp().getPort() + "\n");
        System.out.println("listening on " + LOOPBACK + ":" + server.imap().getPort());
        System.out.flush();
        while (System.in.read() >= 0) {
            // Until it is closed, or we are killed.
        }
        Runtime.getRuntime().halt(0);
    }
}
