package org.hubmark.testkit;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A dialogue with an SMTP server by hand, for tests of what a server says. It sends what it is given,
 * right or wrong, and waits 30 s for a reply. One thread.
 */
public final class SmtpDialogue implements AutoCloseable {
    private static final int REPLY_MILLIS_MAX = 30_000;

    private final Socket socket;
    private final BufferedReader in;
    private final OutputStream out;
    private final String greeting;

    private SmtpDialogue(Socket socket) throws IOException {
        this.socket = socket;
        socket.setSoTimeout(REPLY_MILLIS_MAX);
        socket.setTcpNoDelay(true);
        this.in = new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
        this.out = socket.getOutputStream();
        this.greeting = reply();
    }

    /** Connects and reads the greeting. */
    public static SmtpDialogue open(InetSocketAddress address) {
        try {
            return new SmtpDialogue(new Socket(address.getAddress(), address.getPort()));
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "no dialogue with " + address + ": " + e.getMessage(), e);
        }
    }

    /** {@return the greeting} */
    public String greeting() {
        return greeting;
    }

    /**
     * Sends a command line.
     *
     * @return the reply, lines joined by LF
     * @throws UncheckedIOException if the connection ends instead
     */
    public String command(String line) {
        write((line + "\r\n").getBytes(StandardCharsets.UTF_8));
        return reply();
    }

    /** Sends octets as they are, and waits for nothing. */
    public void write(byte[] octets) {
        try {
            out.write(octets);
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("the server has gone: " + e.getMessage(), e);
        }
    }

    /** {@return the next reply, lines joined by LF} */
    public String reply() {
        try {
            StringBuilder reply = new StringBuilder();
            String line;
            do {
                line = in.readLine();
                if (line == null) {
                    throw new EOFException("the server has closed the connection");
                }
                reply.append(reply.isEmpty() ? "" : "\n").append(line);
            } while (line.length() > 3 && line.charAt(3) == '-');
            return reply.toString();
        } catch (IOException e) {
            throw new UncheckedIOException("no reply: " + e.getMessage(), e);
        }
    }

    /**
     * Sends a whole message: EHLO, MAIL, RCPT for each, DATA and the content, which is dot-stuffed and
     * gets the line end that it may lack.
     *
     * @return the first reply that isn't as hoped, else the last
     */
    public String send(String reversePath, List<String> forwardPaths, String content) {
        String said = command("EHLO client.test");
        if (said.startsWith("250")) {
            said = command("MAIL FROM:<" + reversePath + ">");
        }
        for (String forwardPath : forwardPaths) {
            if (said.startsWith("250")) {
                said = command("RCPT TO:<" + forwardPath + ">");
            }
        }
        if (said.startsWith("250")) {
            said = command("DATA");
        }
        if (!said.startsWith("354")) {
            return said;
        }
        String lines = content.replace("\r\n", "\n").replace("\n", "\r\n");
        String stuffed = ("\r\n" + lines).replace("\r\n.", "\r\n..").substring(2);
        String end = stuffed.endsWith("\r\n") ? ".\r\n" : "\r\n.\r\n";
        write((stuffed + end).getBytes(StandardCharsets.UTF_8));
        return reply();
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
