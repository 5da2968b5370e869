package org.hubmark.bench.cli;

import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** An SMTP client that waits for each reply. One thread. */
final class TestClient implements AutoCloseable {
    private static final int REPLY_MILLIS_MAX = 60_000;

    private final Socket socket;
    private final BufferedReader in;
    private final OutputStream out;

    TestClient(InetSocketAddress address) throws IOException {
        socket = new Socket(address.getAddress(), address.getPort());
        socket.setSoTimeout(REPLY_MILLIS_MAX);
        in = new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
        out = new BufferedOutputStream(socket.getOutputStream());
        expect("220");
        exchange("EHLO client.example", "250");
    }

    /**
     * Sends one message.
     *
     * @param content lines that end in CRLF; dots are stuffed here
     * @return its queue id
     */
    String send(byte[] content) throws IOException {
        exchange("MAIL FROM:<a@x.example> BODY=8BITMIME", "250");
        exchange("RCPT TO:<b@y.example>", "250");
        exchange("DATA", "354");
        boolean lineBegins = true;
        for (byte octet : content) {
            if (lineBegins && octet == '.') {
                out.write('.');
            }
            out.write(octet);
            lineBegins = octet == '\n';
        }
        String reply = exchange(".", "250");
        return reply.substring(reply.lastIndexOf(' ') + 1);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    private String exchange(String command, String expected) throws IOException {
        out.write((command + "\r\n").getBytes(StandardCharsets.US_ASCII));
        out.flush();
        return expect(expected);
    }

    private String expect(String expected) throws IOException {
        String line = in.readLine();
        while (line != null && line.length() > 3 && line.charAt(3) == '-') {
            line = in.readLine();
        }
        if (line == null || !line.startsWith(expected)) {
            throw new IOException("expected " + expected + ", got: " + line);
        }
        return line;
    }
}
