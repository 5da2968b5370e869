package org.hubmark.bench.crash;

import org.jspecify.annotations.Nullable;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * A client's side of one SMTP connection, one message after the other. One thread; another one may
 * close it.
 */
final class MailConnection implements AutoCloseable {
    private static final int LINE_LENGTH_MAX = 4096;
    private static final int READY = 354;
    private static final int DONE = 250;
    private static final byte[] COMMANDS =
            "MAIL FROM:<ledger@sender.example>\r\nRCPT TO:<ledger@recipient.example>\r\nDATA\r\n"
                    .getBytes(StandardCharsets.US_ASCII);

    private static final String LINE = "begun, and never to be ended\r\n";
    private static final String QUEUED_AS = "queued as ";

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;

    private MailConnection(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new BufferedInputStream(socket.getInputStream());
        this.out = socket.getOutputStream();
    }

    /**
     * Connects and greets.
     *
     * @throws IOException also when the server does not want us
     */
    static MailConnection open(InetSocketAddress address, Duration timeout) throws IOException {
        Socket socket = new Socket();
        boolean greeted = false;
        try {
            socket.connect(address, (int) timeout.toMillis());
            socket.setSoTimeout((int) timeout.toMillis());
            socket.setTcpNoDelay(true);
            MailConnection connection = new MailConnection(socket);
            connection.expect(220);
            connection.write("EHLO ledger.example\r\n".getBytes(StandardCharsets.US_ASCII));
            connection.expect(DONE);
            greeted = true;
            return connection;
        } finally {
            if (!greeted) {
                socket.close();
            }
        }
    }

    /**
     * Sends one message.
     *
     * @param stuffed its content as DATA carries it
     * @return the reply that says what became of it; 250 means that the server has it
     * @throws IOException if the connection ends, or nothing is heard; then nobody knows
     * @throws NotSentException likewise, but before the content was asked for
     */
    Reply send(byte[] stuffed) throws IOException {
        Reply refusal = null;
        try {
            write(COMMANDS);
            for (int i = 0; i < 3; i++) {
                Reply reply = reply();
                if (reply.code() != READY && reply.code() != DONE && refusal == null) {
                    refusal = reply;
                }
                if (i == 2 && reply.code() == READY && refusal != null) {
                    // The server waits for content although it takes no mail: none (RFC 2920 3.1).
                    write(".\r\n".getBytes(StandardCharsets.US_ASCII));
                    reply();
                }
            }
        } catch (IOException e) {
            throw new NotSentException(e);
        }
        if (refusal != null) {
            if (refusal.code() == 421) {
                throw new NotSentException(new IOException("421"));
            }
            write("RSET\r\n".getBytes(StandardCharsets.US_ASCII));
            expect(DONE);
            return refusal;
        }
        write(stuffed);
        return reply();
    }

    /** Begins a message of text and never ends it, so that the server has to keep it. */
    void begin(int octets) throws IOException {
        write(COMMANDS);
        for (int i = 0; i < 3; i++) {
            int code = reply().code();
            if (code != READY && code != DONE) {
                throw new IOException("refused with " + code);
            }
        }
        write(LINE.repeat(octets / LINE.length()).getBytes(StandardCharsets.US_ASCII));
    }

    /** The last line of a reply. */
    record Reply(int code, String line) {
        /** {@return what a server calls the message that it has taken, if it says so} */
        @Nullable
        String queueId() {
            int at = line.indexOf(QUEUED_AS);
            return at < 0 ? null : line.substring(at + QUEUED_AS.length()).strip();
        }
    }

    /** The connection ended before the server had anything. */
    static final class NotSentException extends IOException {
        private static final long serialVersionUID = 1L;

        NotSentException(IOException cause) {
            super(cause.getMessage(), cause);
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // The server is gone or goes; there is nothing to save here.
            return;
        }
    }

    private void write(byte[] octets) throws IOException {
        out.write(octets);
        out.flush();
    }

    private void expect(int code) throws IOException {
        int got = reply().code();
        if (got != code) {
            throw new IOException("the server said " + got + " where " + code + " was expected");
        }
    }

    private Reply reply() throws IOException {
        while (true) {
            String line = line();
            if (line.length() < 3) {
                throw new IOException("'" + line + "' is not a reply");
            }
            if (line.length() == 3 || line.charAt(3) != '-') {
                try {
                    return new Reply(Integer.parseInt(line.substring(0, 3)), line);
                } catch (NumberFormatException e) {
                    throw new IOException("'" + line + "' is not a reply", e);
                }
            }
        }
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        while (true) {
            int octet = read();
            if (octet == '\n') {
                return line.toString();
            }
            if (octet != '\r') {
                line.append((char) octet);
            }
            if (line.length() > LINE_LENGTH_MAX) {
                throw new IOException("a reply of more than " + LINE_LENGTH_MAX + " characters");
            }
        }
    }

    private int read() throws IOException {
        try {
            int octet = in.read();
            if (octet < 0) {
                throw new EOFException("the server closed the connection");
            }
            return octet;
        } catch (SocketTimeoutException e) {
            throw new IOException("no reply in time", e);
        }
    }
}
