package org.hubmark.testkit;

import org.hubmark.smtp.client.SmtpClient;
import org.hubmark.smtp.client.SmtpReply;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/**
 * A dialogue with an SMTP server by hand, for tests of what a server says: an {@link SmtpClient} whose
 * failures are unchecked and whose replies are text. It waits 30 s for a reply. One thread.
 */
public final class SmtpDialogue implements AutoCloseable {
    private static final Duration REPLY_TIMEOUT = Duration.ofSeconds(30);

    private final SmtpClient client;
    private final String greeting;

    private SmtpDialogue(SmtpClient client) {
        this.client = client;
        this.greeting = reply();
    }

    /** Connects and reads the greeting. */
    public static SmtpDialogue open(InetSocketAddress address) {
        try {
            return new SmtpDialogue(SmtpClient.connect(address, REPLY_TIMEOUT));
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
            client.write(octets);
        } catch (IOException e) {
            throw new UncheckedIOException("the server has gone: " + e.getMessage(), e);
        }
    }

    /** {@return the next reply, lines joined by LF} */
    public String reply() {
        try {
            return text(client.reply());
        } catch (IOException e) {
            throw noReply(e);
        }
    }

    /**
     * Sends a whole message: EHLO, MAIL, RCPT for each, DATA and the content, which is dot-stuffed and
     * gets the line end that it may lack.
     *
     * @return the reply to the content, lines joined by LF
     * @throws AssertionError if the server refuses any of it; says with what. {@link #offer} takes a refusal
     */
    public String send(String reversePath, List<String> forwardPaths, String content) {
        String reply = offer(reversePath, forwardPaths, content);
        if (!reply.startsWith("2")) {
            throw new AssertionError("the server did not take the message: " + reply);
        }
        return reply;
    }

    /**
     * Sends a whole message as {@link #send} does, whether the server takes it or not.
     *
     * @return the first refusal, else the reply to the content
     */
    public String offer(String reversePath, List<String> forwardPaths, String content) {
        String lines = content.replace("\r\n", "\n").replace("\n", "\r\n");
        try {
            SmtpReply hello = client.hello("client.test");
            return text(
                    hello.isSuccess()
                            ? client.send(
                                    reversePath,
                                    forwardPaths,
                                    lines.getBytes(StandardCharsets.UTF_8))
                            : hello);
        } catch (IOException e) {
            throw noReply(e);
        }
    }

    @Override
    public void close() {
        client.close();
    }

    private static UncheckedIOException noReply(IOException e) {
        return new UncheckedIOException("no reply: the server " + e.getMessage(), e);
    }

    /** As it was on the wire. */
    private static String text(SmtpReply reply) {
        String code = String.valueOf(reply.code());
        int last = reply.text().lastIndexOf('\n') + 1;
        String others = reply.text().substring(0, last);
        return others.isEmpty()
                ? code + " " + reply.text()
                : code + "-" + others.substring(0, last - 1).replace("\n", "\n" + code + "-") + "\n"
                        + code + " " + reply.text().substring(last);
    }
}
