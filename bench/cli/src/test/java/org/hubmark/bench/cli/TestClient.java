package org.hubmark.bench.cli;

import org.hubmark.smtp.client.SmtpClient;
import org.hubmark.smtp.client.SmtpReply;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/** A client whose messages all have the same envelope, and have to be accepted. One thread. */
final class TestClient implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final SmtpClient client;

    TestClient(InetSocketAddress address) throws IOException {
        client = SmtpClient.open(address, TIMEOUT, "client.example");
    }

    /**
     * Sends one message.
     *
     * @return its queue id
     */
    String send(byte[] content) throws IOException {
        SmtpReply reply = client.send("a@x.example", List.of("b@y.example"), content);
        if (!reply.isSuccess()) {
            throw new IOException("the hub answered " + reply);
        }
        return reply.text().substring(reply.text().lastIndexOf(' ') + 1);
    }

    @Override
    public void close() {
        client.close();
    }
}
