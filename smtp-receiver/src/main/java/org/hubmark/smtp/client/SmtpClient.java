package org.hubmark.smtp.client;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * A client's side of one SMTP connection (RFC 5321), for tests and tools: it sends what it is given, right
 * or wrong, and waits for the reply. The hub itself passes mail on by other means, with many messages
 * under way.
 *
 * <p>One thread; another one may close it, and has to where a server no longer reads, since a write to a
 * socket has no time limit. After an {@link IOException} it can only be closed.
 */
public final class SmtpClient implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SmtpClient.class);
    private final InetSocketAddress address;
    private final Duration timeout;
    private final Socket plain;
    private Socket socket;
    private ReplyReader replies;
    private Set<String> extensions = Set.of();

    private SmtpClient(InetSocketAddress address, Duration timeout, Socket connected)
            throws IOException {
        this.address = address;
        this.timeout = timeout;
        this.plain = connected;
        this.socket = connected;
        this.replies = new ReplyReader(connected);
    }

    /**
     * Connects. The first {@link #reply} is the greeting. Of a name with several addresses each is tried
     * in turn (RFC 5321 5.1).
     *
     * @param timeout for connecting to each, and for all of each reply
     * @throws IOException of several addresses a ConnectException that names each and its failure
     */
    public static SmtpClient connect(InetSocketAddress address, Duration timeout)
            throws IOException {
        InetAddress[] all = InetAddress.getAllByName(address.getHostString());
        List<IOException> failures = new ArrayList<>();
        for (InetAddress one : all) {
            try {
                return connectTo(new InetSocketAddress(one, address.getPort()), timeout);
            } catch (IOException e) {
                if (all.length == 1) {
                    throw e;
                }
                failures.add(e);
            }
        }
        throw ofAll(all, failures);
    }

    static IOException ofAll(InetAddress[] addresses, List<IOException> failures) {
        String words = IntStream.range(0, addresses.length)
                .mapToObj(i ->
                        addresses[i].getHostAddress() + ": " + failures.get(i).getMessage())
                .collect(Collectors.joining("; "));
        IOException all = new ConnectException(words);
        failures.forEach(all::addSuppressed);
        return all;
    }

    private static SmtpClient connectTo(InetSocketAddress address, Duration timeout)
            throws IOException {
        Socket socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.connect(address, Math.toIntExact(timeout.toMillis()));
            return new SmtpClient(address, timeout, socket);
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    /**
     * Connects, reads the greeting and says EHLO.
     *
     * @param name what the client calls itself
     * @throws IOException also when the server does not want us
     */
    public static SmtpClient open(InetSocketAddress address, Duration timeout, String name)
            throws IOException {
        SmtpClient client = connect(address, timeout);
        try {
            requireSuccess(client.reply());
            requireSuccess(client.hello(name));
            return client;
        } catch (IOException | RuntimeException e) {
            client.close();
            throw e;
        }
    }

    /**
     * Says EHLO.
     *
     * @param name what the client calls itself
     * @return the reply; of a success, the lines after the first are the extensions that {@link #has}
     *     knows from then on
     */
    public SmtpReply hello(String name) throws IOException {
        SmtpReply reply = command("EHLO " + name);
        extensions = reply.isSuccess()
                ? reply.text()
                        .lines()
                        .skip(1)
                        .map(line -> line.split(" ", 2)[0].toUpperCase(Locale.ROOT))
                        .collect(Collectors.toUnmodifiableSet())
                : Set.of();
        return reply;
    }

    /** {@return whether the server has announced an extension, given in upper case} */
    public boolean has(String extension) {
        return extensions.contains(extension);
    }

    /**
     * Begins TLS (RFC 3207). After that the server has to be greeted anew.
     *
     * @param parameters how the handshake is done, and whether the certificate has to name the host
     * @return the reply to STARTTLS; TLS is on if it is a success
     * @throws javax.net.ssl.SSLException when the handshake fails
     */
    public SmtpReply startTls(SSLSocketFactory factory, SSLParameters parameters)
            throws IOException {
        SmtpReply reply = command("STARTTLS");
        if (!reply.isSuccess()) {
            return reply;
        }
        if (replies.hasMore()) {
            // Somebody in between could have put it there, to be taken for something sent by TLS.
            throw new ProtocolException("sent plain text after STARTTLS");
        }
        encrypt(factory, parameters);
        return reply;
    }

    /**
     * Begins TLS without a word before it (RFC 8314): then the first {@link #reply} is the greeting.
     *
     * @throws javax.net.ssl.SSLException when the handshake fails
     */
    public void encrypt(SSLSocketFactory factory, SSLParameters parameters) throws IOException {
        SSLSocket secure = (SSLSocket)
                factory.createSocket(plain, address.getHostString(), address.getPort(), true);
        secure.setSSLParameters(parameters);
        secure.setSoTimeout(Math.toIntExact(timeout.toMillis()));
        secure.startHandshake();
        socket = secure;
        replies = new ReplyReader(secure);
        extensions = Set.of();
    }

    /** Sends a command line, or several with line ends between them, and reads one reply. */
    public SmtpReply command(String line) throws IOException {
        write((line + "\r\n").getBytes(StandardCharsets.UTF_8));
        return reply();
    }

    /** Sends octets as they are, and waits for nothing. */
    public void write(byte[] octets) throws IOException {
        socket.getOutputStream().write(octets);
    }

    /**
     * Reads the next reply.
     *
     * @throws ProtocolException when the server says something else
     */
    public SmtpReply reply() throws IOException {
        return reply(timeout);
    }

    /** Reads the next reply, and waits as long as this for all of it. */
    public SmtpReply reply(Duration wait) throws IOException {
        return replies.read(wait);
    }

    /** {@return the server's address, of those that its name has} */
    public InetSocketAddress address() {
        return address;
    }

    /**
     * Begins a message: MAIL, RCPT for each recipient, DATA. What the server refuses is not gone on with.
     *
     * @return 354 if the server waits for content, else what it refused with; then the transaction is
     *     ended, unless the server ends the connection
     */
    public SmtpReply begin(String reversePath, List<String> forwardPaths) throws IOException {
        List<String> commands = new ArrayList<>();
        commands.add("MAIL FROM:<" + reversePath + ">\r\n");
        forwardPaths.forEach(path -> commands.add("RCPT TO:<" + path + ">\r\n"));
        // DATA goes alone: where it is taken although a recipient was refused, content has to
        // follow.
        boolean pipelining = has("PIPELINING");
        if (pipelining) {
            write(String.join("", commands).getBytes(StandardCharsets.UTF_8));
        }
        SmtpReply refusal = null;
        for (String command : commands) {
            if (!pipelining) {
                write(command.getBytes(StandardCharsets.UTF_8));
            }
            SmtpReply reply = reply();
            if (reply.isClosing()) {
                return reply;
            }
            if (!reply.isSuccess() && refusal == null) {
                refusal = reply;
                if (!pipelining) {
                    break;
                }
            }
        }
        if (refusal == null) {
            SmtpReply reply = command("DATA");
            if (reply.asksForContent()) {
                return reply;
            }
            refusal = reply;
        }
        if (!refusal.isClosing()) {
            requireSuccess(command("RSET"));
        }
        return refusal;
    }

    /**
     * Ends a message that was begun.
     *
     * @param content lines; they are sent as {@link #stuffed} has them
     * @return what became of the message
     */
    public SmtpReply end(byte[] content) throws IOException {
        write(stuffed(content));
        return reply();
    }

    /**
     * Sends a message.
     *
     * @return what became of it: the reply to its content, or the first refusal before that
     */
    public SmtpReply send(String reversePath, List<String> forwardPaths, byte[] content)
            throws IOException {
        SmtpReply begun = begin(reversePath, forwardPaths);
        return begun.asksForContent() ? end(content) : begun;
    }

    /**
     * {@return content as DATA carries it (RFC 5321 4.5.2): dot-stuffed, and with the line that ends it}
     *
     * @param content lines that end in CRLF; the last one gets the end that it may lack
     */
    public static byte[] stuffed(byte[] content) {
        ByteArrayOutputStream lines = new ByteArrayOutputStream(content.length + 64);
        boolean lineBegins = true;
        for (int i = 0; i < content.length; i++) {
            if (lineBegins && content[i] == '.') {
                lines.write('.');
            }
            lines.write(content[i]);
            lineBegins = content[i] == '\n' && i > 0 && content[i - 1] == '\r';
        }
        lines.writeBytes((lineBegins ? ".\r\n" : "\r\n.\r\n").getBytes(StandardCharsets.US_ASCII));
        return lines.toByteArray();
    }

    /** Ends the connection, without a word to the server. */
    @Override
    public void close() {
        try {
            // Not the TLS socket: closing that one waits for a write that hangs.
            plain.close();
        } catch (IOException e) {
            // Nobody waits for more from it, and what can't be closed ends with its peer.
            LOG.debug("closing a connection failed", e);
        }
    }

    private static void requireSuccess(SmtpReply reply) throws IOException {
        if (!reply.isSuccess()) {
            throw new IOException("answered " + reply);
        }
    }
}
